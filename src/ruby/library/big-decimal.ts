/**
 * BigDecimal: decimal numbers that are exact when added, subtracted and multiplied; a quotient is rounded
 * thirty-five digits behind those of its dividend. Their text is `0.125e1`, or `1.25` when asked for with "F".
 */
import { float, integer } from '../../event/value.ts'
import { functions } from '../core/kernel.ts'
import { argumentError, raise, typeError, zeroDivisionError } from '../errors.ts'
import { eventForms } from '../event-values.ts'
import { coercionName, indexOf, isFloat, isInteger, type RubyNumber, toDouble } from '../number.ts'
import {
  defineMethods,
  floatClass,
  integerClass,
  newClass,
  numericClass,
  type RubyValue,
  stringClass,
} from '../ruby-class.ts'
import { Instance, isText, type MutableString, textOf } from '../values.ts'

/** `digits` × 10^-`scale`, without zeros at the end. */
interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

type BigDecimal = Instance<Decimal>

const decimalClass = newClass('BigDecimal', numericClass)
const maxDigits = 10_000
const extraDigits = 35

function decimal(digits: bigint, scale: number): BigDecimal {
  if (digits === 0n) return new Instance(decimalClass, { digits, scale: 0 })
  let [value, places] = [digits, scale]
  while (value % 10n === 0n) {
    value /= 10n
    places -= 1
  }
  if (Math.abs(places) > maxDigits) raise(argumentError, 'exponent overflow')
  return new Instance(decimalClass, { digits: value, scale: places })
}

const doubleOf = ({ digits, scale }: Decimal): number => Number(`${digits}e${-scale}`)

const decimalText = /^\s*([+-]?)(\d[\d_]*)?(?:\.(\d[\d_]*)?)?(?:[eEdD]([+-]?\d{1,5}))?/

function fromText(text: string, strict: boolean): BigDecimal {
  const [found = '', sign, whole = '', part = '', exponent = '0'] = decimalText.exec(text) ?? []
  const isNumber = whole !== '' || part !== ''
  if (strict && (!isNumber || found.trim() !== text.trim())) {
    raise(argumentError, `invalid value for BigDecimal(): "${text}"`)
  }
  if (!isNumber) return decimal(0n, 0)
  if (whole.length + part.length > maxDigits) raise(argumentError, 'too many digits')
  const above = whole.replaceAll('_', '')
  const below = part.replaceAll('_', '')
  const digits = BigInt(above + below)
  return decimal(sign === '-' ? -digits : digits, below.length - Number(exponent))
}

const isDecimal = (value: RubyValue | undefined): value is BigDecimal =>
  value instanceof Instance && value.rubyClass === decimalClass

function decimalOf(value: RubyValue | undefined): BigDecimal {
  if (isDecimal(value)) return value
  if (isInteger(value)) return decimal(BigInt(value), 0)
  if (isFloat(value) && Number.isFinite(toDouble(value))) return fromText(String(toDouble(value)), true)
  return raise(typeError, `${coercionName(value ?? null)} can't be coerced into BigDecimal`)
}

// Events have no decimal numbers: they become the nearest double, as in dead letters that Logstash wrote.
eventForms.set(decimalClass, (value) => float(doubleOf((value as BigDecimal).state)))

functions.set('BigDecimal', {
  min: 1,
  max: 3,
  call: (_, [value]) => (isText(value) ? fromText(textOf(value), true) : decimalOf(value)),
})

function aligned(a: Decimal, b: Decimal): [a: bigint, b: bigint, scale: number] {
  const scale = Math.max(a.scale, b.scale)
  return [a.digits * 10n ** BigInt(scale - a.scale), b.digits * 10n ** BigInt(scale - b.scale), scale]
}

const lengthOf = (digits: bigint): number => String(digits < 0n ? -digits : digits).length

function quotient(a: Decimal, b: Decimal): BigDecimal {
  if (b.digits === 0n) raise(zeroDivisionError, 'divided by 0')
  const wanted = lengthOf(a.digits) + extraDigits
  const more = wanted + lengthOf(b.digits)
  const exact = { digits: (a.digits * 10n ** BigInt(more)) / b.digits, scale: a.scale - b.scale + more }
  const places = exact.scale - (lengthOf(exact.digits) - wanted)
  return decimal(roundAt(exact, places), places)
}

function floorAt({ digits, scale }: Decimal, places: number): bigint {
  const cut = scale - places
  if (cut <= 0) return digits * 10n ** BigInt(-cut)
  const unit = 10n ** BigInt(cut)
  const whole = digits / unit
  return digits < 0n && whole * unit !== digits ? whole - 1n : whole
}

/** Halves away from zero. */
function roundAt(value: Decimal, places: number): bigint {
  const cut = value.scale - places
  if (cut <= 0) return value.digits * 10n ** BigInt(-cut)
  const unit = 10n ** BigInt(cut)
  const size = ((value.digits < 0n ? -value.digits : value.digits) * 2n + unit) / (unit * 2n)
  return value.digits < 0n ? -size : size
}

type RoundAt = (value: Decimal, places: number) => bigint

function rounded({ state }: BigDecimal, places: RubyValue | undefined, round: RoundAt): RubyValue {
  if (!isInteger(places)) return integer(round(state, 0))
  return decimal(round(state, indexOf(places)), indexOf(places))
}

const ceilAt: RoundAt = ({ digits, scale }, places) => -floorAt({ digits: -digits, scale }, places)
const cutAt: RoundAt = (value, places) => (value.digits < 0n ? ceilAt : floorAt)(value, places)

/** `0.125e1` */
function scientific({ digits, scale }: Decimal): string {
  if (digits === 0n) return '0.0'
  const shown = String(digits < 0n ? -digits : digits)
  return `${digits < 0n ? '-' : ''}0.${shown}e${shown.length - scale}`
}

/** `1.25`, `100.0` */
function plain({ digits, scale }: Decimal): string {
  const sign = digits < 0n ? '-' : ''
  const shown = String(digits < 0n ? -digits : digits)
  if (scale <= 0) return `${sign}${digits === 0n ? '0' : shown + '0'.repeat(-scale)}.0`
  const padded = shown.padStart(scale + 1, '0')
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`
}

const numeric = (value: RubyValue | undefined): boolean =>
  isInteger(value) || isFloat(value) || isDecimal(value)

function compared(self: BigDecimal, other: RubyValue | undefined): number | null {
  if (!numeric(other)) return null
  const [a, b] = aligned(self.state, decimalOf(other).state)
  return a < b ? -1 : a > b ? 1 : 0
}

const sum = (a: Decimal, b: Decimal, sign: bigint): BigDecimal => {
  const [left, right, scale] = aligned(a, b)
  return decimal(left + sign * right, scale)
}

defineMethods<BigDecimal>(decimalClass, {
  '+,add 1-2': ({ state }, [other]) => sum(state, decimalOf(other).state, 1n),
  '-,sub 1-2': ({ state }, [other]) => sum(state, decimalOf(other).state, -1n),
  '*,mult 1-2': ({ state }, [other]) => {
    const { digits, scale } = decimalOf(other).state
    return decimal(state.digits * digits, state.scale + scale)
  },
  '/,quo,div 1-2': ({ state }, [other]) => quotient(state, decimalOf(other).state),
  '%,modulo 1': ({ state }, [other]) => {
    const [a, b, scale] = aligned(state, decimalOf(other).state)
    if (b === 0n) raise(zeroDivisionError, 'divided by 0')
    const rest = a % b
    return decimal(rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest, scale)
  },
  '** 1': ({ state }, [exponent]) => {
    const times = indexOf(exponent)
    const value = decimal(state.digits ** BigInt(Math.abs(times)), state.scale * Math.abs(times))
    return times < 0 ? quotient({ digits: 1n, scale: 0 }, value.state) : value
  },
  '-@': ({ state }) => decimal(-state.digits, state.scale),
  '<=> 1': (self, [other]) => compared(self, other),
  '== 1': (self, [other]) => compared(self, other) === 0,
  'coerce 1': (self, [other]) => [decimalOf(other), self],
  'to_i,to_int,fix': ({ state }) => integer(cutAt(state, 0)),
  to_f: ({ state }) => float(doubleOf(state)),
  to_d: (self) => self,
  'truncate 0-1': (self, [places]) => rounded(self, places, cutAt),
  'floor 0-1': (self, [places]) => rounded(self, places, floorAt),
  'ceil 0-1': (self, [places]) => rounded(self, places, ceilAt),
  'round 0-2': (self, [places]) => rounded(self, places, roundAt),
  'abs,magnitude': ({ state }) => decimal(state.digits < 0n ? -state.digits : state.digits, state.scale),
  'zero?': ({ state }) => state.digits === 0n,
  'positive?': ({ state }) => state.digits > 0n,
  'negative?': ({ state }) => state.digits < 0n,
  'nan?,infinite?': () => false,
  'finite?': () => true,
  'to_s 0-1': ({ state }, [form]) =>
    isText(form) && /f$/i.test(textOf(form)) ? plain(state) : scientific(state),
  inspect: ({ state }) => scientific(state),
})

defineMethods<RubyNumber>(integerClass, { to_d: (self) => decimalOf(self) })
defineMethods<RubyNumber>(floatClass, { 'to_d 0-1': (self) => decimalOf(self) })
defineMethods<string | MutableString>(stringClass, { to_d: (self) => fromText(textOf(self), false) })
