/**
 * Selection in sorted lists (Frederickson and Johnson 1982): finds how a global rank splits over the
 * segments' sorted lists by pivots and binary searches, without merging up to it. Ties follow the order of
 * the lists, which is that of shards and segments.
 */
import type { Steps } from '../../scheduling/steps.ts'
import { compareValues, type Direction, type SortValue } from '../sort/sort-value.ts'
import { keyOf, scoreOf } from './float-key.ts'
import type { RankedList } from './ranked-list.ts'

export function totalOf(lists: readonly RankedList[]): number {
  let total = 0
  for (const list of lists) total += list.count
  return total
}

/** Returns how many matches of each list come before the match with this global rank. */
export function* splitAtRank(
  lists: readonly RankedList[],
  rank: number,
  { descending }: Direction,
): Steps<Float64Array> {
  let low = new Float64Array(lists.length)
  let high = countsOf(lists)
  if (rank <= 0) return low
  if (rank >= totalOf(lists)) return high
  if (lists.length === 1) return low.fill(rank)
  if (lists.some(({ roughlyBefore }) => roughlyBefore !== undefined)) {
    low = roughSplit(lists, rank, false, descending)
    yield
    high = roughSplit(lists, rank, true, descending)
  }
  const before = new Float64Array(lists.length)
  const past = new Float64Array(lists.length)
  for (;;) {
    let widest = 0
    for (let i = 1; i < lists.length; i++) if (high[i]! - low[i]! > high[widest]! - low[widest]!) widest = i
    if (high[widest] === low[widest]) return low
    // Reading a lazily sorted list may take long.
    yield
    const pivot = lists[widest]!.value(Math.floor((low[widest]! + high[widest]!) / 2))
    let sumBefore = 0
    let sumPast = 0
    for (let i = 0; i < lists.length; i++) {
      sumBefore += before[i] = lists[i]!.before(pivot, false)
      sumPast += past[i] = lists[i]!.before(pivot, true)
    }
    if (rank < sumBefore) {
      for (let i = 0; i < lists.length; i++) high[i] = Math.min(high[i]!, before[i]!)
    } else if (rank >= sumPast) {
      for (let i = 0; i < lists.length; i++) low[i] = Math.max(low[i]!, past[i]!)
    } else {
      let rest = rank - sumBefore
      for (let i = 0; i < lists.length; i++) {
        const taken = Math.min(rest, past[i]! - before[i]!)
        low[i] = before[i]! + taken
        rest -= taken
      }
      return low
    }
  }
}

/**
 * Bounds the split of lists of scores by what their histograms tell, so that only a bucket or two of each have to be
 * sorted: from below, or with `past` from above. The value at the rank is not less than the first float up to which
 * there may be more matches than `rank`, and not greater than the last one before which there are not surely more.
 */
function roughSplit(
  lists: readonly RankedList[],
  rank: number,
  past: boolean,
  descending: boolean,
): Float64Array<ArrayBuffer> {
  const bounds = new Float64Array(lists.length)
  const fill = (key: number, isPast: boolean): number => {
    const value = scoreOf(key, descending)
    let sum = 0
    for (let i = 0; i < lists.length; i++) {
      const list = lists[i]!
      sum += bounds[i] = list.roughlyBefore?.(value, isPast) ?? list.before(value, isPast)
    }
    return sum
  }
  let low = keyOf(descending ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY, descending)
  let high = keyOf(descending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY, descending)
  while (low < high) {
    // With `past` the last key is wanted, so the middle is rounded up.
    const middle = Math.floor((low + high + (past ? 1 : 0)) / 2)
    if (past) {
      if (fill(middle, false) <= rank) low = middle
      else high = middle - 1
    } else if (fill(middle, true) > rank) high = middle
    else low = middle + 1
  }
  // Matches without a number come last.
  return fill(low, past) <= rank && past ? countsOf(lists) : bounds
}

function countsOf(lists: readonly RankedList[]): Float64Array<ArrayBuffer> {
  return Float64Array.from(lists, ({ count }) => count)
}

/** A k-way merge of sorted lists with a heap, starting at given ranks. */
export class KWayMerge {
  readonly #lists: readonly RankedList[]
  readonly #direction: Direction
  readonly #ranks: Float64Array
  /** The current value of each list. */
  readonly #values: SortValue[]
  /** A min-heap of the lists that are not exhausted. */
  readonly #heap: number[] = []

  constructor(lists: readonly RankedList[], direction: Direction, ranks: Float64Array) {
    this.#lists = lists
    this.#direction = direction
    this.#ranks = new Float64Array(lists.length)
    this.#values = lists.map(() => null)
    this.moveTo(ranks)
  }

  moveTo(ranks: Float64Array): void {
    this.#ranks.set(ranks)
    this.#heap.length = 0
    this.#lists.forEach((list, i) => {
      if (ranks[i]! >= list.count) return
      this.#values[i] = list.value(ranks[i]!)
      this.#heap.push(i)
    })
    for (let i = (this.#heap.length >> 1) - 1; i >= 0; i--) this.#siftDown(i)
  }

  get isAtEnd(): boolean {
    return this.#heap.length === 0
  }

  /** The list with the next match. */
  get list(): number {
    return this.#heap[0]!
  }

  get doc(): number {
    return this.#lists[this.list]!.doc(this.#ranks[this.list]!)
  }

  get value(): SortValue {
    return this.#values[this.list]!
  }

  next(): void {
    const top = this.list
    const list = this.#lists[top]!
    const rank = ++this.#ranks[top]!
    if (rank < list.count) this.#values[top] = list.value(rank)
    else {
      const last = this.#heap.pop()!
      if (this.#heap.length === 0) return
      this.#heap[0] = last
    }
    this.#siftDown(0)
  }

  #comesFirst(one: number, other: number): boolean {
    const order = compareValues(this.#values[one]!, this.#values[other]!, this.#direction)
    return order < 0 || (order === 0 && one < other)
  }

  #siftDown(start: number): void {
    const heap = this.#heap
    const moved = heap[start]!
    let at = start
    for (;;) {
      let child = at * 2 + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && this.#comesFirst(heap[child + 1]!, heap[child]!)) child++
      if (!this.#comesFirst(heap[child]!, moved)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = moved
  }
}
