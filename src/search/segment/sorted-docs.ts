/**
 * The documents of a segment sorted by a column: by value, equal ones by number, those without a value in a block at
 * one end. Numbers by radix, ordinals of terms by counting.
 */
import type { BitSet } from './encoding/bit-set.ts'
import { risingOrder } from './encoding/radix-order.ts'

/** A column and how to sort by it. */
export interface SortedBy {
  /** By document: numbers; ordinals of terms. */
  readonly values: Float64Array | Uint32Array
  /** By document the same exactly, when a double does not hold them. */
  readonly exact: BigInt64Array | BigUint64Array | null
  /** Documents with a value; null when all have. */
  readonly present: BitSet | null
  /** Documents of the segment. */
  readonly size: number
  /** Of ordinals: how many there are. */
  readonly termCount: number | null
  readonly descending: boolean
  readonly missingFirst: boolean
}

/** Documents by position; null when they are the same. */
export function sortedDocs(by: SortedBy): Uint32Array | null {
  const { present, size, missingFirst } = by
  if (present === null) return orderOf(by, null)
  const docs = present.toArray()
  return place(docs, orderOf(by, docs), present, size, missingFirst ? size - docs.length : 0)
}

/** Documents with a value in their order, as places in `docs`; null when they stand in it. */
function orderOf(column: SortedBy, docs: Uint32Array | null): Uint32Array | null {
  const { exact, size, termCount, descending } = column
  const count = docs === null ? size : docs.length
  let values = column.values
  if (docs !== null) {
    const dense = termCount === null ? new Float64Array(count) : new Uint32Array(count)
    for (let i = 0; i < count; i++) dense[i] = values[docs[i]!]!
    values = dense
  }
  let order =
    termCount === null ? risingOrder(values as Float64Array) : termOrder(values as Uint32Array, termCount)
  if (exact !== null) order = sortExactly(order, values as Float64Array, exact, docs, count)
  return descending
    ? reversed(
        order,
        count,
        (a, b) =>
          values[a] === values[b] && (exact === null || exact[docs?.[a] ?? a] === exact[docs?.[b] ?? b]),
      )
    : order
}

/** Counting sort; keeps the order of equals. */
function termOrder(ordinals: Uint32Array, size: number): Uint32Array {
  const starts = new Uint32Array(size + 1)
  for (let i = 0; i < ordinals.length; i++) starts[ordinals[i]! + 1]! += 1
  for (let i = 0; i < size; i++) starts[i + 1]! += starts[i]!
  const order = new Uint32Array(ordinals.length)
  for (let i = 0; i < ordinals.length; i++) {
    order[starts[ordinals[i]!]!] = i
    starts[ordinals[i]!]! += 1
  }
  return order
}

/** Sorts what is the same as doubles by its exact value. */
function sortExactly(
  given: Uint32Array | null,
  values: Float64Array,
  exact: BigInt64Array | BigUint64Array,
  docs: Uint32Array | null,
  count: number,
): Uint32Array {
  const order = given ?? Uint32Array.from({ length: count }, (_, i) => i)
  const exactOf = (place: number) => exact[docs === null ? place : docs[place]!]!
  for (let from = 0, to = 0; from < count; from = to) {
    for (to = from + 1; to < count && values[order[to]!] === values[order[from]!]; ) to++
    if (to - from === 1) continue
    order.subarray(from, to).sort((a, b) => {
      const [left, right] = [exactOf(a), exactOf(b)]
      return left < right ? -1 : left > right ? 1 : a - b
    })
  }
  return order
}

/** From the largest to the smallest, with equal ones still in the order of their numbers. */
function reversed(
  order: Uint32Array | null,
  count: number,
  isSame: (one: number, other: number) => boolean,
): Uint32Array {
  const result = new Uint32Array(count)
  const at = (i: number) => (order === null ? i : order[i]!)
  let filled = 0
  for (let end = count; end > 0; ) {
    let start = end - 1
    while (start > 0 && isSame(at(start - 1), at(start))) start--
    for (let i = start; i < end; i++) result[filled++] = at(i)
    end = start
  }
  return result
}

function place(
  docs: Uint32Array,
  order: Uint32Array | null,
  present: BitSet,
  size: number,
  first: number,
): Uint32Array {
  const result = new Uint32Array(size)
  for (let i = 0; i < docs.length; i++) result[first + i] = docs[order === null ? i : order[i]!]!
  let at = first === 0 ? docs.length : 0
  for (let doc = 0; doc < size; doc++) if (!present.has(doc)) result[at++] = doc
  return result
}
