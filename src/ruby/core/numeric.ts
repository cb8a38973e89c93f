/**
 * Integer and Float methods, Comparable, and Math.
 */

import { float, integer } from '../../event/value.ts'
import { rubyFloat } from '../../text/ruby-float.ts'
import { takeOptions } from '../arguments.ts'
import { textOfBytes } from '../bytes.ts'
import { compare, equal, identical, notComparable, order } from '../compare.ts'
import { argumentError, raise, rangeError, typeError, zeroDivisionError } from '../errors.ts'
import {
  add,
  arithmetic,
  coercionName,
  divide,
  doubleOf,
  indexOf,
  isFloat,
  isInteger,
  isNumber,
  modulo,
  multiply,
  type Operator,
  type RubyInteger,
  type RubyNumber,
  subtract,
  toDouble,
  wholeOf,
} from '../number.ts'
import type { Proc } from '../proc.ts'
import {
  comparable,
  defineMethods,
  defineStatics,
  floatClass,
  integerClass,
  newClass,
  newModule,
  numericClass,
  type RubyValue,
} from '../ruby-class.ts'
import { tick } from '../runtime.ts'
import { RubyRange } from '../values.ts'
import { Enumerator } from './items.ts'
import { type Rounding, roundNumber } from './rounding.ts'

function compared(self: RubyValue, other: RubyValue): number {
  const result = compare(self, other)
  if (result === undefined) notComparable(self, other)
  return result
}

function clamp(self: RubyValue, args: RubyValue[]): RubyValue {
  const [low = null, high = null] =
    args[0] instanceof RubyRange ? [args[0].first, args[0].last] : [args[0] ?? null, args[1] ?? null]
  if (low !== null && high !== null && order(low, high) > 0)
    raise(argumentError, 'min argument must be smaller than max argument')
  if (low !== null && compared(self, low) < 0) return low
  return high !== null && compared(self, high) > 0 ? high : self
}

defineMethods<RubyValue>(comparable, {
  '< 1': (self, [other]) => compared(self, other!) < 0,
  '<= 1': (self, [other]) => compared(self, other!) <= 0,
  '> 1': (self, [other]) => compared(self, other!) > 0,
  '>= 1': (self, [other]) => compared(self, other!) >= 0,
  'between? 2': (self, [low, high]) => compared(self, low!) >= 0 && compared(self, high!) <= 0,
  'clamp 1-2': (self, args) => clamp(self, args),
})

/** Bitwise operators work on integers of any size. */
function bits(operator: '&' | '|' | '^' | '<<' | '>>', a: RubyInteger, b: RubyValue): RubyValue {
  if (!isInteger(b)) {
    if (isFloat(b) && (operator === '<<' || operator === '>>')) return bits(operator, a, wholeOf(toDouble(b)))
    raise(typeError, `${coercionName(b)} can't be coerced into Integer`)
  }
  const x = BigInt(a)
  const y = BigInt(b)
  switch (operator) {
    case '&':
      return integer(x & y)
    case '|':
      return integer(x | y)
    case '^':
      return integer(x ^ y)
    case '>>':
      return bits('<<', a, integer(-y))
    default:
      if (y > 4_000_000n) raise(rangeError, 'shift width too big')
      return integer(y >= 0n ? x << y : x >> -y)
  }
}

/** Truncates towards zero; `remainder` has the sign of the receiver. */
function remainder(a: RubyNumber, b: RubyValue): RubyValue {
  const rest = modulo(a, b)
  if (isNumber(rest) && isNumber(b) && toDouble(rest) !== 0 && toDouble(a) < 0 !== toDouble(b) < 0)
    return subtract(rest, b)
  return rest
}

function floorDivide(a: RubyNumber, b: RubyValue): RubyValue {
  if (isNumber(b) && toDouble(b) === 0) raise(zeroDivisionError, 'divided by 0')
  const quotient = divide(a, b)
  return isInteger(quotient) ? quotient : wholeOf(doubleOf(quotient), Math.floor)
}

function divmod(a: RubyNumber, b: RubyValue): RubyValue {
  return [floorDivide(a, b), modulo(a, b)]
}

function integerText(value: RubyInteger, base: number): string {
  if (base < 2 || base > 36) raise(argumentError, `invalid radix ${base}`)
  return value.toString(base)
}

function stepLoop(self: RubyNumber, args: RubyValue[], block: Proc | null): RubyValue {
  const given = [...args]
  const options = takeOptions(given)
  const limit = given[0] ?? options.get('to') ?? null
  const by = given[1] ?? options.get('by') ?? 1
  if (!isNumber(by)) raise(argumentError, 'step must be numeric')
  if (toDouble(by) === 0) raise(argumentError, "step can't be 0")
  if (block === null) return new Enumerator(self, 'step', args)
  for (const value of steps(self, limit, by, false)) {
    tick()
    block.one(value)
  }
  return self
}

/** Floats are counted in steps, so that errors do not add up. */
export function* steps(
  first: RubyNumber,
  last: RubyValue,
  by: RubyNumber,
  excludesEnd: boolean,
): Generator<RubyValue> {
  const up = toDouble(by) > 0
  if (isFloat(first) || isFloat(last) || isFloat(by)) {
    const [start, step] = [toDouble(first), toDouble(by)]
    const end = last === null ? (up ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY) : doubleOf(last)
    const span = (end - start) / step
    const slack =
      ((Math.abs(start) + Math.abs(end) + Math.abs(end - start)) / Math.abs(step)) * Number.EPSILON
    const count = Math.floor(span + Math.min(slack, 0.5)) + (excludesEnd && Number.isInteger(span) ? 0 : 1)
    for (let i = 0; i < count; i++) {
      const value = i * step + start
      yield float(!excludesEnd && (up ? value > end : value < end) ? end : value)
    }
    return
  }
  for (let value: RubyValue = first; ; value = add(value, by)) {
    if (last !== null) {
      const at = order(value, last)
      if (up ? at > 0 : at < 0) return
      if (excludesEnd && at === 0) return
    }
    yield value
  }
}

const binary =
  (operator: Operator) =>
  (self: RubyValue, [other]: RubyValue[]) =>
    arithmetic(operator, self, other!)

defineMethods<RubyNumber>(numericClass, {
  '+ 1': (self, [other]) => add(self, other!),
  '- 1': (self, [other]) => subtract(self, other!),
  '* 1': (self, [other]) => multiply(self, other!),
  '/ 1': (self, [other]) => divide(self, other!),
  '%,modulo 1': (self, [other]) => modulo(self, other!),
  '**,pow 1': binary('**') as (self: RubyNumber, args: RubyValue[]) => RubyValue,
  'div 1': (self, [other]) => floorDivide(self, other!),
  'fdiv 1': (self, [other]) => float(toDouble(self) / doubleOf(other)),
  'quo 1': (self, [other]) => float(toDouble(self) / doubleOf(other)),
  'divmod 1': (self, [other]) => divmod(self, other!),
  'remainder 1': (self, [other]) => remainder(self, other!),
  '-@': (self) =>
    typeof self === 'number' && Number.isInteger(self) ? -self + 0 : arithmetic('*', self, -1),
  '+@': (self) => self,
  '==,=== 1': (self, [other]) => equal(self, other!),
  'eql? 1': (self, [other]) => identical(self, other!),
  '<=> 1': (self, [other]) => compare(self, other!) ?? null,
  'coerce 1': (self, [other]) => [float(doubleOf(other)), float(toDouble(self))],
  'abs,magnitude': (self) =>
    toDouble(self) < 0 || Object.is(toDouble(self), -0) ? arithmetic('*', self, -1) : self,
  'zero?': (self) => toDouble(self) === 0,
  'nonzero?': (self) => (toDouble(self) === 0 ? null : self),
  'positive?': (self) => toDouble(self) > 0,
  'negative?': (self) => toDouble(self) < 0,
  'integer?': (self) => isInteger(self),
  'finite?': (self) => Number.isFinite(toDouble(self)) || typeof self === 'bigint',
  'infinite?': (self) =>
    isInteger(self) || Number.isFinite(toDouble(self)) || Number.isNaN(toDouble(self))
      ? null
      : toDouble(self) > 0
        ? 1
        : -1,
  'real?': () => true,
  to_int: (self) => (isInteger(self) ? self : wholeOf(toDouble(self))),
  to_i: (self) => (isInteger(self) ? self : wholeOf(toDouble(self))),
  to_f: (self) => (isFloat(self) ? self : float(toDouble(self))),
  ...(Object.fromEntries(
    (['round', 'floor', 'ceil', 'truncate'] as Rounding[]).map((how) => [
      `${how} *`,
      (self: RubyNumber, args: RubyValue[]) => roundNumber(how, self, [...args]),
    ]),
  ) as Record<string, (self: RubyNumber, args: RubyValue[]) => RubyValue>),
  'step *': stepLoop,
  'dup,clone,freeze,itself *': (self) => self,
  'frozen?': () => true,
  hash: (self) => self,
})

function countLoop(
  self: RubyInteger,
  last: RubyValue,
  by: 1 | -1,
  name: string,
  block: Proc | null,
): RubyValue {
  if (block === null) return new Enumerator(self, name, [last])
  for (const value of steps(self, last, by, false)) {
    tick()
    block.one(value)
  }
  return self
}

/** Greatest common divisor. */
function gcd(a: RubyInteger, b: RubyInteger): RubyInteger {
  let x = BigInt(a)
  let y = BigInt(b)
  while (y !== 0n) [x, y] = [y, x % y]
  return integer(x < 0n ? -x : x)
}

function bitLength(value: RubyInteger): number {
  const big = BigInt(value)
  return big === 0n || big === -1n ? 0 : (big < 0n ? -big - 1n : big).toString(2).length
}

function integerRoot(value: RubyInteger): RubyInteger {
  if (value < 0) raise(argumentError, 'Numerical argument is out of domain - "isqrt"')
  let root = BigInt(Math.floor(Math.sqrt(Number(value))))
  const big = BigInt(value)
  while (root * root > big) root--
  while ((root + 1n) * (root + 1n) <= big) root++
  return integer(root)
}

defineStatics(integerClass, { 'sqrt 1': (_, [value]) => integerRoot(value as RubyInteger) })

/** One bit, `count` bits from a place on, or those of a range. */
function bitsOf(self: RubyInteger, place: RubyValue, count: RubyValue | undefined): RubyValue {
  const value = BigInt(self)
  if (place instanceof RubyRange) {
    const from = place.first === null ? 0 : indexOf(place.first)
    const shifted = value >> BigInt(from)
    if (place.last === null) return integer(shifted)
    const size = indexOf(place.last) - from + (place.excludesEnd ? 0 : 1)
    return integer(size < 0 ? shifted : shifted & ((1n << BigInt(size)) - 1n))
  }
  const shifted = value >> BigInt(indexOf(place))
  return integer(count === undefined ? shifted & 1n : shifted & ((1n << BigInt(indexOf(count))) - 1n))
}

defineMethods<RubyInteger>(integerClass, {
  'to_s,inspect 0-1': (self, [base = 10]) => integerText(self, indexOf(base)),
  '& 1': (self, [other]) => bits('&', self, other!),
  '| 1': (self, [other]) => bits('|', self, other!),
  '^ 1': (self, [other]) => bits('^', self, other!),
  '<< 1': (self, [other]) => bits('<<', self, other!),
  '>> 1': (self, [other]) => bits('>>', self, other!),
  '~': (self) => integer(~BigInt(self)),
  '[] 1-2': (self, [place, count]) => bitsOf(self, place!, count),
  times: (self, _, block) => {
    if (block === null) return new Enumerator(self, 'times')
    for (let i = 0; i < self; i++) {
      tick()
      block.one(i)
    }
    return self
  },
  'upto 1': (self, [last], block) => countLoop(self, last!, 1, 'upto', block),
  'downto 1': (self, [last], block) => countLoop(self, last!, -1, 'downto', block),
  'succ,next': (self) => add(self, 1),
  pred: (self) => subtract(self, 1),
  'even?': (self) => BigInt(self) % 2n === 0n,
  'odd?': (self) => BigInt(self) % 2n !== 0n,
  'chr 0-1': (self, [encoding]) => {
    if (self < 0 || self > 0x10ffff || (encoding === undefined && self > 255))
      raise(rangeError, `${self} out of char range`)
    // Without an encoding it is a byte.
    return encoding === undefined
      ? textOfBytes(Uint8Array.of(Number(self)))
      : String.fromCodePoint(Number(self))
  },
  ord: (self) => self,
  'digits 0-1': (self, [base = 10]) => {
    if (self < 0) raise(argumentError, 'out of domain')
    const digits: RubyValue[] = []
    for (let rest = BigInt(self); rest > 0n || digits.length === 0; rest /= BigInt(indexOf(base))) {
      digits.push(Number(rest % BigInt(indexOf(base))))
    }
    return digits
  },
  'gcd 1': (self, [other]) => gcd(self, other as RubyInteger),
  'lcm 1': (self, [other]) => {
    const divisor = gcd(self, other as RubyInteger)
    if (Number(divisor) === 0) return 0
    const product = (BigInt(self) * BigInt(other as RubyInteger)) / BigInt(divisor)
    return integer(product < 0n ? -product : product)
  },
  bit_length: (self) => bitLength(self),
  size: () => 8,
  'pow 1-2': (self, [exponent, modulus]) => {
    if (modulus === undefined) return arithmetic('**', self, exponent!)
    let result = 1n
    let base = BigInt(self)
    const by = BigInt(modulus as RubyInteger)
    for (let rest = BigInt(exponent as RubyInteger); rest > 0n; rest >>= 1n) {
      if (rest & 1n) result = (result * base) % by
      base = (base * base) % by
    }
    return integer(((result % by) + by) % by)
  },
  'allbits? 1': (self, [mask]) =>
    (BigInt(self) & BigInt(mask as RubyInteger)) === BigInt(mask as RubyInteger),
  'anybits? 1': (self, [mask]) => (BigInt(self) & BigInt(mask as RubyInteger)) !== 0n,
  'nobits? 1': (self, [mask]) => (BigInt(self) & BigInt(mask as RubyInteger)) === 0n,
})

defineMethods<RubyNumber>(floatClass, {
  'to_s,inspect': (self) => rubyFloat(toDouble(self)),
  'nan?': (self) => Number.isNaN(toDouble(self)),
  next_float: (self) => nextFloat(toDouble(self), 1),
  prev_float: (self) => nextFloat(toDouble(self), -1),
})

function nextFloat(value: number, direction: 1 | -1): RubyValue {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const towards = value > 0 === direction > 0 ? 1n : -1n
  view.setBigInt64(0, view.getBigInt64(0) + towards)
  return float(view.getFloat64(0))
}

for (const [name, value] of [
  ['INFINITY', Number.POSITIVE_INFINITY],
  ['NAN', Number.NaN],
  ['EPSILON', Number.EPSILON],
  ['MAX', Number.MAX_VALUE],
  ['MIN', 2.2250738585072014e-308],
] as const) {
  floatClass.constants.set(name, float(value))
}
floatClass.constants.set('DIG', 15)

const math = newModule('Math')
const domainError = newClass('DomainError', argumentError, math)
math.constants.set('PI', Math.PI)
math.constants.set('E', Math.E)

function inDomain(name: string, ok: boolean): void {
  if (!ok) raise(domainError, `Numerical argument is out of domain - "${name}"`)
}

const plain = [
  'sin',
  'cos',
  'tan',
  'atan',
  'exp',
  'sinh',
  'cosh',
  'tanh',
  'asinh',
  'cbrt',
  'asin',
  'acos',
] as const
defineStatics(math, {
  ...Object.fromEntries(
    plain.map((name) => [`${name} 1`, (_: RubyValue, [x]: RubyValue[]) => float(Math[name](doubleOf(x)))]),
  ),
  'sqrt 1': (_, [x]) => {
    inDomain('sqrt', !(doubleOf(x) < 0))
    return float(Math.sqrt(doubleOf(x)))
  },
  'log 1-2': (_, [x, base]) => {
    inDomain('log', !(doubleOf(x) < 0))
    return float(
      base === undefined ? Math.log(doubleOf(x)) : Math.log(doubleOf(x)) / Math.log(doubleOf(base)),
    )
  },
  'log2 1': (_, [x]) => {
    inDomain('log2', !(doubleOf(x) < 0))
    return float(Math.log2(doubleOf(x)))
  },
  'log10 1': (_, [x]) => {
    inDomain('log10', !(doubleOf(x) < 0))
    return float(Math.log10(doubleOf(x)))
  },
  'pow 2': (_, [x, y]) => float(doubleOf(x) ** doubleOf(y)),
  'hypot 2': (_, [x, y]) => float(Math.hypot(doubleOf(x), doubleOf(y))),
  'atan2 2': (_, [y, x]) => float(Math.atan2(doubleOf(y), doubleOf(x))),
})
