/**
 * Matches ordered by score, sorted lazily. The top k are found in one pass with a heap. For deeper ranks a
 * histogram over the scores' bits (4,096 buckets, as in the first pass of an MSD radix sort) tells which
 * buckets hold the wanted rank; only those are gathered and radix-sorted. Each gathering is four times larger
 * than the last, so a reader of all ranks soon has everything sorted.
 */

import { firstPageTopDocs, maxTopDocs } from '../../query/exec/pruning/block-max-pruning.ts'
import { TopDocsHeap } from '../../query/exec/pruning/top-docs-heap.ts'
import type { ScoredDocs } from '../../query/exec/query.ts'
import { lowerBound, partitionPoint } from '../../segment/encoding/binary-search.ts'
import { radixSortByKey } from '../../segment/encoding/radix-sort.ts'
import type { Direction, SortValue } from '../sort/sort-value.ts'
import { infinityBits, keyOf, scoreOf } from './float-key.ts'
import { type RankedList, SortedList } from './ranked-list.ts'

const buckets = 4096
/** Shorter lists are sorted as a whole when a rank behind the top k is read. */
const maxSortedWhole = 4096
const minGathered = 256
/** The keys of gathered scores while they are sorted. */
const scratch = new Uint32Array(16 * 1024)
const growth = 4

/** The sorted ranks from `from` up to, not including, `to`, as indexes into the unsorted arrays. */
interface SortedRun {
  readonly from: number
  readonly to: number
  readonly places: Uint32Array
}

export function lazyScoreList(scored: ScoredDocs, direction: Direction): RankedList {
  const { docs, scores } = scored
  // Lists that are no longer than those are sorted at once.
  if (docs.length <= firstPageTopDocs) return SortedList.of({ docs, values: scores }, direction)
  const whole = () => wholeList(docs, scores, direction)
  return direction.descending && !direction.missingFirst
    ? new TopDocsFirstList(docs.length, (count) => bestOf(scored, count), whole)
    : whole()
}

/** A list whose top k are known already; `all` is called when a deeper rank is read. */
export function topDocsFirst(
  count: number,
  best: ScoredDocs,
  all: () => ScoredDocs,
  direction: Direction,
): RankedList {
  return new TopDocsFirstList(
    count,
    () => best,
    () => lazyScoreList(all(), direction),
  )
}

function wholeList(docs: Uint32Array, scores: Float32Array, direction: Direction): RankedList {
  const bits = new Int32Array(scores.buffer, scores.byteOffset, scores.length)
  const range = docs.length <= maxSortedWhole ? undefined : keyRange(bits, direction.descending)
  return range === undefined
    ? SortedList.of({ docs, values: scores }, direction)
    : new LazyScoreList(docs, scores, bits, range, direction.descending)
}

/** Answers the first ranks from the top k, as most searches show only the first page. */
class TopDocsFirstList implements RankedList {
  readonly count: number
  /** Finds at least so many, unless there are fewer. */
  readonly #findBest: (count: number) => ScoredDocs
  readonly #findWhole: () => RankedList
  #best: ScoredDocs | undefined
  #whole: RankedList | undefined

  constructor(count: number, findBest: (count: number) => ScoredDocs, findWhole: () => RankedList) {
    this.count = count
    this.#findBest = findBest
    this.#findWhole = findWhole
  }

  #all(): RankedList {
    this.#whole ??= this.#findWhole()
    return this.#whole
  }

  #among(rank: number): ScoredDocs | undefined {
    if (rank >= maxTopDocs || (this.#best === undefined && this.#whole !== undefined)) return undefined
    this.#best ??= this.#findBest(rank < firstPageTopDocs ? firstPageTopDocs : maxTopDocs)
    if (rank >= this.#best.docs.length && this.#best.docs.length === firstPageTopDocs)
      this.#best = this.#findBest(maxTopDocs)
    return rank < this.#best.docs.length ? this.#best : undefined
  }

  doc(rank: number): number {
    const best = this.#among(rank)
    return best === undefined ? this.#all().doc(rank) : best.docs[rank]!
  }

  value(rank: number): SortValue {
    const best = this.#among(rank)
    return best === undefined ? this.#all().value(rank) : best.scores[rank]!
  }

  before(value: SortValue, past: boolean): number {
    return this.#all().before(value, past)
  }

  roughlyBefore(value: number, past: boolean): number {
    const whole = this.#all()
    return whole.roughlyBefore?.(value, past) ?? whole.before(value, past)
  }
}

/** The top k by score, ties in index order; fewer when there are fewer numbers. */
function bestOf({ docs, scores }: ScoredDocs, count: number): ScoredDocs {
  const best = new TopDocsHeap(count)
  for (let i = 0; i < scores.length; i++) if (scores[i]! > best.threshold) best.add(docs[i]!, scores[i]!)
  return best.sorted()
}

interface KeyRange {
  readonly minKey: number
  readonly maxKey: number
}

/** Undefined when a score is -0 or NaN: such lists are rare, and the fast path handles neither. */
function keyRange(bits: Int32Array, descending: boolean): KeyRange | undefined {
  const flip = descending ? -1 : 0
  let minKey = 0x7fff_ffff
  let maxKey = -0x8000_0000
  let hasNegativeZero = false
  for (let i = 0; i < bits.length; i++) {
    const own = bits[i]!
    if (own === -0x8000_0000) hasNegativeZero = true
    const key = own ^ ((own >> 31) & 0x7fff_ffff) ^ flip
    if (key < minKey) minKey = key
    if (key > maxKey) maxKey = key
  }
  const highest = descending ? ~minKey : maxKey
  const lowest = descending ? ~maxKey : minKey
  // NaNs lie beyond the infinities on both sides.
  const isNumeric = highest <= infinityBits && lowest >= ~infinityBits
  return hasNegativeZero || !isNumeric ? undefined : { minKey, maxKey }
}

class LazyScoreList implements RankedList {
  readonly count: number
  readonly #docs: Uint32Array
  readonly #scores: Float32Array
  /** The scores as integers, of which keys are made. */
  readonly #bits: Int32Array
  readonly #descending: boolean
  readonly #minKey: number
  readonly #maxKey: number
  /** The number of low bits of `key - minKey` that do not select the bucket. */
  readonly #shift: number
  /** The rank each bucket begins at, and the total at the end. */
  readonly #starts = new Uint32Array(buckets + 1)
  #runs: SortedRun[] = []
  #gathered = minGathered

  constructor(
    docs: Uint32Array,
    scores: Float32Array,
    bits: Int32Array,
    { minKey, maxKey }: KeyRange,
    descending: boolean,
  ) {
    this.count = docs.length
    this.#docs = docs
    this.#scores = scores
    this.#bits = bits
    this.#descending = descending
    this.#minKey = minKey
    this.#maxKey = maxKey
    const shift = Math.max(0, 32 - Math.clz32((maxKey - minKey) >>> 0) - Math.log2(buckets))
    this.#shift = shift
    const starts = this.#starts
    const flip = descending ? -1 : 0
    for (let i = 0; i < bits.length; i++) {
      const own = bits[i]!
      const key = own ^ ((own >> 31) & 0x7fff_ffff) ^ flip
      starts[(((key - minKey) | 0) >>> shift) + 1]! += 1
    }
    for (let i = 0; i < buckets; i++) starts[i + 1]! += starts[i]!
  }

  /** Returns the bucket of a rank: the last one that starts at the rank or before it. */
  #bucketOf(rank: number): number {
    return lowerBound(this.#starts, rank + 1, 1) - 1
  }

  #run(rank: number): SortedRun {
    const runs = this.#runs
    for (let i = runs.length - 1; i >= 0; i--) {
      const run = runs[i]!
      if (rank >= run.from && rank < run.to) return run
    }
    const run = this.#gather(this.#bucketOf(rank))
    if (run.to - run.from === this.count) this.#runs = [run]
    else runs.push(run)
    return run
  }

  /** Gathers buckets from this one on, and earlier ones when the end is near, and sorts them. */
  #gather(bucket: number): SortedRun {
    const starts = this.#starts
    let first = bucket
    let end = bucket + 1
    while (end < buckets && starts[end]! - starts[first]! < this.#gathered) end++
    while (first > 0 && starts[end]! - starts[first]! < this.#gathered) first--
    this.#gathered *= growth
    const from = starts[first]!
    const to = starts[end]!
    const bits = this.#bits
    const flip = this.#descending ? -1 : 0
    const scale = 2 ** this.#shift
    const low = this.#minKey + first * scale
    const high = Math.min(this.#maxKey, this.#minKey + end * scale - 1)
    const places = new Uint32Array(to - from)
    const above = to - from > scratch.length ? new Uint32Array(to - from) : scratch.subarray(0, to - from)
    let maxAbove = 0
    let count = 0
    for (let i = 0; i < bits.length; i++) {
      const own = bits[i]!
      const key = own ^ ((own >> 31) & 0x7fff_ffff) ^ flip
      if (key < low || key > high) continue
      const more = (key - low) >>> 0
      if (more > maxAbove) maxAbove = more
      places[count] = i
      above[count++] = more
    }
    return { from, to, places: radixSortByKey(places, above, 32 - Math.clz32(maxAbove)) }
  }

  #place(rank: number): number {
    const { from, places } = this.#run(rank)
    return places[rank - from]!
  }

  doc(rank: number): number {
    return this.#docs[this.#place(rank)]!
  }

  value(rank: number): SortValue {
    return rank === 0 ? scoreOf(this.#minKey, this.#descending) : this.#scores[this.#place(rank)]!
  }

  roughlyBefore(value: number, past: boolean): number {
    const key = keyOf(value, this.#descending)
    if (key < this.#minKey) return 0
    if (key > this.#maxKey) return this.count
    return this.#starts[(((key - this.#minKey) | 0) >>> this.#shift) + (past ? 1 : 0)]!
  }

  before(value: SortValue, past: boolean): number {
    if (value === null || typeof value === 'string') return this.count
    const number = Number(value)
    const nearest = Math.fround(number)
    // A value between two floats: all scores equal to the nearer float are on one side of it.
    const includes = nearest === number ? past : nearest < number !== this.#descending
    const key = keyOf(nearest, this.#descending)
    if (key < this.#minKey) return 0
    if (key > this.#maxKey) return this.count
    const bucket = ((key - this.#minKey) | 0) >>> this.#shift
    const start = this.#starts[bucket]!
    const end = this.#starts[bucket + 1]!
    if (start === end) return start
    const { from, places } = this.#run(start)
    return partitionPoint(start, end, (rank) => {
      const here = keyOf(this.#scores[places[rank - from]!]!, this.#descending)
      return here < key || (here === key && includes)
    })
  }
}
