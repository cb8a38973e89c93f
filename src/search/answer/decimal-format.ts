/**
 * Java's DecimalFormat patterns for numbers in responses: `0.00`, `#,##0.#`, `00`, `#.0%`, with text around them.
 * Rounds half to even, as Java does. Integers beyond 2^53 come as bigints and keep their digits.
 */
import { illegalArgument } from '../request/errors.ts'

const pattern = /^((?:'[^']*'|[^#0,.';])*)([#,]*[0,]*)(?:(\.)(0*)(#*))?((?:'[^']*'|[^#0,.';])*)$/

export function decimalFormat(format: string): (value: number | bigint) => string {
  const [positive = '', negative] = format.split(';')
  const match = pattern.exec(positive)
  if (match === null) throw illegalArgument(`Malformed pattern "${format}"`)
  const [, before = '', whole = '', point = '', always = '', perhaps = '', after = ''] = match
  const prefix = unquote(before)
  // A point without digits behind it is always written.
  const suffix = `${always === '' && perhaps === '' ? point : ''}${unquote(after)}`
  const scale = /%/.test(before + after) ? 100 : /‰/.test(before + after) ? 1000 : 1
  const min = whole.replaceAll(/[#,]/g, '').length
  const max = always.length + perhaps.length
  const comma = whole.lastIndexOf(',')
  const group = comma === -1 ? 0 : whole.length - comma - 1
  return (value) => {
    if (Number.isNaN(value)) return 'NaN'
    const magnitude = typeof value === 'bigint' ? magnitudeOf(value) * BigInt(scale) : Math.abs(value) * scale
    const digits = magnitude === Infinity ? '∞' : write(magnitude, min, always.length, max, group)
    // A negative number keeps its sign when all digits that are left are zeros.
    const isNegative = value < 0 || Object.is(value, -0)
    if (isNegative && negative !== undefined) return unquote(negative.replace(/[#0,.]+/, digits))
    return `${isNegative ? '-' : ''}${prefix}${digits}${suffix}`
  }
}

function magnitudeOf(value: bigint): bigint {
  return value < 0n ? -value : value
}

function unquote(text: string): string {
  return text.replaceAll(/'([^']*)'/g, (_, inner: string) => (inner === '' ? "'" : inner))
}

function write(
  value: number | bigint,
  minWhole: number,
  minFraction: number,
  maxFraction: number,
  group: number,
): string {
  const [whole = '0', fraction = ''] = rounded(value, maxFraction).split('.')
  let digits = (whole === '0' && minWhole === 0 && maxFraction > 0 ? '' : whole).padStart(minWhole, '0')
  if (group > 0) {
    const parts: string[] = []
    for (let end = digits.length; end > 0; end -= group)
      parts.unshift(digits.slice(Math.max(0, end - group), end))
    digits = parts.join(',')
  }
  const kept = fraction.slice(0, minFraction) + fraction.slice(minFraction).replace(/0+$/, '')
  return kept === '' ? digits : `${digits}.${kept}`
}

function rounded(value: number | bigint, digits: number): string {
  if (typeof value === 'bigint' || value >= 2 ** 53)
    return `${typeof value === 'bigint' ? value : allDigits(value)}${digits > 0 ? `.${'0'.repeat(digits)}` : ''}`
  // Java rounds the shortest digits that tell the number from its neighbours, where these are fewer.
  const shortest = /^\d+(?:\.(\d+))?$/.exec(String(value))
  const fraction = shortest?.[1] ?? ''
  if (shortest !== null && fraction.length <= digits) {
    const [whole] = shortest[0].split('.')
    return digits === 0 ? whole! : `${whole}.${fraction.padEnd(digits, '0')}`
  }
  // Only what two can divide lies between two decimals; toFixed would round it up.
  const scaled = value * 10 ** digits
  const isTie = Number.isInteger(value * 2 ** (digits + 1)) && scaled % 1 === 0.5
  if (isTie && Math.floor(scaled) % 2 === 0) return (Math.floor(scaled) / 10 ** digits).toFixed(digits)
  return value.toFixed(Math.min(digits, 100))
}

/** The shortest digits of a large number, and zeros. */
function allDigits(value: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e')
  return mantissa.replace('.', '').padEnd(Number(exponent) + 1, '0')
}
