/** Prints values as Java does in error texts: maps as `{a=1, b=[x, y]}`, and class names. */
import { JsonNumber } from './json-literals.ts'

export { javaDouble } from '../../text/java-double.ts'

export function javaText(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return `[${value.map(javaText).join(', ')}]`
  if (value instanceof JsonNumber) return value.text
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(([name, item]) => `${name}=${javaText(item)}`)
    return `{${entries.join(', ')}}`
  }
  return String(value)
}

export function javaClass(value: unknown): string {
  if (typeof value === 'string') return 'java.lang.String'
  if (typeof value === 'boolean') return 'java.lang.Boolean'
  if (Array.isArray(value)) return 'java.util.ArrayList'
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) return 'java.lang.Double'
    return Math.abs(value) > 2_147_483_647 ? 'java.lang.Long' : 'java.lang.Integer'
  }
  return 'java.util.HashMap'
}

/** The simple name of the class. */
export function javaSimpleClass(value: unknown): string {
  const name = javaClass(value)
  return name.slice(name.lastIndexOf('.') + 1)
}
