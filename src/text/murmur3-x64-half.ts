/**
 * The first half of murmur3-x64.ts, and the 64-bit products it is made of, for where very many values are hashed:
 * numbers of 64 bits are pairs of 32-bit integers, as bigints take far longer.
 */

/** The upper half of the last result; the lower one is returned. */
export let high = 0

const scratch = new DataView(new ArrayBuffer(16))

/** The upper 32 bits of the product of two unsigned 32-bit integers. */
function upperProduct(one: number, other: number): number {
  const a = one & 0xffff
  const b = one >>> 16
  const c = other & 0xffff
  const d = other >>> 16
  const middle = b * c + ((a * c) >>> 16)
  return b * d + Math.floor(middle / 0x1_0000) + Math.floor((a * d + (middle & 0xffff)) / 0x1_0000)
}

/** The lower 64 bits of a product. */
export function multiply64(oneHigh: number, oneLow: number, otherHigh: number, otherLow: number): number {
  high = (upperProduct(oneLow, otherLow) + Math.imul(oneHigh, otherLow) + Math.imul(oneLow, otherHigh)) | 0
  return Math.imul(oneLow, otherLow)
}

function rotate(upper: number, lower: number, by: number): number {
  if (by === 0) {
    high = upper
    return lower
  }
  if (by >= 32) return by === 32 ? swapped(upper, lower) : rotate(lower, upper, by - 32)
  high = (upper << by) | (lower >>> (32 - by))
  return (lower << by) | (upper >>> (32 - by))
}

function swapped(upper: number, lower: number): number {
  high = lower
  return upper
}

function add(oneHigh: number, oneLow: number, otherHigh: number, otherLow: number): number {
  const low = (oneLow + otherLow) | 0
  high = (oneHigh + otherHigh + (low >>> 0 < oneLow >>> 0 ? 1 : 0)) | 0
  return low
}

function mixedFirst(upper: number, lower: number): number {
  const low = multiply64(upper, lower, 0x87c37b91 | 0, 0x114253d5)
  const turned = rotate(high, low, 31)
  return multiply64(high, turned, 0x4cf5ad43, 0x2745937f)
}

function mixedSecond(upper: number, lower: number): number {
  const low = multiply64(upper, lower, 0x4cf5ad43, 0x2745937f)
  const turned = rotate(high, low, 33)
  return multiply64(high, turned, 0x87c37b91 | 0, 0x114253d5)
}

function timesFive(upper: number, lower: number, added: number): number {
  const low = multiply64(upper, lower, 0, 5)
  return add(high, low, 0, added)
}

/** Shifts by 33 and multiplies, twice. */
function finished(upper: number, lower: number): number {
  let low = multiply64(upper, lower ^ (upper >>> 1), 0xff51afd7 | 0, 0xed558ccd | 0)
  low = multiply64(high, low ^ (high >>> 1), 0xc4ceb9fe | 0, 0x1a85ec53)
  return low ^ (high >>> 1)
}

/** Returns the lower half of the hash of the first bytes; the upper one is `high`. */
export function murmur3x64Half(bytes: Uint8Array, length: number): number {
  let h1 = 0
  let l1 = 0
  let h2 = 0
  let l2 = 0
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const whole = length & ~15
  for (let at = 0; at < whole; at += 16) {
    let low = mixedFirst(view.getInt32(at + 4, true), view.getInt32(at, true))
    l1 = rotate(h1 ^ high, l1 ^ low, 27)
    l1 = add(high, l1, h2, l2)
    l1 = timesFive(high, l1, 0x52dce729)
    h1 = high
    low = mixedSecond(view.getInt32(at + 12, true), view.getInt32(at + 8, true))
    l2 = rotate(h2 ^ high, l2 ^ low, 31)
    l2 = add(high, l2, h1, l1)
    l2 = timesFive(high, l2, 0x38495ab5)
    h2 = high
  }
  const rest = length - whole
  if (rest > 0) {
    for (let at = 0; at < 16; at++) scratch.setUint8(at, at < rest ? bytes[whole + at]! : 0)
    let low = mixedFirst(scratch.getInt32(4, true), scratch.getInt32(0, true))
    h1 ^= high
    l1 ^= low
    if (rest > 8) {
      low = mixedSecond(scratch.getInt32(12, true), scratch.getInt32(8, true))
      h2 ^= high
      l2 ^= low
    }
  }
  l1 ^= length
  l2 ^= length
  l1 = add(h1, l1, h2, l2)
  h1 = high
  l2 = add(h2, l2, h1, l1)
  h2 = high
  l1 = finished(h1, l1)
  h1 = high
  l2 = finished(h2, l2)
  return add(h1, l1, high, l2)
}
