/**
 * Options of a plugin under test, written as a JavaScript object, turned into what a configuration would
 * have given: maps become hashes, true and false the barewords they are in a configuration.
 */
import { LsFloat } from '../../event/value.ts'
import { RawPlugin, type RawValue } from '../raw-value.ts'

export type TestOptions = Readonly<Record<string, unknown>> | ReadonlyMap<string, RawValue>

export function rawOptions(options: TestOptions = {}): Map<string, RawValue> {
  const entries: Iterable<[string, unknown]> = options instanceof Map ? options : Object.entries(options)
  const raw = new Map<string, RawValue>()
  for (const [name, value] of entries) if (value !== undefined) raw.set(name, rawFromJs(value))
  return raw
}

/** A codec with options of its own: `{ codec: block('line', { delimiter: ';' }) }`. */
export function block(name: string, options: TestOptions = {}): RawPlugin {
  return new RawPlugin(name, rawOptions(options))
}

function rawFromJs(value: unknown): RawValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  if (typeof value === 'boolean') return String(value)
  if (value instanceof LsFloat || value instanceof RawPlugin) return value
  if (Array.isArray(value)) return value.map(rawFromJs)
  if (typeof value === 'object') return rawOptions(value as TestOptions)
  throw new TypeError(`no configuration can give a ${typeof value}`)
}
