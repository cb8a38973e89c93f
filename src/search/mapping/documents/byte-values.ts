/** Parses numbers of any length, dates and IP addresses in their usual spelling from bytes. */

import { quote } from '../../../text/ascii.ts'
import { dayMillis, dayOfDate, lengthOfMonth } from '../../../time/calendar.ts'
import type { TermScratch } from '../../segment/encoding/term-scratch.ts'

/** A reused result: the value, NaN for any other spelling, and the offset of the closing quote. */
const read = { value: Number.NaN, end: 0 }
let keptMonth = -1
let keptStart = 0

/** Parses `2024-01-02T03:04:05Z` with up to nine decimals, like `iso-fast-path.ts`. */
export function readIsoDate(bytes: Uint8Array, from: number, to: number): { value: number; end: number } {
  read.value = Number.NaN
  if (from + 21 > to) return read
  if (bytes[from + 4] !== 45 || bytes[from + 7] !== 45 || bytes[from + 10] !== 84) return read
  if (bytes[from + 13] !== 58 || bytes[from + 16] !== 58) return read
  const year = pair(bytes, from) * 100 + pair(bytes, from + 2)
  const month = pair(bytes, from + 5)
  const day = pair(bytes, from + 8)
  const hour = pair(bytes, from + 11)
  const minute = pair(bytes, from + 14)
  const second = pair(bytes, from + 17)
  // Pairs that are no digits are NaN, so one comparison rejects them all.
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && hour <= 23 && minute <= 59 && second <= 59))
    return read
  if (!(day <= 28 || day <= lengthOfMonth(year, month))) return read
  let at = from + 19
  let millis = 0
  if (bytes[at] === 46) {
    let unit = 100
    const first = ++at
    for (; at < to && at - first < 9; at++) {
      const digit = bytes[at]! - 48
      if (digit < 0 || digit > 9) break
      millis += digit * unit
      unit = unit === 100 ? 10 : unit === 10 ? 1 : 0
    }
    if (at === first) return read
  }
  if (at + 1 >= to || bytes[at] !== 90 || bytes[at + 1] !== quote) return read
  const monthNumber = year * 12 + month
  if (monthNumber !== keptMonth) {
    keptStart = dayOfDate(year, month, 1)
    keptMonth = monthNumber
  }
  read.value = (keptStart + day - 1) * dayMillis + hour * 3_600_000 + minute * 60_000 + second * 1000 + millis
  read.end = at + 1
  return read
}

const maxNumberLength = 40
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * Parses any JSON number that is finite as a double and as a float, and returns where it ends; NaN for anything
 * else.
 */
export function readJsonNumber(bytes: Uint8Array, from: number, to: number): { value: number; end: number } {
  let text = ''
  let at = from
  while (at < to && at - from <= maxNumberLength && isNumberByte(bytes[at]!))
    text += String.fromCharCode(bytes[at++]!)
  const value = at - from <= maxNumberLength && jsonNumber.test(text) ? Number(text) : Number.NaN
  read.value = Math.abs(value) < 3e38 ? value : Number.NaN
  read.end = at
  return read
}

/** Digits, signs, points and exponents. */
function isNumberByte(byte: number): boolean {
  return (
    (byte >= 48 && byte <= 57) || byte === 43 || byte === 45 || byte === 46 || byte === 69 || byte === 101
  )
}

function pair(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]! - 48
  const ones = bytes[at + 1]! - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

const hexDigits = new TextEncoder().encode('0123456789abcdef')
const v4Prefix = new TextEncoder().encode('00000000000000000000ffff')

/** Writes the term of `192.0.2.1` to the scratch; returns the offset of the closing quote, or -1 for any other text. */
export function readIpV4(bytes: Uint8Array, from: number, to: number, scratch: TermScratch): number {
  scratch.reserve(32)
  const out = scratch.bytes
  out.set(v4Prefix)
  let length = v4Prefix.length
  let at = from
  for (let part = 0; part < 4; part++) {
    const start = at
    let value = 0
    while (at < to && at - start < 3 && bytes[at]! >= 48 && bytes[at]! <= 57)
      value = value * 10 + bytes[at++]! - 48
    if (at === start || value > 255 || (bytes[start] === 48 && at - start > 1)) return -1
    out[length++] = hexDigits[value >> 4]!
    out[length++] = hexDigits[value & 15]!
    if (at >= to || bytes[at] !== (part < 3 ? 46 : quote)) return -1
    if (part < 3) at++
  }
  scratch.length = length
  return at
}
