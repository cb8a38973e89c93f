/** Prints values as Java does in error texts: maps as `{a=1, b=[x, y]}`, and class names. */
import { JsonNumber } from './json-literals.ts'

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

/** `Double.toString`: a whole number prints as `1.0`. */
export function javaDouble(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  const magnitude = Math.abs(value)
  if (magnitude >= 1e-3 && magnitude < 1e7) {
    const text = String(value)
    return text.includes('.') ? text : `${text}.0`
  }
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  return `${digits.includes('.') ? digits : `${digits}.0`}E${exponent.replace('+', '')}`
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
