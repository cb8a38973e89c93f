/**
 * A stable LSD radix sort of numbers, 16 bits a pass, or 8 bits where clearing the histogram would take longer than
 * the numbers themselves. A pass in which all digits are equal is skipped; input that is already sorted costs one
 * scan.
 */
import { finish, type Steps } from '../../scheduling/steps.ts'

const shortList = 1024
const longList = 1 << 15
/** How many numbers are processed before the sort yields. */
const stepNumbers = 1 << 14

/**
 * Returns the sort permutation: the indices 0 … n-1 in ascending order of their values, or null when that is the
 * identity. NaN is not allowed.
 */
export function sortPermutation(values: Float64Array | Float32Array): Uint32Array | null {
  return finish(risingSteps(values))
}

export function* risingSteps(values: Float64Array | Float32Array): Steps<Uint32Array | null> {
  if (isRising(values)) return null
  const count = values.length
  const order = new Uint32Array(count)
  for (let i = 0; i < count; i++) order[i] = i
  if (count <= shortList) return order.sort((a, b) => values[a]! - values[b]! || a - b)
  return yield* radixOrder(values, order)
}

function isRising(values: Float64Array | Float32Array): boolean {
  for (let i = 1; i < values.length; i++) if (!(values[i - 1]! <= values[i]!)) return false
  return true
}

/**
 * The loops over all numbers are in plain functions that take a range: V8 makes a loop with a `yield` in it two to
 * three times slower.
 */
function* radixOrder(values: Float64Array | Float32Array, order: Uint32Array): Steps<Uint32Array> {
  const count = values.length
  const isDouble = values instanceof Float64Array
  // Adding zero turns -0 into 0, so that both have the same digits.
  const plain = isDouble ? new Float64Array(count) : new Float32Array(count)
  for (let i = 0; i < count; i++) plain[i] = values[i]! + 0
  const bits = new Uint32Array(plain.buffer)
  const width = isDouble ? 2 : 1
  for (let i = 0; i < count; i += stepNumbers) {
    toSortable(bits, width, i, Math.min(count, i + stepNumbers))
    yield
  }
  let from: Uint32Array = order
  let to: Uint32Array = new Uint32Array(count)
  const digitBits = count < longList ? 8 : 16
  const lastDigit = (1 << digitBits) - 1
  const starts = new Uint32Array(lastDigit + 1)
  for (let done = 0; done < width * 32; done += digitBits) {
    const digit: Digit = { width, part: done >> 5, shift: done & 31, mask: lastDigit }
    starts.fill(0)
    for (let i = 0; i < count; i += stepNumbers) {
      countDigits(bits, digit, starts, i, Math.min(count, i + stepNumbers))
      yield
    }
    if (starts[(bits[digit.part]! >>> digit.shift) & lastDigit] === count) continue
    toStarts(starts)
    for (let i = 0; i < count; i += stepNumbers) {
      distribute(bits, digit, starts, from, to, i, Math.min(count, i + stepNumbers))
      yield
    }
    const swap = from
    from = to
    to = swap
  }
  return from
}

/** Where a digit of a number is: in which of the 32-bit words that the number has, and where in that word. */
interface Digit {
  readonly width: number
  readonly part: number
  readonly shift: number
  readonly mask: number
}

/**
 * The bits of a float sort like its value once negative floats are inverted and the sign bit of the others is set.
 */
function toSortable(bits: Uint32Array, width: number, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const top = i * width + width - 1
    if (bits[top]! >>> 31 === 0) bits[top]! |= 0x8000_0000
    else for (let part = i * width; part <= top; part++) bits[part] = ~bits[part]!
  }
}

function countDigits(
  bits: Uint32Array,
  { width, part, shift, mask }: Digit,
  counts: Uint32Array,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) counts[(bits[i * width + part]! >>> shift) & mask]! += 1
}

/** Turns the numbers of digits into the places where each digit starts: the exclusive prefix sum. */
function toStarts(counts: Uint32Array): void {
  let sum = 0
  for (let digit = 0; digit < counts.length; digit++) {
    const here = counts[digit]!
    counts[digit] = sum
    sum += here
  }
}

function distribute(
  bits: Uint32Array,
  { width, part, shift, mask }: Digit,
  starts: Uint32Array,
  source: Uint32Array,
  target: Uint32Array,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) {
    const place = source[i]!
    const digit = (bits[place * width + part]! >>> shift) & mask
    target[starts[digit]!] = place
    starts[digit]! += 1
  }
}

const keyBits = 11
const keyDigits = 1 << keyBits

/** Sorts indices by integer keys of at most `bits` bits; the sort is stable. */
export function radixSortByKey(places: Uint32Array, keys: Uint32Array, bits: number): Uint32Array {
  if (bits === 0) return places
  let [from, fromKeys] = [places, keys]
  let [to, toKeys] = [new Uint32Array(places.length), new Uint32Array(places.length)]
  const starts = new Uint32Array(keyDigits)
  for (let shift = 0; shift < bits; shift += keyBits) {
    starts.fill(0)
    for (let i = 0; i < fromKeys.length; i++) starts[(fromKeys[i]! >>> shift) & (keyDigits - 1)]! += 1
    toStarts(starts)
    for (let i = 0; i < fromKeys.length; i++) {
      const digit = (fromKeys[i]! >>> shift) & (keyDigits - 1)
      const at = starts[digit]!
      starts[digit] = at + 1
      to[at] = from[i]!
      toKeys[at] = fromKeys[i]!
    }
    ;[from, to] = [to, from as Uint32Array<ArrayBuffer>]
    ;[fromKeys, toKeys] = [toKeys, fromKeys as Uint32Array<ArrayBuffer>]
  }
  return from
}
