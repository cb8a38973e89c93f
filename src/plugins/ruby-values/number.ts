/**
 * Text to numbers by Ruby's rules: the strict `Integer()`, `Float()` and `BigDecimal().to_i`, which raise
 * on anything that is not a number, and the lenient `to_f`, which takes what it can read.
 * Numbers may hold single underscores between digits; integers are exact at any size up to a bound.
 */
import { float, integer, type LsFloat } from '../../event/value.ts'
import { inspect } from '../../log/ruby-inspect.ts'

const hexPrefix = /^[+-]?0x/i
const hexInteger = /^([+-]?)0x([0-9a-f]+(?:_[0-9a-f]+)*)$/i
const hexFloat = /^([+-]?)0x([0-9a-f]+)(?:(?:\.([0-9a-f]+))?p([+-]?\d+))?$/i
// Groups: sign, whole digits, fraction digits, exponent. Underscores are checked apart.
const decimal = /^([+-]?)(?:([\d_]+)(?:\.([\d_]*))?|\.([\d_]+))(?:[ed]([+-]?[\d_]+))?$/i
const badUnderscore = /^[+-]?_|__|_\D|\D_|_$/
const leadingDecimal = /^[\s\0]*([+-]?(?:\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+)?)/i
const plainDecimal = /^-?\d{1,300}(?:\.\d{1,300})?$/

/** Numbers come from foreign text: an exponent must not make us write gigabytes of zeros. */
const maxDigits = 4096

export function isHex(text: string): boolean {
  return hexPrefix.test(text)
}

/** The integer of up to 15 plain digits, or undefined: nearly every number in a log. */
export function shortInteger(text: string): number | undefined {
  const { length } = text
  const negative = text.charCodeAt(0) === 0x2d
  const start = negative ? 1 : 0
  if (length === start || length - start > 15) return undefined
  let value = 0
  for (let i = start; i < length; i++) {
    const digit = text.charCodeAt(i) - 0x30
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  return negative && value !== 0 ? -value : value
}

/** `Integer(text)` of a hexadecimal text. */
export function hexToInteger(text: string): number | bigint {
  const [, sign, digits = ''] = hexInteger.exec(text) ?? refuse('Integer', text)
  if (digits.length > maxDigits) throw tooLong()
  const magnitude = BigInt(`0x${digits.replaceAll('_', '')}`)
  return integer(sign === '-' ? -magnitude : magnitude)
}

/** `BigDecimal(text).to_i`: any decimal notation, cut towards zero. */
export function decimalToInteger(text: string): number | bigint {
  const short = shortInteger(text)
  if (short !== undefined) return short
  const special = /^[+-]?(?:Infinity|NaN)$/.exec(text)
  if (special !== null) throw new RangeError(`Computation results in '${special[0]}'`)
  const { negative, whole, fraction, exponent } = readDecimal(text, 'BigDecimal')
  const digits = (whole + fraction).replace(/^0+/, '')
  const leadingZeros = whole.length + fraction.length - digits.length
  const count = whole.length - leadingZeros + exponent
  if (digits === '' || count <= 0) return 0
  if (count > maxDigits) throw tooLong()
  const magnitude = BigInt(count <= digits.length ? digits.slice(0, count) : digits.padEnd(count, '0'))
  return integer(negative ? -magnitude : magnitude)
}

/** `Float(text)`. */
export function textToFloat(text: string): number | LsFloat {
  if (plainDecimal.test(text)) return float(Number(text))
  if (isHex(text)) return float(hexToDouble(text))
  const { negative, whole, fraction, exponent } = readDecimal(text, 'Float')
  return float(Number(`${negative ? '-' : ''}${whole || '0'}.${fraction || '0'}e${exponent}`))
}

/** `Float(text)` of a hexadecimal text: `0x1f`, `0x1.8p3`. */
export function hexToDouble(text: string): number {
  const [, sign, whole = '', fraction = '', exponent = '0'] = hexFloat.exec(text) ?? refuse('Float', text)
  if (whole.length + fraction.length > maxDigits) throw tooLong()
  const magnitude = Number(BigInt(`0x${whole}${fraction}`)) * 2 ** (Number(exponent) - 4 * fraction.length)
  return sign === '-' ? -magnitude : magnitude
}

/** `text.to_f`: the number at the beginning, 0 when there is none. */
export function leadingNumber(text: string): number {
  const found = leadingDecimal.exec(text)?.[1]
  return found === undefined ? 0 : Number(found.replaceAll('_', ''))
}

const leadingInteger = /^[\s\0]*([+-]?\d+(?:_\d+)*)/

/** `text.to_i`: the whole number at the beginning, 0 when there is none. */
export function leadingWhole(text: string): number | bigint {
  const short = shortInteger(text)
  if (short !== undefined) return short
  const found = leadingInteger.exec(text)?.[1]
  if (found === undefined) return 0
  if (found.length > maxDigits) throw tooLong()
  const digits = found.replaceAll('_', '')
  return digits.length <= 15 ? Number(digits) + 0 : integer(BigInt(digits.replace(/^\+/, '')))
}

interface Decimal {
  negative: boolean
  whole: string
  fraction: string
  exponent: number
}

function readDecimal(text: string, by: 'BigDecimal' | 'Float'): Decimal {
  const found = decimal.exec(text)
  if (found === null || badUnderscore.test(text)) return refuse(by, text)
  // Only BigDecimal() knows the exponent letter d.
  if (by === 'Float' && /d/i.test(text)) return refuse(by, text)
  const [, sign, whole = '', fraction = '', bareFraction = '', exponent = '0'] = found
  return {
    negative: sign === '-',
    whole: whole.replaceAll('_', ''),
    fraction: (fraction + bareFraction).replaceAll('_', ''),
    exponent: Number(exponent.replaceAll('_', '')),
  }
}

function refuse(by: string, text: string): never {
  throw new TypeError(`invalid value for ${by}(): ${inspect(text, 1000)}`)
}

function tooLong(): Error {
  return new RangeError(`a number of more than ${maxDigits} digits`)
}
