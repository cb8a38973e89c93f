/**
 * `format`, `sprintf` and `String#%`: %d %i %u %f %e %g %x %o %b %s %p %c %% with flags, width, precision,
 * `%1$s`, `%<name>d` and `%{name}`.
 */

import type { LsFloat } from '../../event/value.ts'
import { hashArgument } from '../arguments.ts'
import { charLength } from '../chars.ts'
import { argumentError, keyError, raise, typeError } from '../errors.ts'
import { inspect, toText } from '../inspect.ts'
import { coercionName, isInteger, isNumber, type RubyInteger, toDouble, wholeOf } from '../number.ts'
import { invalidNumber, readFloat, readInteger } from '../number-text.ts'
import type { RubyValue } from '../ruby-class.ts'
import { isText, RubySymbol, textOf } from '../values.ts'

const directive =
  /%(?:%|([-+ 0#]*)(?:(\d+)\$)?(?:<([^>]*)>|(\{)([^}]*)\})?([-+ 0#]*)(\*|\d+)?(?:\.(\d+|\*)?)?([a-zA-Z])?|)/g
const maxWidth = 10_000_000

interface Directive {
  flags: string
  width: number
  /** Undefined when none was written. */
  precision: number | undefined
}

export function format(template: string, values: RubyValue[]): string {
  let next = 0
  const take = (): RubyValue => {
    const value = values[next++]
    if (value === undefined) raise(argumentError, 'too few arguments')
    return value
  }
  const named = (name: string, shown: string): RubyValue => {
    if (values.length !== 1) raise(argumentError, 'one hash required')
    const found = hashArgument(values[0]).own(new RubySymbol(name))
    if (found === undefined) raise(keyError, `key${shown} not found`)
    return found
  }
  return template.replace(
    directive,
    (
      whole,
      before?: string,
      position?: string,
      angle?: string,
      brace?: string,
      inBrace?: string,
      after?: string,
      width?: string,
      precision?: string,
      type?: string,
    ) => {
      if (whole === '%%') return '%'
      if (whole === '%') raise(argumentError, 'incomplete format specifier; use %% (double %) instead')
      const spec: Directive = {
        flags: `${before ?? ''}${after ?? ''}`,
        width: width === '*' ? Number(take()) : Number(width ?? 0),
        precision:
          precision === '*'
            ? Number(take())
            : whole.includes('.') && type !== undefined
              ? Number(precision ?? 0)
              : undefined,
      }
      if (spec.width < 0) {
        spec.flags += '-'
        spec.width = -spec.width
      }
      if (spec.width > maxWidth || (spec.precision ?? 0) > maxWidth) raise(argumentError, 'width too big')
      if (brace !== undefined) {
        return pad(toText(named(inBrace ?? '', `{${inBrace}}`)), spec) + (type ?? '')
      }
      if (type === undefined) raise(argumentError, `malformed format string - ${whole.slice(0, 2)}`)
      const value =
        angle !== undefined
          ? named(angle, `<${angle}>`)
          : position !== undefined
            ? (values[Number(position) - 1] ?? raise(argumentError, 'too few arguments'))
            : take()
      return render(type, value, spec)
    },
  )
}

function render(type: string, value: RubyValue, spec: Directive): string {
  switch (type) {
    case 'd':
    case 'i':
    case 'u':
      return integerText(integerOf(value), 10, '', spec)
    case 'x':
    case 'X': {
      const text = integerText(integerOf(value), 16, '0x', spec)
      return type === 'X' ? text.toUpperCase() : text
    }
    case 'o':
      return integerText(integerOf(value), 8, '0', spec)
    case 'b':
    case 'B':
      return integerText(integerOf(value), 2, type === 'b' ? '0b' : '0B', spec)
    case 'f':
      return isInteger(value) ? wholeFloat(value, spec) : floatText(value, spec, decimal)
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a': {
      const text = floatText(value, spec, type === 'e' || type === 'E' ? exponential : general)
      return type < 'a' ? text.toUpperCase() : text
    }
    case 's':
      return pad(cut(toText(value), spec), spec)
    case 'p':
      return pad(cut(inspect(value), spec), spec)
    case 'c':
      return pad(
        isInteger(value) ? String.fromCodePoint(Number(value)) : (Array.from(toText(value))[0] ?? ''),
        spec,
      )
    default:
      return raise(argumentError, `malformed format string - %${type}`)
  }
}

function cut(text: string, { precision }: Directive): string {
  return precision === undefined ? text : Array.from(text).slice(0, precision).join('')
}

function pad(text: string, { flags, width }: Directive): string {
  const missing = width - charLength(text)
  if (missing <= 0) return text
  return flags.includes('-') ? text + ' '.repeat(missing) : ' '.repeat(missing) + text
}

function integerOf(value: RubyValue): RubyInteger {
  if (isInteger(value)) return value
  if (isNumber(value)) return wholeOf(toDouble(value), Math.floor)
  if (isText(value)) return readInteger(textOf(value)) ?? invalidNumber('Integer', textOf(value))
  if (value === null) raise(typeError, "can't convert nil into Integer")
  return raise(typeError, `can't convert ${coercionName(value)} into Integer`)
}

/** Negative numbers in other bases are shown as `..f` unless a sign was asked for. */
function integerText(value: RubyInteger, base: number, prefix: string, spec: Directive): string {
  const negative = value < 0
  const { flags, precision } = spec
  const signed = flags.includes('+') || flags.includes(' ')
  let digits: string
  let complement = false
  if (negative && base !== 10 && !signed) {
    complement = true
    digits = twosComplement(BigInt(value), base)
  } else {
    digits = BigInt(negative ? -BigInt(value) : value).toString(base)
  }
  if (precision !== undefined)
    digits = digits.padStart(precision, complement ? (base - 1).toString(base) : '0')
  const shownPrefix = flags.includes('#') && Number(value) !== 0 ? prefix : ''
  const sign = complement ? '' : negative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  const dots = complement && precision === undefined ? '..' : ''
  if (flags.includes('0') && !flags.includes('-') && precision === undefined && !complement) {
    return sign + shownPrefix + digits.padStart(spec.width - sign.length - shownPrefix.length, '0')
  }
  return pad(sign + shownPrefix + dots + digits, spec)
}

/** The digits behind the endless leading ones: as few as tell the number apart. */
function twosComplement(value: bigint, base: number): string {
  let size = 0
  let limit = 1n
  while (limit < -value) {
    limit *= BigInt(base)
    size++
  }
  const digits = size === 0 ? '' : (limit + value).toString(base).padStart(size, '0')
  return (base - 1).toString(base) + digits
}

function floatText(
  value: RubyValue,
  spec: Directive,
  write: (value: number, digits: number, spec: Directive) => string,
): string {
  const number = doubleOf(value)
  const { flags } = spec
  const negative = number < 0 || Object.is(number, -0)
  const sign = negative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  if (!Number.isFinite(number)) return pad(sign + (Number.isNaN(number) ? 'NaN' : 'Inf'), spec)
  const digits = write(Math.abs(number), spec.precision ?? 6, spec)
  if (flags.includes('0') && !flags.includes('-'))
    return sign + digits.padStart(spec.width - sign.length, '0')
  return pad(sign + digits, spec)
}

/** An integer is shown with all its digits, however many they are. */
function wholeFloat(value: RubyInteger, spec: Directive): string {
  const { flags, precision = 6 } = spec
  const sign = value < 0 ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  const digits = String(value).replace('-', '') + (precision > 0 ? `.${'0'.repeat(precision)}` : '')
  if (flags.includes('0') && !flags.includes('-'))
    return sign + digits.padStart(spec.width - sign.length, '0')
  return pad(sign + digits, spec)
}

function doubleOf(value: RubyValue): number {
  if (isNumber(value)) return toDouble(value)
  if (isText(value))
    return toDouble((readFloat(textOf(value)) ?? invalidNumber('Float', textOf(value))) as number | LsFloat)
  if (value === null) raise(typeError, "can't convert nil into Float")
  return raise(typeError, `can't convert ${coercionName(value)} into Float`)
}

interface Digits {
  readonly text: string
  /** Digits before the decimal point; negative for zeros behind it. */
  readonly point: number
}

/** JRuby rounds the shortest digits that tell the float apart, not its exact value. */
function shortestDigits(value: number): Digits {
  const [mantissa = '', exponent = ''] = value.toExponential().split('e')
  return { text: mantissa.replace('.', ''), point: Number(exponent) + 1 }
}

/** The first `kept` digits, rounded; one more where rounding carries that far. */
function rounded({ text, point }: Digits, kept: number, tie: 'even' | 'down'): Digits {
  const next = kept < 0 ? undefined : text[kept]
  const cut = kept <= 0 ? '' : text.slice(0, kept).padEnd(kept, '0')
  const isTie = next === '5' && kept === text.length - 1
  const tieUp = tie === 'even' && (kept === 0 || Number(cut.slice(-1)) % 2 === 1)
  if (next === undefined || next < '5' || (isTie && !tieUp)) return { text: cut, point }
  const up = (BigInt(cut === '' ? '0' : cut) + 1n).toString().padStart(kept, '0')
  return { text: up, point: point + up.length - Math.max(kept, 0) }
}

/** `%f`: a tie goes to the even digit, or up where there is none. */
function decimal(value: number, digits: number): string {
  const shortest = shortestDigits(value)
  const { text, point } = rounded(shortest, shortest.point + digits, 'even')
  return placed(text.padStart(text.length - Math.min(0, point - 1), '0'), Math.max(point, 1), digits)
}

/** The digits with the point behind `whole` of them, and `decimals` behind the point. */
function placed(text: string, whole: number, decimals: number): string {
  const filled = text.padEnd(whole + decimals, '0')
  return decimals === 0
    ? filled.slice(0, whole)
    : `${filled.slice(0, whole)}.${filled.slice(whole, whole + decimals)}`
}

/** `%e`: a tie is cut off. */
function exponential(value: number, digits: number): string {
  const { text, point } = rounded(shortestDigits(value), digits + 1, 'down')
  const exponent = value === 0 ? 0 : point - 1
  return `${placed(text, 1, digits)}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

function general(value: number, digits: number, { flags }: Directive): string {
  const precision = digits === 0 ? 1 : digits
  if (value === 0) return '0'
  const shortest = shortestDigits(value)
  const { text, point } = rounded(shortest, precision, 'down')
  const exponent = point - 1
  const shown =
    exponent < -4 || exponent >= precision
      ? exponential(value, precision - 1)
      : placed(
          text.padStart(text.length - Math.min(0, exponent), '0'),
          Math.max(point, 1),
          precision - 1 - exponent,
        )
  // Zeros that rounding has left stay in JRuby.
  const isFixed = !shown.includes('e')
  if (flags.includes('#') || !shown.includes('.') || (isFixed && shortest.text.length > precision))
    return shown
  return shown.replace(/\.?0+(?=e|$)/, '')
}
