/**
 * Selection in sorted lists (Frederickson and Johnson 1982): finds how a global rank splits over the
 * segments' sorted lists by pivots and binary searches, without merging up to it. Ties follow the order of
 * the lists, which is that of shards and segments.
 */
import type { Steps } from '../../scheduling/steps.ts'
import { compareValues, type Direction, type SortValue } from '../sort/sort-value.ts'
import type { RankedList } from './ranked-list.ts'

export function totalOf(lists: readonly RankedList[]): number {
  let total = 0
  for (const list of lists) total += list.count
  return total
}

/** Returns how many matches of each list come before the match with this global rank. */
export function* splitAtRank(lists: readonly RankedList[], rank: number): Steps<Float64Array> {
  const low = new Float64Array(lists.length)
  const high = Float64Array.from(lists, ({ count }) => count)
  if (rank <= 0) return low
  if (rank >= totalOf(lists)) return high
  if (lists.length === 1) return low.fill(rank)
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
