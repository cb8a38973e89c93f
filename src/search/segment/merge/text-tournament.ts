/**
 * The least text of many sorted lists, again and again: a tree of losers. Every list remembers how many bytes its text
 * shares with the text that last beat it, which is the last one given away on the path that is played again; so of
 * two the one that shares more comes first, and only what follows is compared when they share equally much.
 */
import type { TextCursor } from '../encoding/text-cursor.ts'

export class TextTournament {
  readonly #cursors: readonly TextCursor[]
  readonly #shared: Uint32Array
  readonly #isOver: Uint8Array
  /** By inner node the list that lost there; the root's parent, 0, is the winner. */
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

  /** The list with the least text, of equal ones the first; -1 when all are over. */
  get top(): number {
    const winner = this.#losers[0]!
    return winner < 0 || this.#isOver[winner] === 1 ? -1 : winner
  }

  /** Moves the top list on; true when the new top text is the same as the old. */
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

  /** How many bytes the top text shares with the one that was on top before. */
  get shared(): number {
    return this.#shared[this.#losers[0]!]!
  }

  #climb(list: number): void {
    const losers = this.#losers
    let winner = list
    for (let node = (list + this.#cursors.length) >> 1; node > 0; node >>= 1) {
      const other = losers[node]!
      if (other < 0) {
        // Nobody came here yet: waits for the other side.
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

  /** Whether the one list comes before the other; the loser learns what it shares with the winner. */
  #wins(one: number, other: number): boolean {
    if (this.#isOver[one] === 1) return false
    if (this.#isOver[other] === 1) return true
    const shared = this.#shared
    const same = shared[one]!
    if (same !== shared[other]) return same > shared[other]!
    const { bytes: a, length } = this.#cursors[one]!
    const { bytes: b, length: otherLength } = this.#cursors[other]!
    const most = Math.min(length, otherLength)
    let at = same
    while (at < most && a[at] === b[at]) at++
    const difference = at < most ? a[at]! - b[at]! : length - otherLength
    const isFirst = difference < 0 || (difference === 0 && one < other)
    shared[isFirst ? other : one] = at
    return isFirst
  }
}
