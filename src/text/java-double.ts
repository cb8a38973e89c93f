/** Doubles as Java prints them. */
import { plainFloat, withPoint } from './plain-float.ts'

/** `Double.toString` of Java: `1.0`, `1.0E7`, `1.0E-4`, `1.23456789123E8`, `NaN`, `-Infinity`. */
export function javaDouble(value: number): string {
  const plain = plainFloat(value, 1e-3, 1e7)
  if (plain !== undefined) return plain
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  return `${withPoint(digits)}E${exponent.replace('+', '')}`
}
