/**
 * Numbers as text and texts as numbers by Ruby's rules: `to_s`, the lenient `to_i` and `to_f`, the strict
 * `Integer()` and `Float()`.
 */
import { float, integer } from '../event/value.ts'
import { argumentError, raise } from './errors.ts'
import { inspectText } from './inspect-text.ts'
import type { RubyFloat, RubyInteger } from './number.ts'

/** Numbers come from foreign text: this many digits take the engine a moment, more take it long. */
const maxDigits = 20_000

const leadingInteger = /^[\s\0]*([+-]?\d+(?:_\d+)*)/
const leadingDecimal =
  /^[\s\0]*([+-]?\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?(?:[eE][+-]?\d+(?:_\d+)*)?|[+-]?\.\d+(?:_\d+)*(?:[eE][+-]?\d+)?)/

/** `text.to_i` */
export function leadingWhole(text: string): RubyInteger {
  const { length } = text
  if (length > 0 && length < 16) {
    let value = 0
    let at = text.charCodeAt(0) === 0x2d ? 1 : 0
    const start = at
    for (; at < length; at++) {
      const digit = text.charCodeAt(at) - 0x30
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
    }
    if (at === length && at > start) return start === 1 ? -value + 0 : value
  }
  const found = leadingInteger.exec(text)?.[1]
  return found === undefined ? 0 : digitsToInteger(found.replaceAll('_', ''), 10)
}

/** `text.to_f` */
export function leadingFloat(text: string): RubyFloat {
  const found = leadingDecimal.exec(text)?.[1]
  return float(found === undefined ? 0 : Number(found.replaceAll('_', '')))
}

const prefixes: Readonly<Record<number, string>> = { 2: '0b', 8: '0o', 10: '0d', 16: '0x' }

/** `text.to_i(base)`; also `hex` and `oct`. */
export function leadingInBase(text: string, base: number): RubyInteger {
  if (base < 0 || base === 1 || base > 36) raise(argumentError, `illegal radix ${base}`)
  const [, sign = '', rest = ''] = /^[\s\0]*([+-]?)(.*)$/s.exec(text) ?? []
  let digits = rest.toLowerCase()
  let radix = base
  if (base === 0) {
    radix = 10
    for (const [number, prefix] of Object.entries(prefixes)) {
      if (digits.startsWith(prefix)) radix = Number(number)
    }
    if (radix === 10 && /^0[0-7_]/.test(digits)) radix = 8
  }
  const prefix = prefixes[radix]
  if (prefix !== undefined && digits.startsWith(prefix) && digitRun(digits.slice(2), radix) !== '')
    digits = digits.slice(2)
  const run = digitRun(digits, radix)
  return run === '' ? 0 : digitsToInteger(sign + run.replaceAll('_', ''), radix)
}

function digitRun(text: string, base: number): string {
  let end = 0
  let underscore = true
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === 0x5f) {
      if (underscore) break
      underscore = true
      continue
    }
    const digit = code >= 0x30 && code <= 0x39 ? code - 0x30 : code >= 0x61 && code <= 0x7a ? code - 87 : 99
    if (digit >= base) break
    underscore = false
  }
  return text.slice(0, end).replace(/_+$/, '')
}

function digitsToInteger(text: string, base: number): RubyInteger {
  const negative = text.startsWith('-')
  const digits = text.replace(/^[+-]/, '')
  if (digits.length > maxDigits) raise(argumentError, `a number of more than ${maxDigits} digits`)
  let magnitude: bigint
  if (digits.length <= 10 || (base === 10 && digits.length <= 15)) {
    const value = Number.parseInt(digits, base)
    return negative ? -value + 0 : value
  }
  if (base === 10) magnitude = BigInt(digits)
  else {
    magnitude = 0n
    const step = BigInt(base)
    for (const digit of digits) magnitude = magnitude * step + BigInt(Number.parseInt(digit, 36))
  }
  return integer(negative ? -magnitude : magnitude)
}

const strictInteger =
  /^\s*([+-]?)(?:(0x)([0-9a-f]+(?:_[0-9a-f]+)*)|(0b)([01]+(?:_[01]+)*)|(0o?)([0-7]+(?:_[0-7]+)*)|(0d)?(\d+(?:_\d+)*))\s*$/i

/** `Integer(text)`, or undefined when it raises. */
export function readInteger(text: string, base?: number): RubyInteger | undefined {
  if (base !== undefined && base !== 10) {
    const clean = text.trim()
    const prefix = prefixes[base] ?? ''
    const body = clean.replace(/^[+-]/, '').toLowerCase()
    const digits = prefix !== '' && body.startsWith(prefix) ? body.slice(2) : body
    if (digits === '' || digitRun(digits, base) !== digits) return undefined
    return digitsToInteger((clean.startsWith('-') ? '-' : '') + digits.replaceAll('_', ''), base)
  }
  const found = strictInteger.exec(text)
  if (found === null || text.includes('\0')) return undefined
  const [, sign = '', , hex, , binary, , octal, , decimal] = found
  const [digits, radix] =
    hex !== undefined
      ? [hex, 16]
      : binary !== undefined
        ? [binary, 2]
        : octal !== undefined && base !== 10
          ? [octal, 8]
          : [decimal ?? octal ?? '', 10]
  if (radix === 10 && base !== 10 && /^0\d/.test(digits)) return undefined
  return digitsToInteger(sign + digits.replaceAll('_', ''), radix)
}

const strictDecimal = /^\s*[+-]?\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?(?:e[+-]?\d+(?:_\d+)*)?\s*$/i

/** `Float(text)`, or undefined when it raises. */
export function readFloat(text: string): RubyFloat | undefined {
  if (strictDecimal.test(text)) return float(Number(text.replaceAll('_', '')))
  if (/^\s*[+-]?0x/i.test(text)) {
    const whole = readInteger(text)
    return whole === undefined ? undefined : float(Number(whole))
  }
  return undefined
}

export function invalidNumber(by: 'Integer' | 'Float', text: string): never {
  raise(argumentError, `invalid value for ${by}(): ${inspectText(text)}`)
}
