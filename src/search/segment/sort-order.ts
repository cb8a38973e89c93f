/**
 * Computes the documents of a segment in the order of a column: by value, ties by document number, documents without
 * a value in a block at one end. Numbers use a radix sort, ordinals a counting sort.
 */
import type { BitSet } from './encoding/bit-set.ts'
import { sortPermutation } from './encoding/radix-sort.ts'

/** A column and how to sort by it. */
export interface SortedBy {
  /** Numbers or term ordinals by document. */
  readonly values: Float64Array | Uint32Array
  /** Exact values by document, when a double cannot hold them. */
  readonly exact: BigInt64Array | BigUint64Array | null
  /** Docs with field; null when all have a value. */
  readonly present: BitSet | null
  /** The number of documents of the segment. */
  readonly size: number
  /** The number of distinct ordinals; null for numbers. */
  readonly termCount: number | null
  readonly descending: boolean
  readonly missingFirst: boolean
}

/** Returns the documents in sort order; null when that is document order. */
export function sortedDocs(by: SortedBy): Uint32Array | null {
  const { present, size, missingFirst } = by
  if (present === null) return orderOf(by, null)
  const docs = present.toArray()
  return place(docs, orderOf(by, docs), present, size, missingFirst ? size - docs.length : 0)
}

/** Sorts the documents that have a value, as indices into `docs`; null when they are in order. */
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
    termCount === null ? sortPermutation(values as Float64Array) : termOrder(values as Uint32Array, termCount)
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

/** A stable counting sort. */
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

/** Sorts runs that are equal as doubles by their exact values. */
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

/** Reverses the order but keeps ties in document order. */
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
