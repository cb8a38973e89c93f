/**
 * The matches of one segment in the order of one key, seen by rank: which document is the n-th, and how many
 * stand before a value. Three forms: marks in a permutation, documents in their own order, and lists sorted for
 * the query at hand (scores, distances).
 */

import type { DocSet } from '../../query/exec/doc-set.ts'
import { inRanges } from '../../scheduling/step-size.ts'
import { finish, type Steps } from '../../scheduling/steps.ts'
import { BitSet } from '../../segment/encoding/bit-set.ts'
import { risingSteps } from '../../segment/encoding/radix-sort.ts'
import type { Permutation } from '../sort/permutation.ts'
import { compareValues, type Direction, type SortValue } from '../sort/sort-value.ts'

export interface RankedList {
  readonly count: number
  doc(rank: number): number
  value(rank: number): SortValue
  /** Matches that come before a value; with `past`, those equal to it too. */
  before(value: SortValue, past: boolean): number
}

/** Matches marked at their positions in a permutation. */
export class MarkedPermutation implements RankedList {
  readonly count: number
  readonly #permutation: Permutation
  /** Null when all documents match. */
  readonly #marks: BitSet | null

  constructor(permutation: Permutation, matches: DocSet) {
    this.count = matches.count
    this.#permutation = permutation
    if (matches.isAll) this.#marks = null
    else if (permutation.docs === null) this.#marks = matches.bits()
    else {
      const positions = permutation.positions()
      const marks = new BitSet(permutation.size)
      const { words } = marks
      const docs = matches.array()
      for (let i = 0; i < docs.length; i++) {
        const position = positions[docs[i]!]!
        words[position >>> 5]! |= 1 << (position & 31)
      }
      this.#marks = marks
    }
  }

  #position(rank: number): number {
    return this.#marks === null ? rank : this.#marks.select(rank)
  }

  doc(rank: number): number {
    const position = this.#position(rank)
    return this.#permutation.docs === null ? position : this.#permutation.docs[position]!
  }

  value(rank: number): SortValue {
    return this.#permutation.valueAt(this.#position(rank))
  }

  before(value: SortValue, past: boolean): number {
    const position = this.#permutation.place(value, past)
    return this.#marks === null ? position : this.#marks.rank(position)
  }
}

/** Matches in the order of their numbers, all with one value. */
export class EqualList implements RankedList {
  readonly count: number
  readonly #matches: DocSet
  readonly #value: SortValue
  readonly #direction: Direction

  constructor(matches: DocSet, value: SortValue, direction: Direction) {
    this.count = matches.count
    this.#matches = matches
    this.#value = value
    this.#direction = direction
  }

  doc(rank: number): number {
    return docAt(this.#matches, rank)
  }

  value(): SortValue {
    return this.#value
  }

  before(value: SortValue, past: boolean): number {
    const order = compareValues(this.#value, value, this.#direction)
    return order < 0 || (order === 0 && past) ? this.count : 0
  }
}

/** Matches in the order of their numbers, or against it, numbered from `base`. */
export class NumberedList implements RankedList {
  readonly count: number
  readonly #matches: DocSet
  readonly #base: number
  readonly #descending: boolean

  constructor(matches: DocSet, base: number, descending: boolean) {
    this.count = matches.count
    this.#matches = matches
    this.#base = base
    this.#descending = descending
  }

  doc(rank: number): number {
    return docAt(this.#matches, this.#descending ? this.count - 1 - rank : rank)
  }

  value(rank: number): SortValue {
    return this.#base + this.doc(rank)
  }

  before(value: SortValue, past: boolean): number {
    if (typeof value === 'string' || value === null) return this.count
    const { size } = this.#matches
    const includes = past !== this.#descending
    const doc = Math.min(size, Math.max(0, Math.floor(Number(value)) - this.#base + (includes ? 1 : 0)))
    const below = this.#matches.isAll ? doc : this.#matches.bits().rank(doc)
    return this.#descending ? this.count - below : below
  }
}

function docAt(matches: DocSet, rank: number): number {
  if (matches.start !== undefined) return matches.start + rank
  return matches.count * 32 < matches.size ? matches.array()[rank]! : matches.bits().select(rank)
}

/** Documents with numbers made for one query. Every match of the segment is there, in the order of documents. */
export interface NumberedDocs {
  readonly docs: Uint32Array
  readonly values: Float32Array | Float64Array
}

/** Rising keys: turned over for a descending order, so that equal ones keep the order of documents. */
function* keySteps(
  values: NumberedDocs['values'],
  { missingFirst, descending }: Direction,
): Steps<Float64Array> {
  const missing = missingFirst ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  const keys = new Float64Array(values.length)
  yield* inRanges(keys.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const value = values[i]!
      keys[i] = Number.isNaN(value) ? missing : descending ? -value : value
    }
  })
  return keys
}

function* orderedSteps({ docs, values }: NumberedDocs, order: Uint32Array): Steps<NumberedDocs> {
  const ordered = { docs: new Uint32Array(docs.length), values: values.slice() }
  yield* inRanges(order.length, (from, to) => {
    for (let rank = from; rank < to; rank++) {
      ordered.docs[rank] = docs[order[rank]!]!
      ordered.values[rank] = values[order[rank]!]!
    }
  })
  return ordered
}

/** Matches sorted by numbers made for one query; NaN stands for none. */
export class SortedList implements RankedList {
  readonly count: number
  readonly #docs: Uint32Array
  readonly #values: Float32Array | Float64Array
  readonly #direction: Direction

  /** Both in the order of the list. */
  private constructor({ docs, values }: NumberedDocs, direction: Direction) {
    this.count = docs.length
    this.#direction = direction
    this.#docs = docs
    this.#values = values
  }

  static of(numbered: NumberedDocs, direction: Direction): SortedList {
    return finish(SortedList.steps(numbered, direction))
  }

  static *steps(numbered: NumberedDocs, direction: Direction): Steps<SortedList> {
    const order = yield* risingSteps(yield* keySteps(numbered.values, direction))
    return new SortedList(order === null ? numbered : yield* orderedSteps(numbered, order), direction)
  }

  doc(rank: number): number {
    return this.#docs[rank]!
  }

  value(rank: number): SortValue {
    const value = this.#values[rank]!
    return Number.isNaN(value) ? null : value
  }

  before(value: SortValue, past: boolean): number {
    return standingBefore(this, value, past, this.#direction)
  }
}

/** Texts, sorted for the query at hand. */
export class TextList implements RankedList {
  readonly count: number
  readonly #items: readonly ValuedDoc[]
  readonly #direction: Direction

  /** `items` in the order of the list. */
  constructor(items: readonly ValuedDoc[], direction: Direction) {
    this.count = items.length
    this.#items = items
    this.#direction = direction
  }

  doc(rank: number): number {
    return this.#items[rank]!.doc
  }

  value(rank: number): SortValue {
    return this.#items[rank]!.value
  }

  before(value: SortValue, past: boolean): number {
    return standingBefore(this, value, past, this.#direction)
  }
}

interface ValuedDoc {
  readonly doc: number
  readonly value: SortValue
}

/** `before` of a list that is in order. */
function standingBefore(list: RankedList, value: SortValue, past: boolean, direction: Direction): number {
  let low = 0
  let high = list.count
  while (low < high) {
    const middle = (low + high) >>> 1
    const order = compareValues(list.value(middle), value, direction)
    if (order < 0 || (order === 0 && past)) low = middle + 1
    else high = middle
  }
  return low
}
