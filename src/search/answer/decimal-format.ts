/**
 * Java's DecimalFormat patterns for numbers in responses: `0.00`, `#,##0.#`, `00`, `#.0%`, with text around them.
 * Rounds half to even, as Java does.
 */
import { illegalArgument } from '../request/errors.ts'

const pattern = /^((?:'[^']*'|[^#0,.';])*)([#,]*[0,]*)(?:\.(0*)(#*))?((?:'[^']*'|[^#0,.';])*)$/

export function decimalFormat(format: string): (value: number) => string {
  const [positive = '', negative] = format.split(';')
  const match = pattern.exec(positive)
  if (match === null) throw illegalArgument(`Malformed pattern "${format}"`)
  const [, before = '', whole = '', always = '', perhaps = '', after = ''] = match
  const prefix = unquote(before)
  const suffix = unquote(after)
  const scale = /%/.test(before + after) ? 100 : /‰/.test(before + after) ? 1000 : 1
  const least = whole.replaceAll(/[#,]/g, '').length
  const most = always.length + perhaps.length
  const comma = whole.lastIndexOf(',')
  const group = comma === -1 ? 0 : whole.length - comma - 1
  return (value) => {
    if (Number.isNaN(value)) return 'NaN'
    const magnitude = Math.abs(value) * scale
    const digits = magnitude === Infinity ? '∞' : write(magnitude, least, always.length, most, group)
    const isNegative = value < 0 && /[1-9∞]/.test(digits)
    if (isNegative && negative !== undefined) return unquote(negative.replace(/[#0,.]+/, digits))
    return `${isNegative ? '-' : ''}${prefix}${digits}${suffix}`
  }
}

function unquote(text: string): string {
  return text.replaceAll(/'([^']*)'/g, (_, inner: string) => (inner === '' ? "'" : inner))
}

function write(
  value: number,
  leastWhole: number,
  leastFraction: number,
  most: number,
  group: number,
): string {
  const [whole = '0', fraction = ''] = rounded(value, most).split('.')
  let digits = (whole === '0' && leastWhole === 0 && most > 0 ? '' : whole).padStart(leastWhole, '0')
  if (group > 0) {
    const parts: string[] = []
    for (let end = digits.length; end > 0; end -= group)
      parts.unshift(digits.slice(Math.max(0, end - group), end))
    digits = parts.join(',')
  }
  const kept = fraction.slice(0, leastFraction) + fraction.slice(leastFraction).replace(/0+$/, '')
  return kept === '' ? digits : `${digits}.${kept}`
}

function rounded(value: number, digits: number): string {
  if (value >= 1e21) return BigInt(value).toString()
  const text = String(value)
  // A decimal that ends in 5 right behind the last digit is a tie; toFixed would round by the binary value.
  const point = text.indexOf('.')
  if (!text.includes('e') && point !== -1 && text.length === point + digits + 2 && text.endsWith('5')) {
    const cut = text.slice(0, -1).replace(/\.$/, '')
    const isEven = Number(cut.at(-1)) % 2 === 0
    if (isEven) return Number(cut).toFixed(digits)
    return (Number(cut) + 10 ** -digits).toFixed(digits)
  }
  return value.toFixed(Math.min(digits, 100))
}
