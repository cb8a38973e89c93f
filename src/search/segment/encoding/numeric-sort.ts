/** Sorts the values of a numeric column together with their documents, by LSD radix sort. */

import type { SortedNumbers } from '../segment.ts'
import type { BitSet } from './bit-set.ts'

const digitBits = 16
const digits = 1 << digitBits
const fewValues = 4096

/** The sort is stable: equal values stay in document order. */
export function sortNumbers(
  values: Float64Array,
  starts: Uint32Array | null,
  present: BitSet | null,
  docCount: number,
): SortedNumbers {
  const all = new Uint32Array(starts === null ? (present?.count ?? docCount) : values.length)
  const given = new Float64Array(all.length)
  let count = 0
  for (let doc = 0; doc < docCount; doc++) {
    if (present !== null && !present.has(doc)) continue
    const from = starts === null ? doc : starts[doc]!
    const to = starts === null ? doc + 1 : starts[doc + 1]!
    for (let at = from; at < to; at++) {
      all[count] = doc
      given[count++] = values[at]!
    }
  }
  const order = count <= fewValues ? comparedOrder(given, count) : radixOrder(given, count)
  const sorted = new Float64Array(count)
  const docs = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    sorted[i] = given[order[i]!]!
    docs[i] = all[order[i]!]!
  }
  return { values: sorted, docs }
}

function comparedOrder(values: Float64Array, count: number): Uint32Array {
  const order = new Uint32Array(count)
  for (let i = 0; i < count; i++) order[i] = i
  return order.sort((a, b) => values[a]! - values[b]! || a - b)
}

/** The bits of a double with its sign flipped sort like its value; digits that are equal everywhere are skipped. */
function radixOrder(values: Float64Array, count: number): Uint32Array {
  const bits = new Uint32Array(count * 2)
  const doubles = new Float64Array(bits.buffer)
  for (let i = 0; i < count; i++) {
    // Adding zero makes -0 and 0 equal.
    doubles[i] = values[i]! + 0
    const high = bits[i * 2 + 1]!
    const isNegative = high >>> 31 === 1
    if (isNegative) bits[i * 2] = ~bits[i * 2]!
    bits[i * 2 + 1] = isNegative ? ~high : high ^ 0x8000_0000
  }
  let order = new Uint32Array(count)
  let spare = new Uint32Array(count)
  for (let i = 0; i < count; i++) order[i] = i
  const places = new Uint32Array(digits)
  for (let digit = 0; digit < 4; digit++) {
    const word = digit >> 1
    const shift = (digit & 1) * digitBits
    places.fill(0)
    for (let i = 0; i < count; i++) places[(bits[i * 2 + word]! >>> shift) & 0xffff]! += 1
    if (places[(bits[word]! >>> shift) & 0xffff] === count) continue
    let sum = 0
    for (let i = 0; i < digits; i++) {
      const here = places[i]!
      places[i] = sum
      sum += here
    }
    for (let i = 0; i < count; i++) {
      const from = order[i]!
      spare[places[(bits[from * 2 + word]! >>> shift) & 0xffff]!++] = from
    }
    const swapped = order
    order = spare
    spare = swapped
  }
  return order
}
