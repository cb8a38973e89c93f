/**
 * Matches in the order of their scores, sorted only where somebody looks. The best few are found in one pass; for all
 * others scores are counted by range; the places of
 * the ranges around a wanted rank are then gathered in one pass and sorted among themselves. Each time more is
 * gathered than before, so whoever looks everywhere soon has all of it sorted.
 */
import { BestDocs } from '../../query/exec/pruning/best-docs.ts'
import { bestCount } from '../../query/exec/pruning/maxscore.ts'
import type { ScoredDocs } from '../../query/exec/query.ts'
import { radixSortByKey } from '../../segment/encoding/radix-sort.ts'
import type { Direction, SortValue } from '../sort/sort-value.ts'
import { type RankedList, SortedList } from './ranked-list.ts'

const ranges = 4096
/** Shorter lists are sorted whole. */
const shortList = 4096
const firstGathered = 256
const growth = 4

/** Ranks from `from` up to, not including, `to`, as places in the list. */
interface Part {
  readonly from: number
  readonly to: number
  readonly places: Uint32Array
}

export function scoredList(scored: ScoredDocs, direction: Direction): RankedList {
  const { docs, scores } = scored
  if (docs.length <= shortList) return SortedList.of({ docs, values: scores }, direction)
  const whole = () => wholeList(docs, scores, direction)
  return direction.descending && !direction.missingFirst
    ? new BestFirst(docs.length, () => bestOf(scored), whole)
    : whole()
}

/** Of `count` matches the best are known, the best first; `all` is asked when somebody looks further. */
export function bestFirst(
  count: number,
  best: ScoredDocs,
  all: () => ScoredDocs,
  direction: Direction,
): RankedList {
  return new BestFirst(
    count,
    () => best,
    () => scoredList(all(), direction),
  )
}

function wholeList(docs: Uint32Array, scores: Float32Array, direction: Direction): RankedList {
  const keys = keysOf(scores, direction.descending)
  return keys === undefined
    ? SortedList.of({ docs, values: scores }, direction)
    : new ScoredList(docs, scores, keys, direction.descending)
}

/** Most searches show a first page and nothing else. */
class BestFirst implements RankedList {
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
    if (rank >= bestCount) return undefined
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

/** The highest scores, equal ones in their order; fewer when fewer are numbers. */
function bestOf({ docs, scores }: ScoredDocs): ScoredDocs {
  const best = new BestDocs(bestCount)
  for (let i = 0; i < scores.length; i++) if (scores[i]! > best.least) best.add(docs[i]!, scores[i]!)
  return best.sorted()
}

const one = new Float32Array(1)
const oneBits = new Int32Array(one.buffer)

/** Whole numbers that rise as the result does: bits of floats do once those of negative ones are turned over. */
function keyOf(score: number, descending: boolean): number {
  // Adding zero makes -0 and 0 the same.
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

/** Undefined when a score is negative zero or no number, which are not worth a look at each of the others. */
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
  // What is no number lies beyond the infinities, on either side.
  const isNumeric = highest <= infinity && lowest >= ~infinity
  return hasNegativeZero || !isNumeric ? undefined : { keys, least, most }
}

/** Bits of the float. */
const infinity = 0x7f80_0000

class ScoredList implements RankedList {
  readonly count: number
  readonly #docs: Uint32Array
  readonly #scores: Float32Array
  readonly #keys: Int32Array
  readonly #descending: boolean
  readonly #least: number
  readonly #most: number
  /** Bits of a key, above the least, that do not tell its range. */
  readonly #shift: number
  /** The rank each range begins at; one entry more for the end. */
  readonly #starts = new Uint32Array(ranges + 1)
  #parts: Part[] = []
  #gathered = firstGathered

  constructor(docs: Uint32Array, scores: Float32Array, { keys, least, most }: Keys, descending: boolean) {
    this.count = docs.length
    this.#docs = docs
    this.#scores = scores
    this.#keys = keys
    this.#descending = descending
    this.#least = least
    this.#most = most
    const shift = Math.max(0, 32 - Math.clz32((most - least) >>> 0) - Math.log2(ranges))
    this.#shift = shift
    const starts = this.#starts
    for (let i = 0; i < keys.length; i++) starts[(((keys[i]! - least) | 0) >>> shift) + 1]! += 1
    for (let i = 0; i < ranges; i++) starts[i + 1]! += starts[i]!
  }

  /** The range that holds a rank. */
  #rangeOf(rank: number): number {
    let low = 0
    let high = ranges
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#starts[middle + 1]! <= rank) low = middle + 1
      else high = middle
    }
    return low
  }

  #part(rank: number): Part {
    const parts = this.#parts
    for (let i = parts.length - 1; i >= 0; i--) {
      const part = parts[i]!
      if (rank >= part.from && rank < part.to) return part
    }
    const part = this.#gather(this.#rangeOf(rank))
    if (part.to - part.from === this.count) this.#parts = [part]
    else parts.push(part)
    return part
  }

  /** Ranges from this one on, and those before it when the end is near. */
  #gather(range: number): Part {
    const starts = this.#starts
    let first = range
    let end = range + 1
    while (end < ranges && starts[end]! - starts[first]! < this.#gathered) end++
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
    const { from, places } = this.#part(rank)
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
    // Between two floats: all that equal the nearer one are on one side.
    const includes = nearest === number ? past : nearest < number !== this.#descending
    const key = keyOf(nearest, this.#descending)
    if (key < this.#least) return 0
    if (key > this.#most) return this.count
    const range = ((key - this.#least) | 0) >>> this.#shift
    let low = this.#starts[range]!
    let high = this.#starts[range + 1]!
    if (low === high) return low
    const { from, places } = this.#part(low)
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
