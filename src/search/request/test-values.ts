/** For tests that compare answers before they are serialised. */
import { RawJson } from '../answer/json-text.ts'
import { JsonNumber, parseExactJson } from './json-literals.ts'

/** Copies a value with raw JSON parsed; integers that are spelled as such become bigints. */
export function plainValues(value: unknown): unknown {
  if (value instanceof RawJson) return plainValues(parseExactJson(value.text))
  if (value instanceof JsonNumber) return value.isInteger ? BigInt(value.text) : value.value
  if (Array.isArray(value)) return value.map(plainValues)
  if (typeof value !== 'object' || value === null) return value
  const members: [string, unknown][] = value instanceof Map ? [...value] : Object.entries(value)
  const present = members.filter(([, member]) => member !== undefined)
  return Object.fromEntries(present.map(([name, member]) => [name, plainValues(member)]))
}
