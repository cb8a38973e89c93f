/**
 * Matches ordered by score, sorted lazily. The top k are found in one pass with a heap. For deeper ranks a
 * histogram over the scores' bits (4,096 buckets, as in the first pass of an MSD radix sort) tells which
 * buckets hold the wanted rank; only those are gathered and radix-sorted. Each gathering is four times larger
 * than the last, so a reader of all ranks soon has everything sorted.
 */

import { maxTopDocs } from '../../query/exec/pruning/block-max-pruning.ts'
import { TopDocsHeap } from '../../query/exec/pruning/top-docs-heap.ts'
import type { ScoredDocs } from '../../query/exec/query.ts'
import { radixSortByKey } from '../../segment/encoding/radix-sort.ts'
import type { Direction, SortValue } from '../sort/sort-value.ts'
import { type RankedList, SortedList } from './ranked-list.ts'

const buckets = 4096
/** Shorter lists are sorted at once; finding their top k takes as long. */
const maxSortedAtOnce = 256
/** Shorter lists are sorted as a whole when a rank behind the top k is read. */
const maxSortedWhole = 4096
const minGathered = 256
const growth = 4

/** The sorted ranks from `from` up to, not including, `to`, as indexes into the unsorted arrays. */
interface SortedRun {
  readonly from: number
  readonly to: number
  readonly places: Uint32Array
}

export function lazyScoreList(scored: ScoredDocs, direction: Direction): RankedList {
  const { docs, scores } = scored
  if (docs.length <= maxSortedAtOnce) return SortedList.of({ docs, values: scores }, direction)
  const whole = () => wholeList(docs, scores, direction)
  return direction.descending && !direction.missingFirst
    ? new TopDocsFirstList(docs.length, () => bestOf(scored), whole)
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
  const keys = docs.length <= maxSortedWhole ? undefined : keysOf(scores, direction.descending)
  return keys === undefined
    ? SortedList.of({ docs, values: scores }, direction)
    : new LazyScoreList(docs, scores, keys, direction.descending)
}

/** Answers the first ranks from the top k, as most searches show only the first page. */
class TopDocsFirstList implements RankedList {
  readonly count: number
  readonly #findBest: () => ScoredDocs
  readonly #findWhole: () => RankedList
  #best: ScoredDocs | undefined
  #whole: RankedList | undefined

  constructor(count: number, findBest: () => ScoredDocs, findWhole: () => RankedList) {
    this.count = count
    this.#findBest = findBest
    this.#findWhole = findWhole
  }

  #all(): RankedList {
    this.#whole ??= this.#findWhole()
    return this.#whole
  }

  #among(rank: number): ScoredDocs | undefined {
    if (rank >= maxTopDocs) return undefined
    this.#best ??= this.#findBest()
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
}

/** The top k by score, ties in index order; fewer when there are fewer numbers. */
function bestOf({ docs, scores }: ScoredDocs): ScoredDocs {
  const best = new TopDocsHeap(maxTopDocs)
  for (let i = 0; i < scores.length; i++) if (scores[i]! > best.threshold) best.add(docs[i]!, scores[i]!)
  return best.sorted()
}

const one = new Float32Array(1)
const oneBits = new Int32Array(one.buffer)

/**
 * Maps a score to an integer that rises in result order: float bits are order-preserving once those of
 * negative numbers are flipped.
 */
function keyOf(score: number, descending: boolean): number {
  // Adding zero turns -0 into 0.
  one[0] = score + 0
  const bits = oneBits[0]!
  const rising = bits ^ ((bits >> 31) & 0x7fff_ffff)
  return descending ? ~rising : rising
}

interface Keys {
  readonly keys: Int32Array
  readonly least: number
  readonly most: number
}

/** Undefined when a score is -0 or NaN: such lists are rare, and the fast path handles neither. */
function keysOf(scores: Float32Array, descending: boolean): Keys | undefined {
  const bits = new Int32Array(scores.buffer, scores.byteOffset, scores.length)
  const keys = new Int32Array(scores.length)
  const turn = descending ? -1 : 0
  let least = 0x7fff_ffff
  let most = -0x8000_0000
  let hasNegativeZero = false
  for (let i = 0; i < keys.length; i++) {
    const own = bits[i]!
    if (own === -0x8000_0000) hasNegativeZero = true
    const key = own ^ ((own >> 31) & 0x7fff_ffff) ^ turn
    keys[i] = key
    if (key < least) least = key
    if (key > most) most = key
  }
  const highest = descending ? ~least : most
  const lowest = descending ? ~most : least
  // NaNs lie beyond the infinities on both sides.
  const isNumeric = highest <= infinity && lowest >= ~infinity
  return hasNegativeZero || !isNumeric ? undefined : { keys, least, most }
}

/** The float bits of infinity. */
const infinity = 0x7f80_0000

class LazyScoreList implements RankedList {
  readonly count: number
  readonly #docs: Uint32Array
  readonly #scores: Float32Array
  readonly #keys: Int32Array
  readonly #descending: boolean
  readonly #least: number
  readonly #most: number
  /** The number of low bits of `key - least` that do not select the bucket. */
  readonly #shift: number
  /** The rank each bucket begins at, and the total at the end. */
  readonly #starts = new Uint32Array(buckets + 1)
  #runs: SortedRun[] = []
  #gathered = minGathered

  constructor(docs: Uint32Array, scores: Float32Array, { keys, least, most }: Keys, descending: boolean) {
    this.count = docs.length
    this.#docs = docs
    this.#scores = scores
    this.#keys = keys
    this.#descending = descending
    this.#least = least
    this.#most = most
    const shift = Math.max(0, 32 - Math.clz32((most - least) >>> 0) - Math.log2(buckets))
    this.#shift = shift
    const starts = this.#starts
    for (let i = 0; i < keys.length; i++) starts[(((keys[i]! - least) | 0) >>> shift) + 1]! += 1
    for (let i = 0; i < buckets; i++) starts[i + 1]! += starts[i]!
  }

  /** The bucket of a rank, by binary search. */
  #bucketOf(rank: number): number {
    let low = 0
    let high = buckets
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#starts[middle + 1]! <= rank) low = middle + 1
      else high = middle
    }
    return low
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
    const keys = this.#keys
    const scale = 2 ** this.#shift
    const low = this.#least + first * scale
    const high = Math.min(this.#most, this.#least + end * scale - 1)
    const places = new Uint32Array(to - from)
    const above = new Uint32Array(to - from)
    let most = 0
    let count = 0
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]!
      if (key < low || key > high) continue
      const more = (key - low) >>> 0
      if (more > most) most = more
      places[count] = i
      above[count++] = more
    }
    return { from, to, places: radixSortByKey(places, above, 32 - Math.clz32(most)) }
  }

  #place(rank: number): number {
    const { from, places } = this.#run(rank)
    return places[rank - from]!
  }

  doc(rank: number): number {
    return this.#docs[this.#place(rank)]!
  }

  value(rank: number): SortValue {
    return this.#scores[this.#place(rank)]!
  }

  before(value: SortValue, past: boolean): number {
    if (value === null || typeof value === 'string') return this.count
    const number = Number(value)
    const nearest = Math.fround(number)
    // A value between two floats: all scores equal to the nearer float are on one side of it.
    const includes = nearest === number ? past : nearest < number !== this.#descending
    const key = keyOf(nearest, this.#descending)
    if (key < this.#least) return 0
    if (key > this.#most) return this.count
    const bucket = ((key - this.#least) | 0) >>> this.#shift
    let low = this.#starts[bucket]!
    let high = this.#starts[bucket + 1]!
    if (low === high) return low
    const { from, places } = this.#run(low)
    const keys = this.#keys
    while (low < high) {
      const middle = (low + high) >>> 1
      const here = keys[places[middle - from]!]!
      if (here < key || (here === key && includes)) low = middle + 1
      else high = middle
    }
    return low
  }
}
