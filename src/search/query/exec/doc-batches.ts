/** Reads the documents of a set in rising order, some at a time, without an array of all of them. */
import { trailingZeros } from '../../segment/encoding/bit-set.ts'
import type { DocSet } from './doc-set.ts'

export class DocBatches {
  readonly #docs: DocSet
  readonly #words: Uint32Array | undefined
  /** How many were read. */
  #read = 0
  /** The index of the current word of bits, and what is left of it. */
  #at = 0
  #word = 0

  constructor(docs: DocSet) {
    this.#docs = docs
    this.#words = docs.onlyBits?.words
    this.#word = (this.#words?.[0] ?? 0) | 0
  }

  /** How many are left. */
  get left(): number {
    return this.#docs.count - this.#read
  }

  /** Returns the next documents, at most `max`. They may be in `room`, which must have as many places. */
  next(max: number, room: Uint32Array): Uint32Array {
    const from = this.#read
    const count = Math.min(max, this.left)
    this.#read += count
    if (this.#words !== undefined) return this.#members(this.#words, count, room)
    const { start } = this.#docs
    if (start === undefined) return this.#docs.array().subarray(from, from + count)
    for (let i = 0; i < count; i++) room[i] = start + from + i
    return room.subarray(0, count)
  }

  #members(words: Uint32Array, count: number, room: Uint32Array): Uint32Array {
    let at = this.#at
    let word = this.#word
    let i = 0
    // Whole words, as long as there is room for all bits of one.
    while (count - i >= 32) {
      for (; word !== 0; word &= word - 1) room[i++] = (at << 5) + trailingZeros(word)
      word = words[++at]! | 0
    }
    for (; i < count; word &= word - 1) {
      while (word === 0) word = words[++at]! | 0
      room[i++] = (at << 5) + trailingZeros(word)
    }
    this.#at = at
    this.#word = word
    return room.subarray(0, count)
  }
}
