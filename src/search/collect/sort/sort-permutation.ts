/**
 * A sort permutation: all documents of a segment ordered by one key, ties by document number, documents
 * without a value in a block at one end. It does not depend on the query, so it is computed once per segment
 * and key, and a search only marks its matches in it.
 */

import { backgroundWork } from '../../scheduling/background-work.ts'
import { type CachedValue, decodedCache } from '../../segment/decoded-cache.ts'
import { partitionPoint } from '../../segment/encoding/binary-search.ts'
import { mapOf } from '../../segment/map-of-maps.ts'
import { sortedDocs } from '../../segment/sort-order.ts'
import { exactValue } from '../../source/column-values.ts'
import type { SortColumn } from './sort-column.ts'
import type { Direction, SortValue } from './sort-value.ts'

export class SortPermutation {
  readonly size: number
  /** Documents by position; null for the identity permutation. */
  readonly docs: Uint32Array | null
  readonly #column: SortColumn
  readonly #direction: Direction
  /** The positions of documents with a value: from `first` up to, not including, `end`. */
  readonly #first: number
  readonly #end: number
  #positions: Uint32Array | undefined
  /** Called with the bytes of the inverse permutation when it is computed, for the cache that accounts for them. */
  grown: ((bytes: number) => void) | undefined

  /** `docs` if they were sorted already. */
  constructor(size: number, column: SortColumn, direction: Direction, docs?: Uint32Array | null) {
    this.size = size
    this.#column = column
    this.#direction = direction
    const { present } = column
    const found = present === null ? size : present.count
    this.#first = direction.missingFirst ? size - found : 0
    this.#end = this.#first + found
    this.docs = docs === undefined ? sortedDocs(sortedBy(size, column, direction)) : docs
  }

  /** The inverse permutation: positions by document. */
  positions(): Uint32Array {
    if (this.#positions === undefined) {
      this.#positions = new Uint32Array(this.size)
      const { docs } = this
      for (let at = 0; at < this.size; at++) this.#positions[docs === null ? at : docs[at]!] = at
      this.grown?.(this.#positions.byteLength)
    }
    return this.#positions
  }

  valueOf(doc: number): SortValue {
    return sortValueOf(this.#column, doc)
  }

  valueAt(position: number): SortValue {
    return this.valueOf(this.docs === null ? position : this.docs[position]!)
  }

  /**
   * The first position whose value does not come before `value`; with `past`, the first that comes after it.
   */
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

  /** The first position with a value for which the predicate is false. */
  #search(isBefore: (doc: number) => boolean): number {
    const { docs } = this
    return partitionPoint(this.#first, this.#end, (at) => isBefore(docs === null ? at : docs[at]!))
  }
}

/** The value of a document in a column; null when it has none. */
export function sortValueOf({ values, exact, terms, present }: SortColumn, doc: number): SortValue {
  if (present !== null && !present.has(doc)) return null
  if (exact !== null) return exactValue(exact[doc]!)
  return terms === null ? values[doc]! : terms.term(values[doc]!)
}

function sortedBy(size: number, column: SortColumn, { descending, missingFirst }: Direction) {
  const { values, exact, terms, present } = column
  return {
    values,
    exact,
    present,
    size,
    termCount: terms === null ? null : terms.size,
    descending,
    missingFirst,
  }
}

/** A conservative sorting rate, for code that is not optimized yet. */
const docsPerMilli = 2 * 1024
const maxCached = 32
const permutations = new WeakMap<SortColumn, Map<string, CachedValue<SortPermutation>>>()

/** Returns whether the permutation of a column is there already. */
export function hasPermutation(column: SortColumn, { descending, missingFirst }: Direction): boolean {
  return permutations.get(column)?.get(`${descending} ${missingFirst}`)?.value !== undefined
}

/** Returns the permutation of a column, cached under the memory budget of decoded data. */
export function permutationOf(size: number, column: SortColumn, direction: Direction): SortPermutation {
  const known = mapOf(permutations, column)
  const key = `${direction.descending} ${direction.missingFirst}`
  let permutation = known.get(key)?.value
  if (permutation === undefined) {
    const of = known
    const keep = (made: SortPermutation): SortPermutation => {
      if (of.size >= maxCached) of.clear()
      const held = decodedCache.hold(made, made.docs?.byteLength ?? 0)
      made.grown = (bytes) => decodedCache.grow(held, bytes)
      of.set(key, held)
      return made
    }
    backgroundWork.give<Uint32Array | null>({
      owner: column,
      key,
      job: () => ({
        kind: 'order',
        ...sortedBy(size, column, direction),
        present: column.present?.words ?? null,
      }),
      keep: (docs) => keep(new SortPermutation(size, column, direction, docs)),
      millis: size / docsPerMilli,
    })
    permutation = keep(new SortPermutation(size, column, direction))
  }
  return permutation
}
