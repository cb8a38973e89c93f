/** Numbers and booleans as JRuby writes them. */
import { plainFloat, withPoint } from './plain-float.ts'

/** `Float#to_s` of JRuby: `0.4`, `1.0`, `10000000000000000.0`, `1.0e+19`, `1.0e-05`. */
export function rubyFloat(value: number): string {
  const plain = plainFloat(value, 1e-4, 1e19)
  if (plain !== undefined) return plain
  const magnitude = Math.abs(value)
  // Between 1e19 and 1e20 JRuby has fifteen digits only.
  const shown = magnitude >= 1e19 && magnitude < 1e20 ? Number(value.toPrecision(15)) : value
  const [digits = '', exponent = ''] = shown.toExponential().split('e')
  const sign = exponent.startsWith('-') ? '-' : '+'
  return `${withPoint(digits)}e${sign}${exponent.slice(1).padStart(2, '0')}`
}

/** `to_s` of what is neither a text nor an object. */
export function rubyScalar(value: number | bigint | boolean): string {
  return typeof value === 'number' && !Number.isInteger(value) ? rubyFloat(value) : String(value)
}
