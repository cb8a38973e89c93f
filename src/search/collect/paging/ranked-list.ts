/**
 * The matches of one segment ordered by one sort key, with rank and select: which document has rank n, and
 * how many come before a value. There are three kinds: bits over a sort permutation, documents in index
 * order, and lists sorted for one query (scores, distances).
 * Lucene keeps a heap of `from + size` entries instead; with rank and select the cost of a page does not
 * depend on its depth.
 */

import { DocBatches } from '../../query/exec/doc-batches.ts'
import type { DocSet } from '../../query/exec/doc-set.ts'
import { inRanges } from '../../scheduling/step-size.ts'
import { finish, type Steps } from '../../scheduling/steps.ts'
import { partitionPoint } from '../../segment/encoding/binary-search.ts'
import { BitSet } from '../../segment/encoding/bit-set.ts'
import { risingSteps } from '../../segment/encoding/radix-sort.ts'
import type { SortPermutation } from '../sort/sort-permutation.ts'
import { compareValues, type Direction, type SortValue } from '../sort/sort-value.ts'

export interface RankedList {
  readonly count: number
  doc(rank: number): number
  value(rank: number): SortValue
  /** Rank of a value: the number of matches before it; with `past`, those equal to it count too. */
  before(value: SortValue, past: boolean): number
  /**
   * A bound of `before` for a float, without sorting anything: not above it, or with `past` not below it. Only lists of
   * scores have it.
   */
  roughlyBefore?(value: number, past: boolean): number
}

/** Matches as bits at their positions in a sort permutation; the bit set answers rank and select. */
/** For documents that are read some at a time. */
const room = new Uint32Array(4096)

export class PermutationMatches implements RankedList {
  readonly count: number
  readonly #permutation: SortPermutation
  /** Null when all documents match. */
  readonly #marks: BitSet | null

  constructor(permutation: SortPermutation, matches: DocSet) {
    this.count = matches.count
    this.#permutation = permutation
    if (matches.isAll) this.#marks = null
    else if (permutation.docs === null) this.#marks = matches.bits()
    else {
      const positions = permutation.positions()
      const marks = new BitSet(permutation.size)
      const { words } = marks
      for (const batches = new DocBatches(matches); batches.left > 0; ) {
        const docs = batches.next(room.length, room)
        for (let i = 0; i < docs.length; i++) {
          const position = positions[docs[i]!]!
          words[position >>> 5]! |= 1 << (position & 31)
        }
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

/** Matches that are not sorted, because their order follows from their places in the index. */
abstract class MatchList {
  readonly count: number
  protected readonly matches: DocSet

  constructor(matches: DocSet) {
    this.count = matches.count
    this.matches = matches
  }
}

/** Matches that all have the same value, in index order. */
export class ConstantList extends MatchList implements RankedList {
  readonly #value: SortValue
  readonly #direction: Direction

  constructor(matches: DocSet, value: SortValue, direction: Direction) {
    super(matches)
    this.#value = value
    this.#direction = direction
  }

  doc(rank: number): number {
    return docAt(this.matches, rank)
  }

  value(): SortValue {
    return this.#value
  }

  before(value: SortValue, past: boolean): number {
    const order = compareValues(this.#value, value, this.#direction)
    return order < 0 || (order === 0 && past) ? this.count : 0
  }
}

/** Matches in rising or falling index order; their value is the document number plus `base`. */
export class DocOrderList extends MatchList implements RankedList {
  readonly #base: number
  readonly #descending: boolean

  constructor(matches: DocSet, base: number, descending: boolean) {
    super(matches)
    this.#base = base
    this.#descending = descending
  }

  doc(rank: number): number {
    return docAt(this.matches, this.#descending ? this.count - 1 - rank : rank)
  }

  value(rank: number): SortValue {
    return this.#base + this.doc(rank)
  }

  before(value: SortValue, past: boolean): number {
    if (typeof value === 'string' || value === null) return this.count
    const { size } = this.matches
    const includes = past !== this.#descending
    const doc = Math.min(size, Math.max(0, Math.floor(Number(value)) - this.#base + (includes ? 1 : 0)))
    const below = this.matches.isAll ? doc : this.matches.bits().rank(doc)
    return this.#descending ? this.count - below : below
  }
}

function docAt(matches: DocSet, rank: number): number {
  if (matches.start !== undefined) return matches.start + rank
  return matches.count * 32 < matches.size ? matches.array()[rank]! : matches.bits().select(rank)
}

/** Parallel arrays of all matches of a segment, in index order, with values computed for one query. */
interface ValuedDocs {
  readonly docs: Uint32Array
  readonly values: Float32Array | Float64Array
}

/**
 * Sort keys that rise in result order. Values are negated for a descending sort, so that a stable sort keeps
 * equal ones in index order.
 */
function* keySteps(
  values: ValuedDocs['values'],
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

function* orderedSteps({ docs, values }: ValuedDocs, order: Uint32Array): Steps<ValuedDocs> {
  const ordered = { docs: new Uint32Array(docs.length), values: values.slice() }
  yield* inRanges(order.length, (from, to) => {
    for (let rank = from; rank < to; rank++) {
      ordered.docs[rank] = docs[order[rank]!]!
      ordered.values[rank] = values[order[rank]!]!
    }
  })
  return ordered
}

/** Matches sorted by values computed for one query; NaN means no value. */
export class SortedList implements RankedList {
  readonly count: number
  readonly #docs: Uint32Array
  readonly #values: Float32Array | Float64Array
  readonly #direction: Direction

  /** Both arrays are in result order. */
  private constructor({ docs, values }: ValuedDocs, direction: Direction) {
    this.count = docs.length
    this.#direction = direction
    this.#docs = docs
    this.#values = values
  }

  static of(numbered: ValuedDocs, direction: Direction): SortedList {
    return finish(SortedList.steps(numbered, direction))
  }

  static *steps(numbered: ValuedDocs, direction: Direction): Steps<SortedList> {
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
    return rankOf(this, value, past, this.#direction)
  }
}

/** Matches sorted by texts computed for one query. */
export class SortedTextList implements RankedList {
  readonly count: number
  readonly #items: readonly ValuedDoc[]
  readonly #direction: Direction

  /** `items` are in result order. */
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
    return rankOf(this, value, past, this.#direction)
  }
}

interface ValuedDoc {
  readonly doc: number
  readonly value: SortValue
}

/** `before` of a sorted list, by binary search. */
function rankOf(list: RankedList, value: SortValue, past: boolean, direction: Direction): number {
  return partitionPoint(0, list.count, (rank) => {
    const order = compareValues(list.value(rank), value, direction)
    return order < 0 || (order === 0 && past)
  })
}
