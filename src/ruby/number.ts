/**
 * Arithmetic of Integer and Float. Integers are exact at any size: a result beyond 2^53-1 becomes a bigint and
 * comes back as a number when it fits again. Integer division and modulo round down, as in Ruby.
 */
import { float, integer, LsFloat } from '../event/value.ts'
import { describing, send } from './dispatch.ts'
import { argumentError, floatDomainError, raise, rangeError, typeError, zeroDivisionError } from './errors.ts'
import { classOf, type RubyValue } from './ruby-class.ts'
import { Instance } from './values.ts'

export type RubyInteger = number | bigint
export type RubyFloat = number | LsFloat
export type RubyNumber = RubyInteger | LsFloat

export function isInteger(value: RubyValue | undefined): value is RubyInteger {
  return typeof value === 'number' ? Number.isInteger(value) : typeof value === 'bigint'
}

export function isFloat(value: RubyValue | undefined): value is RubyFloat {
  return value instanceof LsFloat || (typeof value === 'number' && !Number.isInteger(value))
}

export function isNumber(value: RubyValue | undefined): value is RubyNumber {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof LsFloat
}

/** As a JavaScript number; exactness may be lost. */
export function toDouble(value: RubyNumber): number {
  return typeof value === 'number' ? value : Number(value)
}

/** Longest integer that a program may make, in bits: more is hours of work for one operator. */
const maxBits = 4_000_000n

export type Operator = '+' | '-' | '*' | '/' | '%' | '**'

export function add(a: RubyValue, b: RubyValue): RubyValue {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (Number.isInteger(a) && Number.isInteger(b)) {
      return Number.isSafeInteger(sum) ? sum : integer(BigInt(a) + BigInt(b))
    }
    return float(sum)
  }
  return arithmetic('+', a, b)
}

export function subtract(a: RubyValue, b: RubyValue): RubyValue {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b
    if (Number.isInteger(a) && Number.isInteger(b)) {
      return Number.isSafeInteger(difference) ? difference : integer(BigInt(a) - BigInt(b))
    }
    return float(difference)
  }
  return arithmetic('-', a, b)
}

export function multiply(a: RubyValue, b: RubyValue): RubyValue {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b
    if (Number.isInteger(a) && Number.isInteger(b)) {
      // Plus zero: there is no integer -0.
      return Number.isSafeInteger(product) ? product + 0 : integer(BigInt(a) * BigInt(b))
    }
    return float(product)
  }
  return arithmetic('*', a, b)
}

export function divide(a: RubyValue, b: RubyValue): RubyValue {
  if (typeof a === 'number' && typeof b === 'number') {
    if (Number.isInteger(a) && Number.isInteger(b)) {
      if (b === 0) raise(zeroDivisionError, 'divided by 0')
      return (a - floorModulo(a, b)) / b + 0
    }
    return float(a / b)
  }
  return arithmetic('/', a, b)
}

/** The sign of the result is the sign of the divisor. */
function floorModulo(a: number, b: number): number {
  const rest = a % b
  return (rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest) + 0
}

export function modulo(a: RubyValue, b: RubyValue): RubyValue {
  return arithmetic('%', a, b)
}

export function arithmetic(operator: Operator, a: RubyValue, b: RubyValue): RubyValue {
  if (!isNumber(a) || !isNumber(b)) {
    if (isNumber(a)) return coerced(operator, a, b)
    return send(a, operator, [b])
  }
  if (isInteger(a) && isInteger(b)) return integerArithmetic(operator, a, b)
  return float(floatArithmetic(operator, toDouble(a), toDouble(b)))
}

function coerced(operator: Operator, a: RubyNumber, b: RubyValue): never | RubyValue {
  if (b instanceof Instance && typeof b.state === 'object' && classOf(b).find('coerce') !== undefined) {
    const [left, right] = send(b, 'coerce', [a]) as RubyValue[]
    return send(left!, operator, [right!])
  }
  raise(typeError, `${coercionName(b)} can't be coerced into ${classOf(a).name}`)
}

/** How a value is called where it should have been another kind: `nil`, `true`, `String`. */
export function coercionName(value: RubyValue): string {
  return value === null || typeof value === 'boolean' ? describing.inspect(value) : classOf(value).name
}

function integerArithmetic(operator: Operator, a: RubyInteger, b: RubyInteger): RubyValue {
  if (operator === '**') return power(a, b)
  if ((operator === '/' || operator === '%') && Number(b) === 0) raise(zeroDivisionError, 'divided by 0')
  if (typeof a === 'number' && typeof b === 'number') {
    if (operator === '%') return floorModulo(a, b)
    if (operator === '/') return (a - floorModulo(a, b)) / b + 0
  }
  const x = BigInt(a)
  const y = BigInt(b)
  switch (operator) {
    case '+':
      return integer(x + y)
    case '-':
      return integer(x - y)
    case '*':
      return integer(x * y)
    case '/': {
      const quotient = x / y
      return integer(x % y !== 0n && x < 0n !== y < 0n ? quotient - 1n : quotient)
    }
    default: {
      const rest = x % y
      return integer(rest !== 0n && rest < 0n !== y < 0n ? rest + y : rest)
    }
  }
}

/** Makes a Rational of two integers; set by the library, which builds on this file. */
export const rationals = {
  of: (_above: RubyValue, _below: RubyValue): RubyValue => raise(typeError, 'no Rational here'),
}

function power(a: RubyInteger, b: RubyInteger): RubyValue {
  if (b < 0) return rationals.of(1, power(a, -b))
  const quick = typeof a === 'number' && typeof b === 'number' ? a ** b : Number.POSITIVE_INFINITY
  if (Number.isSafeInteger(quick)) return quick + 0
  const bits = BigInt(BigInt(a).toString(16).length * 4) * BigInt(b)
  if (bits > maxBits) return new LsFloat(Number.POSITIVE_INFINITY)
  return integer(BigInt(a) ** BigInt(b))
}

function floatArithmetic(operator: Operator, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return a / b
    case '**':
      return a ** b
    default: {
      const rest = a % b
      return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest
    }
  }
}

/** A float cut to an integer by `how`; infinite ones have none. */
export function wholeOf(value: number, how: (value: number) => number = Math.trunc): RubyInteger {
  if (Number.isNaN(value)) raise(floatDomainError, 'NaN')
  if (!Number.isFinite(value)) raise(floatDomainError, value > 0 ? 'Infinity' : '-Infinity')
  const whole = how(value)
  return Number.isSafeInteger(whole) ? whole + 0 : integer(BigInt(whole))
}

/** A number an argument gives, as JavaScript index or count. */
export function indexOf(value: RubyValue | undefined): number {
  if (typeof value === 'number') return Math.trunc(value)
  if (value instanceof LsFloat) return Number(wholeOf(value.value))
  if (typeof value === 'bigint') raise(rangeError, `bignum too big to convert into \`long'`)
  const name = value === undefined || value === null ? 'nil' : coercionName(value)
  if (value === undefined || value === null) raise(typeError, 'no implicit conversion from nil to integer')
  raise(typeError, `no implicit conversion of ${name} into Integer`)
}

/** As `indexOf`, for sizes of what will be made. */
export function sizeOf(value: RubyValue | undefined, max = 50_000_000): number {
  const size = indexOf(value)
  if (size > max) raise(argumentError, 'argument too big')
  return size
}

export function doubleOf(value: RubyValue | undefined): number {
  if (isNumber(value)) return toDouble(value)
  if (value === null || value === undefined) raise(typeError, "can't convert nil into Float")
  raise(typeError, `can't convert ${coercionName(value)} into Float`)
}

/** -1, 0, 1; undefined when one of them is not a number. */
export function compareNumbers(a: RubyNumber, b: RubyNumber): -1 | 0 | 1 | undefined {
  const x = a instanceof LsFloat ? a.value : a
  const y = b instanceof LsFloat ? b.value : b
  return x < y ? -1 : x > y ? 1 : x >= y ? 0 : undefined
}
