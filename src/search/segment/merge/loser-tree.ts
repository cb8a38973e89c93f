/**
 * A loser tree (Knuth, TAOCP 3, 5.4.1) that merges sorted text lists. Each list remembers how many bytes its text
 * shares with the text that last beat it, which is the last winner on the path that is replayed. Of two lists the
 * one that shares more comes first, and bytes are compared only when both share equally many. Lucene merges with a
 * priority queue and compares whole terms.
 */
import type { TextCursor } from '../encoding/text-cursor.ts'

export class LoserTree {
  readonly #cursors: readonly TextCursor[]
  readonly #shared: Uint32Array
  readonly #isOver: Uint8Array
  /** Indexed by inner node: the list that lost there; node 0 above the root holds the winner. */
  readonly #losers: Int32Array

  constructor(cursors: readonly TextCursor[]) {
    this.#cursors = cursors
    const count = cursors.length
    this.#shared = new Uint32Array(count)
    this.#isOver = new Uint8Array(count)
    this.#losers = new Int32Array(Math.max(1, count)).fill(-1)
    for (let list = 0; list < count; list++) {
      if (!cursors[list]!.next()) this.#isOver[list] = 1
      this.#climb(list)
    }
  }

  /** Returns the list with the smallest text, of equal ones the first; -1 when all lists are exhausted. */
  get top(): number {
    const winner = this.#losers[0]!
    return winner < 0 || this.#isOver[winner] === 1 ? -1 : winner
  }

  /** Advances the winning list; true when the new winner has the same text as the old. */
  advance(): boolean {
    const list = this.#losers[0]!
    const cursor = this.#cursors[list]!
    const { length } = cursor
    if (cursor.next()) this.#shared[list] = cursor.shared
    else this.#isOver[list] = 1
    this.#climb(list)
    const { top } = this
    return top >= 0 && this.#shared[top] === length && this.#cursors[top]!.length === length
  }

  /** Returns how many bytes the winning text shares with the winner before. */
  get shared(): number {
    return this.#shared[this.#losers[0]!]!
  }

  #climb(list: number): void {
    const losers = this.#losers
    let winner = list
    for (let node = (list + this.#cursors.length) >> 1; node > 0; node >>= 1) {
      const other = losers[node]!
      if (other < 0) {
        // This node is still empty: the list waits here for its opponent.
        losers[node] = winner
        return
      }
      if (this.#wins(other, winner)) {
        losers[node] = winner
        winner = other
      }
    }
    losers[0] = winner
  }

  /** Returns whether `one` comes before `other`, and stores what the loser shares with the winner. */
  #wins(one: number, other: number): boolean {
    if (this.#isOver[one] === 1) return false
    if (this.#isOver[other] === 1) return true
    const shared = this.#shared
    const same = shared[one]!
    if (same !== shared[other]) return same > shared[other]!
    const { bytes: a, length } = this.#cursors[one]!
    const { bytes: b, length: otherLength } = this.#cursors[other]!
    const max = Math.min(length, otherLength)
    let at = same
    while (at < max && a[at] === b[at]) at++
    const difference = at < max ? a[at]! - b[at]! : length - otherLength
    const isFirst = difference < 0 || (difference === 0 && one < other)
    shared[isFirst ? other : one] = at
    return isFirst
  }
}
