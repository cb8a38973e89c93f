/**
 * Sorts some hundred doubles three times as fast as a typed array sorts itself: a radix sort of two passes over the 16
 * highest bits in which the numbers differ, then an insertion sort of numbers that are equal in those bits. The typed
 * array sorts lists of another length, negative numbers, and numbers for which the insertion sort would need many
 * moves.
 */

const minCount = 32
const maxCount = 4096
/** The high word of infinity; numbers with a greater one are negative or NaN, and some NaN have this one. */
const infinity = 0x7ff0_0000
/** How often the insertion sort may move a number, per number. */
const maxMoves = 4

const given = new Float64Array(maxCount)
const givenWords = new Uint32Array(given.buffer)
const keys = new Uint16Array(maxCount)
const halfway = new Float64Array(maxCount)
const halfwayKeys = new Uint16Array(maxCount)
const lowStarts = new Uint32Array(257)
const highStarts = new Uint32Array(257)
const [lowWord, highWord] = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? [0, 1] : [1, 0]

/** Sorts the first `count` numbers; NaN comes last. */
export function sortDoubles(values: Float64Array, count: number): void {
  if (count < minCount || count > maxCount || !isSortedByBits(values, count)) values.subarray(0, count).sort()
}

/** Returns false when the numbers are not sorted yet. */
function isSortedByBits(values: Float64Array, count: number): boolean {
  let any = 0
  let all = -1
  let maxHigh = 0
  for (let i = 0; i < count; i++) {
    given[i] = values[i]!
    const high = givenWords[2 * i + highWord!]!
    any |= high
    all &= high
    if (high > maxHigh) maxHigh = high
  }
  if (maxHigh >= infinity) return false
  countKeys(count, 32 - Math.clz32(any ^ all))
  for (let i = 0; i < count; i++) {
    const key = keys[i]!
    const at = lowStarts[key & 0xff]!++
    halfway[at] = given[i]!
    halfwayKeys[at] = key
  }
  for (let i = 0; i < count; i++) values[highStarts[halfwayKeys[i]! >>> 8]!++] = halfway[i]!
  return isInserted(values, count)
}

/** Sets the keys, and where numbers begin that have a digit of the keys. `width`: how many bits of the high words differ. */
function countKeys(count: number, width: number): void {
  lowStarts.fill(0)
  highStarts.fill(0)
  for (let i = 0; i < count; i++) {
    const low = givenWords[2 * i + lowWord!]!
    const bits = width === 0 ? low : (givenWords[2 * i + highWord!]! << (32 - width)) | (low >>> width)
    const key = bits >>> 16
    keys[i] = key
    lowStarts[(key & 0xff) + 1]! += 1
    highStarts[(key >>> 8) + 1]! += 1
  }
  for (let digit = 1; digit < 256; digit++) {
    lowStarts[digit]! += lowStarts[digit - 1]!
    highStarts[digit]! += highStarts[digit - 1]!
  }
}

/** An insertion sort that gives up when it has to move too much. */
function isInserted(values: Float64Array, count: number): boolean {
  let left = maxMoves * count
  for (let i = 1; i < count; i++) {
    const value = values[i]!
    let at = i
    while (at > 0 && values[at - 1]! > value) {
      values[at] = values[at - 1]!
      at--
    }
    values[at] = value
    left -= i - at
    if (left < 0) return false
  }
  return true
}
