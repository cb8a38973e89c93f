/**
 * Readers of numbers. As in Joda-Time the count of pattern letters limits how many digits are read only
 * from above: `MM` reads `5` and `05`. Only ASCII digits count.
 */
import { minus, nine, plus, zero } from '../text/ascii.ts'
import type { Reader } from './reading.ts'

/** Joda keeps field values in 32 bits; a longer number is refused. */
const maxInt = 2_147_483_647

/** Reads 1 to `max` digits. */
export function digits(slot: number, max: number): Reader {
  return max === 2 ? upToTwoDigits(slot) : manyDigits(slot, max)
}

function upToTwoDigits(slot: number): Reader {
  return (text, at, reading) => {
    const first = text.charCodeAt(at) - zero
    if (!(first >= 0 && first <= 9)) return -1
    const second = text.charCodeAt(at + 1) - zero
    if (second >= 0 && second <= 9) {
      reading.values[slot] = first * 10 + second
      return at + 2
    }
    reading.values[slot] = first
    return at + 1
  }
}

function manyDigits(slot: number, max: number): Reader {
  return (text, at, reading) => {
    const end = endOfDigits(text, at, at + max)
    if (end === at) return -1
    const value = numberIn(text, at, end)
    if (value > maxInt) return -1
    reading.values[slot] = value
    return end
  }
}

/** Reads digits with a sign in front, which a digit must follow; a plus sign makes room for one digit more. */
export function signedDigits(slot: number, max: number): Reader {
  const unsigned = manyDigits(slot, max)
  const afterPlus = manyDigits(slot, max + 1)
  return (text, at, reading) => {
    const sign = text.charCodeAt(at)
    if (sign !== plus && sign !== minus) return unsigned(text, at, reading)
    if (max < 2) return -1
    if (sign === plus) return afterPlus(text, at + 1, reading)
    const end = unsigned(text, at + 1, reading)
    if (end >= 0) reading.values[slot] = -reading.values[slot]!
    return end
  }
}

/**
 * A year of two digits is the one between 50 years before the pivot and 49 years after it. Where no digits
 * follow in the pattern, any other count of digits, or a sign, gives the year as it stands.
 */
export function twoDigitYear(slot: number, pivot: number, lenient: boolean): Reader {
  const low = pivot - 50
  const lowInCentury = ((low % 100) + 100) % 100
  const exact: Reader = (text, at, reading) => {
    const tens = text.charCodeAt(at) - zero
    const ones = text.charCodeAt(at + 1) - zero
    if (!(tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9)) return -1
    const year = tens * 10 + ones
    reading.values[slot] = year + low - lowInCentury + (year < lowInCentury ? 100 : 0)
    return at + 2
  }
  if (!lenient) return exact
  const literally = signedDigits(slot, 10)
  return (text, at, reading) => {
    const first = text.charCodeAt(at)
    const signed = first === plus || first === minus
    return !signed && endOfDigits(text, at, at + 3) === at + 2
      ? exact(text, at, reading)
      : literally(text, at, reading)
  }
}

/** Digits of a fraction of `unit`, given in milliseconds; digits beyond a millisecond are read and dropped. */
export function fraction(slot: number, max: number, unit: number): Reader {
  return (text, at, reading) => {
    const limit = Math.min(at + max, text.length)
    let place = unit
    let value = 0
    let position = at
    for (; position < limit; position++) {
      const digit = text.charCodeAt(position) - zero
      if (digit < 0 || digit > 9) break
      // One decimal more than a millisecond is summed up and cut off at the end.
      value += digit * place
      place = Math.floor(place / 10)
    }
    if (position === at) return -1
    reading.values[slot] = Math.floor(value / 10)
    return position
  }
}

/** The end of the digits at a position; looks no further than `limit`. */
export function endOfDigits(text: string, at: number, limit: number): number {
  const last = Math.min(limit, text.length)
  let end = at
  while (end < last) {
    const code = text.charCodeAt(end)
    if (code < zero || code > nine) break
    end++
  }
  return end
}

/** The number whose digits stand there; the caller has looked at them. */
export function numberIn(text: string, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at++) value = value * 10 + text.charCodeAt(at) - zero
  return value
}
