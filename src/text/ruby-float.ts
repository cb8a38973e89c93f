/** Numbers and booleans as JRuby writes them. */

/** `Float#to_s` of JRuby: `0.4`, `1.0`, `10000000000000000.0`, `1.0e+19`, `1.0e-05`. */
export function rubyFloat(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  const magnitude = Math.abs(value)
  if (magnitude >= 1e-4 && magnitude < 1e19) {
    const text = String(value)
    return text.includes('.') ? text : `${text}.0`
  }
  // Between 1e19 and 1e20 JRuby has fifteen digits only.
  const shown = magnitude >= 1e19 && magnitude < 1e20 ? Number(value.toPrecision(15)) : value
  const [digits = '', exponent = ''] = shown.toExponential().split('e')
  const sign = exponent.startsWith('-') ? '-' : '+'
  return `${digits.includes('.') ? digits : `${digits}.0`}e${sign}${exponent.slice(1).padStart(2, '0')}`
}

/** `to_s` of what is neither a text nor an object. */
export function rubyScalar(value: number | bigint | boolean): string {
  return typeof value === 'number' && !Number.isInteger(value) ? rubyFloat(value) : String(value)
}
