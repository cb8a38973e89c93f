/**
 * The numeric types: which values they accept from documents and requests, and their error texts. Values are
 * numbers, or bigints where a double would not be exact.
 */
import { illegalArgument, numberFormat } from '../../request/errors.ts'
import { javaDouble } from '../../request/java-text.ts'
import { JsonNumber } from '../../request/json-literals.ts'
import { plainText } from '../../request/plain-text.ts'
import { SearchError } from '../../request/search-error.ts'
import {
  nextDown,
  nextFloatDown,
  nextFloatUp,
  nextHalfDown,
  nextHalfUp,
  nextUp,
  toHalf,
} from './next-float.ts'

export type Exact = number | bigint

export interface NumberKind {
  readonly name: string
  readonly isInteger: boolean
  /** True for floats of 32 bits and fewer. */
  readonly isFloat: boolean
  /** `an integer` in texts about ranges; empty for floats. */
  readonly article: string
  readonly min: bigint
  readonly max: bigint
  /** Parses a value of a document. Throws SearchError. Numbers beyond 2^53 come as JsonNumber. */
  fromJson(value: unknown, coerce: boolean): Exact
  /** Parses a value of a request, not yet rounded to the type; integers out of range are returned as they are. */
  fromRequest(value: unknown): Exact
  /** Rounds to the nearest value of the type. */
  round(value: number): number
  next(value: number): number
  previous(value: number): number
}

const javaNumber = /^[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|NaN|Infinity)[fFdD]?$/

/** `Double.parseDouble` of Java. */
export function parseJavaDouble(text: string): number {
  const trimmed = text.trim()
  if (!javaNumber.test(trimmed)) throw malformedNumber(trimmed === '' ? '' : text)
  return Number(trimmed.replace(/[fFdD]$/, ''))
}

/** Java gives a text with two decimal points before anything else a message of its own. */
function malformedNumber(text: string): SearchError {
  if (/^\s*[+-]?\d*\.\d*\./.test(text)) return new SearchError('number_format_exception', 'multiple points')
  return numberFormat(text)
}

const decimal = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?$/

/**
 * Returns the integer part of a decimal text exactly, and whether there is a fraction; undefined when it is no
 * number.
 */
function integerPart(text: string): { whole: bigint; hasFraction: boolean } | undefined {
  const match = decimal.exec(text.trim())
  if (match === null || (match[2] === '' && (match[3] ?? '') === '')) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const shift = Number(exponent)
  const digits = whole + fraction
  const point = whole.length + shift
  // Longer numbers are out of every range; expanding their zeros would only cost memory.
  const kept =
    point > 400 ? '9'.repeat(30) : digits.slice(0, Math.max(point, 0)).padEnd(Math.max(point, 0), '0')
  const isZero = /^0*$/.test(digits)
  const magnitude = isZero ? 0n : BigInt(kept === '' ? '0' : kept)
  const hasFraction = !isZero && /[1-9]/.test(digits.slice(Math.max(point, 0)))
  return { whole: sign === '-' ? -magnitude : magnitude, hasFraction }
}

function exact(value: bigint): Exact {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value
}

/** Names a JSON token as Jackson does. */
export function tokenName(value: unknown): string {
  if (value === true) return 'VALUE_TRUE'
  if (value === false) return 'VALUE_FALSE'
  if (value === null) return 'VALUE_NULL'
  if (typeof value === 'string') return 'VALUE_STRING'
  if (typeof value === 'number') return Number.isInteger(value) ? 'VALUE_NUMBER_INT' : 'VALUE_NUMBER_FLOAT'
  if (value instanceof JsonNumber) return value.isInteger ? 'VALUE_NUMBER_INT' : 'VALUE_NUMBER_FLOAT'
  return Array.isArray(value) ? 'START_ARRAY' : 'START_OBJECT'
}

function notNumeric(value: unknown): SearchError {
  const reason = `Current token (${tokenName(value)}) not numeric, cannot use numeric value accessors`
  return new SearchError('input_coercion_exception', reason)
}

interface IntegerTexts {
  /** `Integer` in texts about coercion. */
  readonly javaName: string
  /** `an integer` in texts about ranges. */
  readonly article: string
  /** Jackson's error for a JSON number that is too big; undefined when the type's error for texts is used. */
  tooBig?(text: string): SearchError | undefined
  /** Whether texts are parsed exactly, not as doubles. */
  readonly isLong: boolean
}

function integerKind(name: string, bits: number, unsigned: boolean, texts: IntegerTexts): NumberKind {
  const max = unsigned ? (1n << BigInt(bits)) - 1n : (1n << BigInt(bits - 1)) - 1n
  const min = unsigned ? 0n : -(1n << BigInt(bits - 1))
  const low = Number(min)
  const high = Number(max)
  const isExact = bits > 53
  const outOfRange = (text: string) => illegalArgument(`Value [${text}] is out of range for ${texts.article}`)
  const dataLoss = (text: string) =>
    illegalArgument(`${text} cannot be converted to ${texts.javaName} without data loss`)

  function fromText(text: string, coerce: boolean): Exact {
    if (!coerce) throw illegalArgument(`${texts.javaName} value passed as String`)
    if (!texts.isLong) {
      const value = parseJavaDouble(text)
      if (!(value >= low && value <= high)) throw outOfRange(text)
      return Math.trunc(value) || 0
    }
    const parts = integerPart(text)
    if (parts === undefined) throw illegalArgument(`For input string: "${text}"`)
    if (parts.whole < min || parts.whole > max) throw outOfRange(text)
    return exact(parts.whole)
  }

  function fromLiteral(text: string, coerce: boolean): Exact {
    const parts = integerPart(text)
    if (parts === undefined) throw illegalArgument(`For input string: "${text}"`)
    if (parts.hasFraction && !coerce) throw dataLoss(text)
    if (parts.whole < min || parts.whole > max) throw texts.tooBig?.(text) ?? outOfRange(text)
    return exact(parts.whole)
  }

  return {
    name,
    isInteger: true,
    isFloat: false,
    article: texts.article,
    min,
    max,
    fromJson(value, coerce) {
      if (typeof value === 'number') {
        if (
          Number.isInteger(value) &&
          value >= low &&
          value <= high &&
          (!isExact || Number.isSafeInteger(value))
        ) {
          return value
        }
        return fromLiteral(plainText(value), coerce)
      }
      if (typeof value === 'string') return fromText(value, coerce)
      if (value instanceof JsonNumber) return fromLiteral(value.text, coerce)
      throw notNumeric(value)
    },
    fromRequest(value) {
      if (typeof value === 'number') return value
      if (typeof value === 'bigint') return exact(value)
      const text = value instanceof JsonNumber ? value.text : plainText(value)
      const parts = integerPart(text)
      if (parts === undefined) throw malformedNumber(text)
      return parts.hasFraction ? Number(text) : exact(parts.whole)
    },
    round: Math.trunc,
    next: (value) => value + 1,
    previous: (value) => value - 1,
  }
}

interface FloatTexts {
  round(value: number): number
  next(value: number): number
  previous(value: number): number
}

function floatKind(name: string, javaName: string, { round, next, previous }: FloatTexts): NumberKind {
  function finite(value: number, given: number): number {
    if (Number.isFinite(value)) return value
    const shown =
      name === 'half_float' && Number.isFinite(given) ? javaDouble(Math.fround(given)) : plainText(value)
    throw illegalArgument(`[${name}] supports only finite values, but got [${shown}]`)
  }
  return {
    name,
    isInteger: false,
    isFloat: javaName === 'Float',
    article: '',
    min: 0n,
    max: 0n,
    fromJson(value, coerce) {
      if (typeof value === 'number') return finite(round(value), value)
      if (value instanceof JsonNumber) return finite(round(value.value), value.value)
      if (typeof value !== 'string') throw notNumeric(value)
      if (!coerce) throw illegalArgument(`${javaName} value passed as String`)
      const number = parseJavaDouble(value)
      return finite(round(number), number)
    },
    fromRequest(value) {
      if (typeof value === 'number') return finite(value, value)
      if (value instanceof JsonNumber) return finite(value.value, value.value)
      const number = parseJavaDouble(plainText(value))
      return finite(number, number)
    },
    round,
    next,
    previous,
  }
}

function coercion(text: string, type: string, range: string): SearchError {
  return new SearchError(
    'input_coercion_exception',
    `Numeric value (${text}) out of range of \`${type}\` ${range}`,
  )
}

/** Small types are read as an `int` first. */
function tooBigInt(text: string): SearchError | undefined {
  if (Math.abs(Number(text)) <= 2_147_483_647) return undefined
  return coercion(text, 'int', '(-2147483648 - 2147483647)')
}

export const numberKinds: ReadonlyMap<string, NumberKind> = new Map(
  [
    integerKind('long', 64, false, {
      javaName: 'Long',
      article: 'a long',
      isLong: true,
      tooBig: (text) => coercion(text, 'long', '(-9223372036854775808 - 9223372036854775807)'),
    }),
    integerKind('integer', 32, false, {
      javaName: 'Integer',
      article: 'an integer',
      isLong: false,
      tooBig: tooBigInt,
    }),
    integerKind('short', 16, false, {
      javaName: 'Short',
      article: 'a short',
      isLong: false,
      tooBig: (text) => tooBigInt(text) ?? coercion(text, 'short', '(-32768 - 32767)'),
    }),
    integerKind('byte', 8, false, {
      javaName: 'Integer',
      article: 'a byte',
      isLong: false,
      tooBig: tooBigInt,
    }),
    integerKind('unsigned_long', 64, true, { javaName: 'Long', article: 'an unsigned long', isLong: true }),
    floatKind('double', 'Double', { round: (value) => value, next: nextUp, previous: nextDown }),
    floatKind('float', 'Float', { round: Math.fround, next: nextFloatUp, previous: nextFloatDown }),
    floatKind('half_float', 'Float', { round: toHalf, next: nextHalfUp, previous: nextHalfDown }),
  ].map((kind) => [kind.name, kind]),
)
