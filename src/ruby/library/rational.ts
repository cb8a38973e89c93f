/** Rational: exact fractions, with the arithmetic and the texts of Ruby. */
import { float, integer } from '../../event/value.ts'
import { functions } from '../core/kernel.ts'
import { argumentError, raise, typeError, zeroDivisionError } from '../errors.ts'
import {
  coercionName,
  indexOf,
  isFloat,
  isInteger,
  type RubyInteger,
  rationals,
  toDouble,
} from '../number.ts'
import { defineMethods, integerClass, newClass, numericClass, type RubyValue } from '../ruby-class.ts'
import { Instance, isText, textOf } from '../values.ts'

interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

type Rational = Instance<Fraction>

const rationalClass = newClass('Rational', numericClass)

function divisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

function rational(numerator: bigint, denominator: bigint): Rational {
  if (denominator === 0n) raise(zeroDivisionError, 'divided by 0')
  const sign = denominator < 0n ? -1n : 1n
  const common = divisor(numerator, denominator * sign) || 1n
  return new Instance(rationalClass, {
    numerator: (numerator * sign) / common,
    denominator: (denominator * sign) / common,
  })
}

const isRational = (value: RubyValue | undefined): value is Rational =>
  value instanceof Instance && value.rubyClass === rationalClass

const fractionText = /^\s*([+-]?\d+)(?:\.(\d+))?(?:\/(\d+))?\s*$/

function fromText(text: string): Rational {
  const match = fractionText.exec(text)
  if (match === null) raise(argumentError, `invalid value for convert(): "${text}"`)
  const [, whole = '', part = '', below = '1'] = match
  return rational(BigInt(whole + part), 10n ** BigInt(part.length) * BigInt(below))
}

/** The fraction a double is exactly. */
function fromDouble(value: number): Rational {
  let below = 1n
  let number = value
  while (!Number.isInteger(number)) {
    number *= 2
    below *= 2n
  }
  return rational(BigInt(number), below)
}

function rationalOf(value: RubyValue | undefined): Rational {
  if (isRational(value)) return value
  if (isInteger(value)) return rational(BigInt(value), 1n)
  if (isFloat(value)) return fromDouble(toDouble(value))
  if (isText(value)) return fromText(textOf(value))
  return raise(typeError, `can't convert ${coercionName(value ?? null)} into Rational`)
}

const divide = (a: Rational, b: Rational): Rational =>
  rational(a.state.numerator * b.state.denominator, a.state.denominator * b.state.numerator)

rationals.of = (above, below) => divide(rationalOf(above), rationalOf(below))

functions.set('Rational', {
  min: 1,
  max: 2,
  call: (_, [above, below]) =>
    below === undefined ? rationalOf(above) : divide(rationalOf(above), rationalOf(below)),
})

const doubleOf = ({ state }: Rational): number => Number(state.numerator) / Number(state.denominator)

function floorOf({ state }: Rational): bigint {
  const { numerator, denominator } = state
  const quotient = numerator / denominator
  return numerator < 0n && quotient * denominator !== numerator ? quotient - 1n : quotient
}

/** Halves away from zero. */
function roundOf({ state }: Rational): bigint {
  const { numerator, denominator } = state
  const size = ((numerator < 0n ? -numerator : numerator) * 2n + denominator) / (denominator * 2n)
  return numerator < 0n ? -size : size
}

function rounded(
  self: Rational,
  digits: RubyValue | undefined,
  round: (value: Rational) => bigint,
): RubyValue {
  const places = digits === undefined ? 0 : indexOf(digits)
  if (digits === undefined || places === 0) return integer(round(self))
  const scale = 10n ** BigInt(Math.abs(places))
  const { numerator, denominator } = self.state
  if (places < 0) return integer(round(rational(numerator, denominator * scale)) * scale)
  return rational(round(rational(numerator * scale, denominator)), scale)
}

type Combine = (a: Fraction, b: Fraction) => Rational

/** With a float the result is a float. */
function operate(
  self: Rational,
  other: RubyValue,
  exact: Combine,
  inexact: (a: number, b: number) => number,
): RubyValue {
  if (isFloat(other)) return float(inexact(doubleOf(self), toDouble(other)))
  return exact(self.state, rationalOf(other).state)
}

function power(self: Rational, exponent: RubyValue): RubyValue {
  if (isFloat(exponent)) return float(doubleOf(self) ** toDouble(exponent))
  if (!isInteger(exponent)) return raise(typeError, `can't convert ${coercionName(exponent)} into Rational`)
  const { numerator, denominator } = self.state
  const times = BigInt(exponent)
  return times < 0n
    ? rational(denominator ** -times, numerator ** -times)
    : rational(numerator ** times, denominator ** times)
}

defineMethods<Rational>(rationalClass, {
  '+ 1': (self, [other]) =>
    operate(
      self,
      other!,
      (a, b) =>
        rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator),
      (a, b) => a + b,
    ),
  '- 1': (self, [other]) =>
    operate(
      self,
      other!,
      (a, b) =>
        rational(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator),
      (a, b) => a - b,
    ),
  '* 1': (self, [other]) =>
    operate(
      self,
      other!,
      (a, b) => rational(a.numerator * b.numerator, a.denominator * b.denominator),
      (a, b) => a * b,
    ),
  '/,quo 1': (self, [other]) =>
    operate(
      self,
      other!,
      (a, b) => rational(a.numerator * b.denominator, a.denominator * b.numerator),
      (a, b) => a / b,
    ),
  '** 1': (self, [other]) => power(self, other!),
  '-@': (self) => rational(-self.state.numerator, self.state.denominator),
  '<=> 1': (self, [other]) => {
    if (!isInteger(other) && !isFloat(other) && !isRational(other)) return null
    const [a, b] = [self.state, rationalOf(other).state]
    const left = a.numerator * b.denominator
    const right = b.numerator * a.denominator
    return left < right ? -1 : left > right ? 1 : 0
  },
  '== 1': (self, [other]) => {
    if (isFloat(other)) return doubleOf(self) === toDouble(other)
    if (!isInteger(other) && !isRational(other)) return false
    const { numerator, denominator } = rationalOf(other).state
    return numerator === self.state.numerator && denominator === self.state.denominator
  },
  'coerce 1': (self, [other]) =>
    isFloat(other) ? [other, float(doubleOf(self))] : [rationalOf(other), self],
  numerator: (self) => integer(self.state.numerator),
  denominator: (self) => integer(self.state.denominator),
  'to_r,rationalize *': (self) => self,
  to_f: (self) => float(doubleOf(self)),
  'to_i,truncate': (self) => integer(self.state.numerator / self.state.denominator),
  'floor 0-1': (self, [digits]) => rounded(self, digits, floorOf),
  'ceil 0-1': (self, [digits]) =>
    rounded(self, digits, ({ state }) => -floorOf(rational(-state.numerator, state.denominator))),
  'round 0-2': (self, [digits]) => rounded(self, isInteger(digits) ? digits : undefined, roundOf),
  'abs,magnitude': (self) =>
    self.state.numerator < 0n ? rational(-self.state.numerator, self.state.denominator) : self,
  'zero?': (self) => self.state.numerator === 0n,
  'positive?': (self) => self.state.numerator > 0n,
  'negative?': (self) => self.state.numerator < 0n,
  to_s: ({ state }) => `${state.numerator}/${state.denominator}`,
  inspect: ({ state }) => `(${state.numerator}/${state.denominator})`,
})

defineMethods<RubyInteger>(integerClass, {
  'to_r,rationalize 0-1': (self) => rational(BigInt(self), 1n),
  numerator: (self) => self,
  denominator: () => 1,
})
