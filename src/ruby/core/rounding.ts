/**
 * `round`, `floor`, `ceil` and `truncate` with digits, for integers and floats, with Ruby's corrections for
 * what doubles cannot hold (2.675.round(2) is 2.68).
 */
import { float, integer } from '../../event/value.ts'
import { takeOptions } from '../arguments.ts'
import { argumentError, raise } from '../errors.ts'
import { inspect } from '../inspect.ts'
import { indexOf, isInteger, type RubyInteger, type RubyNumber, toDouble, wholeOf } from '../number.ts'
import type { RubyValue } from '../ruby-class.ts'
import { RubySymbol } from '../values.ts'

export type Rounding = 'round' | 'floor' | 'ceil' | 'truncate'
type Half = 'up' | 'even' | 'down'

export function roundNumber(how: Rounding, self: RubyNumber, args: RubyValue[]): RubyValue {
  const options = takeOptions(args)
  const half = readHalf(options.get('half'))
  const digits = args[0] === undefined ? 0 : indexOf(args[0])
  if (isInteger(self)) return digits >= 0 ? self : roundInteger(how, self, -digits, half)
  const value = toDouble(self)
  if (digits > 0) return Number.isFinite(value) ? float(roundDigits(how, value, digits, half)) : self
  const whole = wholeOf(value, (number) => toWhole(how, number, half))
  return digits === 0 ? whole : roundInteger(how, wholeOf(value, Math.trunc), -digits, half)
}

function readHalf(value: RubyValue | undefined): Half {
  if (value === undefined || value === null) return 'up'
  const name = value instanceof RubySymbol ? value.name : String(value)
  if (name === 'up' || name === 'even' || name === 'down') return name
  return raise(argumentError, `invalid rounding mode: ${value instanceof RubySymbol ? name : inspect(value)}`)
}

/** Half away from zero, as C's round. */
function halfUp(value: number): number {
  const whole = Math.trunc(value)
  return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole
}

function toWhole(how: Rounding, value: number, half: Half): number {
  if (how === 'floor') return Math.floor(value)
  if (how === 'ceil') return Math.ceil(value)
  if (how === 'truncate') return Math.trunc(value)
  if (half !== 'up' && Math.abs(value - Math.trunc(value)) === 0.5) {
    const whole = Math.trunc(value)
    return half === 'down' || whole % 2 === 0 ? whole : whole + Math.sign(value)
  }
  return halfUp(value)
}

function roundDigits(how: Rounding, value: number, digits: number, half: Half): number {
  const exponent = value === 0 ? 0 : Math.floor(Math.log2(Math.abs(value))) + 1
  // So many digits that the number has no more to round.
  if (digits >= 17 - (exponent > 0 ? Math.floor(exponent / 4) : Math.floor(exponent / 3) - 1)) return value
  if (how === 'round' && digits < -(exponent > 0 ? Math.floor(exponent / 3) + 1 : Math.floor(exponent / 4)))
    return 0
  const scale = 10 ** digits
  const scaled = value * scale
  if (!Number.isFinite(scaled)) return value
  switch (how) {
    case 'floor': {
      const floor = Math.floor(scaled)
      return (floor + 1) / scale <= value ? (floor + 1) / scale : floor / scale
    }
    case 'ceil': {
      const ceil = Math.ceil(scaled)
      return (ceil - 1) / scale >= value ? (ceil - 1) / scale : ceil / scale
    }
    case 'truncate':
      return roundDigits(value < 0 ? 'ceil' : 'floor', value, digits, half)
  }
  if (half !== 'up') return toWhole('round', scaled, half) / scale
  let whole = halfUp(scaled)
  if (value > 0 && (whole + 0.5) / scale <= value) whole += 1
  if (value < 0 && (whole - 0.5) / scale >= value) whole -= 1
  return whole / scale
}

/** To a multiple of 10^zeros. */
function roundInteger(how: Rounding, value: RubyInteger, zeros: number, half: Half): RubyInteger {
  if (zeros > 400) return 0
  const unit = 10n ** BigInt(zeros)
  const big = BigInt(value)
  const rest = ((big % unit) + unit) % unit
  const low = big - rest
  if (rest === 0n) return value
  let up: boolean
  if (how === 'floor') up = false
  else if (how === 'ceil') up = true
  else if (how === 'truncate') up = big < 0n
  else if (rest * 2n !== unit) up = rest * 2n > unit
  else if (half === 'even') up = (low / unit) % 2n !== 0n
  else up = half === 'up' ? big > 0n : big < 0n
  return integer(up ? low + unit : low)
}
