/**
 * Times given as a count: UNIX (seconds since 1970, decimals allowed), UNIX_MS (milliseconds) and TAI64N (the
 * hexadecimal label of Daniel Bernstein's tools). All return milliseconds, or NaN.
 */
import { LsFloat, type Value } from '../event/value.ts'

/** Later seconds are taken for milliseconds given by mistake. */
const maxSecond = 2_147_483_647

export function unixSeconds(value: Value): number {
  if (typeof value === 'string') return secondsIn(value)
  if (value instanceof LsFloat) return fromSeconds(value.value)
  return typeof value === 'number' ? fromSeconds(value) : Number.NaN
}

/** Decimals beyond the third are cut off, as they are written and not as they are stored. */
function fromSeconds(seconds: number): number {
  if (!(Math.trunc(seconds) <= maxSecond)) return Number.NaN
  const millis = Math.round(seconds * 1000)
  return millis / 1000 === seconds ? millis : cutMillis(seconds)
}

function cutMillis(seconds: number): number {
  const millis = Number((Math.abs(seconds) * 1000).toPrecision(15))
  return Math.sign(seconds) * Math.floor(millis)
}

/** Text of digits only is read as it stands; signs and decimals go the long way. */
function secondsIn(text: string): number {
  const { length } = text
  if (length === 0 || length > 10) return decimalMillis(text)
  let seconds = 0
  for (let at = 0; at < length; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return decimalMillis(text)
    seconds = seconds * 10 + digit
  }
  return seconds > maxSecond ? Number.NaN : seconds * 1000
}

const decimal = /^([+-]?\d{1,18})(?:\.(\d{1,3})\d{0,400})?$/

/** Seconds, and up to three digits behind a dot, which are added even to a negative number. */
function decimalMillis(text: string): number {
  const match = decimal.exec(text)
  if (match === null) return Number.NaN
  const seconds = Number(match[1])
  if (seconds > maxSecond) return Number.NaN
  return seconds * 1000 + (match[2] === undefined ? 0 : Number(match[2].padEnd(3, '0')))
}

const integer = /^[+-]?\d{1,18}$/

export function unixMillis(value: Value): number {
  if (typeof value === 'string') return integer.test(value) ? Number(value) : Number.NaN
  if (value instanceof LsFloat) return Math.trunc(value.value)
  return typeof value === 'number' ? Math.trunc(value) : Number.NaN
}

const label = /^@?([0-9a-f]{16})([0-9a-f]{8})/i

/** Seconds count from 2^62, and TAI was 10 seconds ahead of UTC in 1970; leap seconds since are not known. */
export function tai64n(value: Value): number {
  const match = typeof value === 'string' ? label.exec(value) : null
  if (match === null) return Number.NaN
  const seconds = Number(BigInt.asUintN(62, BigInt(`0x${match[1]}`)))
  const nanos = Number.parseInt(match[2]!, 16)
  return (seconds - 10) * 1000 + Math.floor(nanos / 1_000_000)
}
