/**
 * All documents of a segment in the order of one sort key: by value, equal ones by number, those without a
 * value in a block at one end. It does not depend on the query, so it is made once per segment and key; a
 * search only marks its matches in it.
 */
import type { BitSet } from '../segment/bit-set.ts'
import { decodedMemory, type Held } from '../segment/decoded-memory.ts'
import { risingOrder } from './number-order.ts'
import type { SortColumn } from './sort-column.ts'
import { exactValue } from './sort-column.ts'
import type { Direction, SortValue } from './sort-value.ts'

export class Permutation {
  readonly size: number
  /** Documents by position; null when they are the same. */
  readonly docs: Uint32Array | null
  readonly #column: SortColumn
  readonly #direction: Direction
  /** Positions of documents with a value: from `first` up to, not including, `end`. */
  readonly #first: number
  readonly #end: number
  #positions: Uint32Array | undefined

  constructor(size: number, column: SortColumn, direction: Direction) {
    this.size = size
    this.#column = column
    this.#direction = direction
    const { present } = column
    const found = present === null ? size : present.count
    this.#first = direction.missingFirst ? size - found : 0
    this.#end = this.#first + found
    const docs = present === null ? null : present.toArray()
    const order = orderOf(column, docs, size, direction.descending)
    this.docs = present === null ? order : place(docs!, order, present, size, this.#first)
  }

  /** By document its position. */
  positions(): Uint32Array {
    if (this.#positions === undefined) {
      this.#positions = new Uint32Array(this.size)
      const { docs } = this
      for (let at = 0; at < this.size; at++) this.#positions[docs === null ? at : docs[at]!] = at
    }
    return this.#positions
  }

  valueOf(doc: number): SortValue {
    const { values, exact, terms, present } = this.#column
    if (present !== null && !present.has(doc)) return null
    if (exact !== null) return exactValue(exact[doc]!)
    return terms === null ? values[doc]! : terms.term(values[doc]!)
  }

  valueAt(position: number): SortValue {
    return this.valueOf(this.docs === null ? position : this.docs[position]!)
  }

  /** The first position whose value does not come before `value`; with `past`, comes behind it. */
  place(value: SortValue, past: boolean): number {
    const { missingFirst, descending } = this.#direction
    if (value === null) {
      if (missingFirst) return past ? this.#first : 0
      return past ? this.size : this.#end
    }
    const { values, exact, terms } = this.#column
    if (typeof value === 'string')
      return terms === null
        ? this.#end
        : this.#placeTerm(terms.lowerBound(value), terms.find(value) !== -1, past)
    if (terms !== null) return this.#first
    const column = exact ?? values
    return this.#search((doc) => {
      const here = column[doc]!
      if (here < value) return !descending
      return here > value ? descending : past
    })
  }

  #placeTerm(bound: number, isTerm: boolean, past: boolean): number {
    const { descending } = this.#direction
    const { values } = this.#column
    return this.#search((doc) => {
      const ordinal = values[doc] as number
      if (isTerm && ordinal === bound) return past
      return ordinal < bound !== descending
    })
  }

  /** The first position with a value of which the test says it does not come before. */
  #search(isBefore: (doc: number) => boolean): number {
    let low = this.#first
    let high = this.#end
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(this.docs === null ? middle : this.docs[middle]!)) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Documents with a value in their order, as places in `docs`; null when they stand in it. */
function orderOf(
  column: SortColumn,
  docs: Uint32Array | null,
  size: number,
  descending: boolean,
): Uint32Array | null {
  const count = docs === null ? size : docs.length
  const { exact } = column
  let values = column.values
  if (docs !== null) {
    const dense = column.terms === null ? new Float64Array(count) : new Uint32Array(count)
    for (let i = 0; i < count; i++) dense[i] = values[docs[i]!]!
    values = dense
  }
  let order =
    column.terms === null
      ? risingOrder(values as Float64Array)
      : termOrder(values as Uint32Array, column.terms.size)
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

const mostKept = 32
const permutations = new WeakMap<SortColumn, Map<string, Held<Permutation>>>()
/** Documents by position, and positions by document. */
const bytesPerDocument = 8

/** The permutation of a column, kept with it while there is room. */
export function permutationOf(size: number, column: SortColumn, direction: Direction): Permutation {
  let known = permutations.get(column)
  if (known === undefined) {
    known = new Map()
    permutations.set(column, known)
  }
  const key = `${direction.descending} ${direction.missingFirst}`
  let permutation = known.get(key)?.value
  if (permutation === undefined) {
    permutation = new Permutation(size, column, direction)
    if (known.size >= mostKept) known.clear()
    known.set(key, decodedMemory.hold(permutation, size * bytesPerDocument))
  }
  return permutation
}
