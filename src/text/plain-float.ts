/**
 * A double as Java and Ruby both print those that need no exponent: with a point, `1.0`, and the sign of zero.
 * Undefined for a magnitude outside of `min` up to, not including, `end`: there the languages differ.
 */
export function plainFloat(value: number, min: number, end: number): string | undefined {
  if (!Number.isFinite(value)) return String(value)
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  const magnitude = Math.abs(value)
  return magnitude >= min && magnitude < end ? withPoint(String(value)) : undefined
}

export function withPoint(digits: string): string {
  return digits.includes('.') ? digits : `${digits}.0`
}
