/**
 * Distinct texts as bytes, numbered in the order in which they came; the bytes lie one after the other in one block.
 * Open addressing over words, because most of what looking up costs is memory that is far away: the lower bits of the
 * hash say where to look, and the word there has the others beside the number. Whoever asks brings the hash, because it
 * falls out of reading the text; one dictionary must always be asked with the same kind of hash.
 */

import { type BuilderMemory, memoryFrom } from '../encoding/builder-memory.ts'
import { copyBytes } from '../encoding/copy-bytes.ts'
import { nextRoom } from '../encoding/growing-array.ts'
import type { TextList } from '../encoding/sections.ts'

const firstPlaces = 64
const firstBytes = 1024
/** A table with as many places is no longer near the processor. */
const farPlaces = 8 * 1024
/** Behind the bytes there is always room for a word to be read. */
const padding = 8

export interface TextCount {
  readonly count: number
  readonly bytes: number
}

export const noTexts: TextCount = { count: 0, bytes: 0 }

export class ByteDictionary implements TextList {
  size = 0
  bytes: Uint8Array
  ends: Uint32Array
  #view: DataView
  /** As in `growing-array.ts`. */
  readonly #memory: BuilderMemory | undefined
  readonly #expected: TextCount
  #length = 0
  /** The upper bits of the hash and the number plus one, which needs no more bits than a place; 0 for a free place. */
  #table: Int32Array
  #mask = firstPlaces - 1
  /** What `approach` read: nobody needs it, but reading without an effect would be left out. */
  approached = 0
  /** By number, for a larger table. */
  #hashes: Int32Array

  constructor(memory?: BuilderMemory, expected = noTexts) {
    this.#memory = memory
    this.#expected = expected
    this.bytes = new Uint8Array(memoryFrom(memory, firstBytes))
    this.ends = new Uint32Array(memoryFrom(memory, firstPlaces * 2))
    this.#table = new Int32Array(memoryFrom(memory, firstPlaces * 4))
    this.#hashes = new Int32Array(memoryFrom(memory, firstPlaces * 2))
    this.#view = new DataView(this.bytes.buffer)
  }

  get byteLength(): number {
    return this.#length
  }

  startOf(id: number): number {
    return id === 0 ? 0 : this.ends[id - 1]!
  }

  /** As it is now; what is added later is elsewhere. */
  texts(): TextList {
    return { bytes: this.bytes.subarray(0, this.#length), ends: this.ends.subarray(0, this.size) }
  }

  /**
   * Reads what looking up texts with these hashes begins with; they stand in `rows` from `first` on, `step` apart. Memory
   * that is far away comes for all of them at once that way, where one after the other would wait for its own.
   */
  approach(rows: Int32Array, first: number, step: number, length: number): void {
    const mask = this.#mask
    if (mask < farPlaces) return
    const table = this.#table
    const { ends, bytes } = this
    let sum = 0
    for (let at = first; at < length; at += step) {
      const word = table[mixed(rows[at]!) & mask]!
      if (word !== 0) sum += bytes[ends[(word & mask) - 1]!]!
    }
    this.approached = sum
  }

  /** Number of the text that `view` shows from `from` to `to`; -1 when it is not there. */
  find(view: DataView, from: number, to: number, hash: number): number {
    const table = this.#table
    const mask = this.#mask
    const spread = mixed(hash)
    const upper = spread & ~mask
    for (let at = spread & mask; ; at = (at + 1) & mask) {
      const word = table[at]!
      if (word === 0) return -1
      if ((word & ~mask) !== upper) continue
      const id = (word & mask) - 1
      if (this.#equals(id, view, from, to)) return id
    }
  }

  #equals(id: number, view: DataView, from: number, to: number): boolean {
    const start = id === 0 ? 0 : this.ends[id - 1]!
    const length = to - from
    if (this.ends[id]! - start !== length) return false
    return areSame(this.#view, start, view, from, length)
  }

  /** Adds a text that is not there, given as to `find`. */
  insert(view: DataView, from: number, to: number, hash: number): number {
    const id = this.size++
    const length = to - from
    this.#reserve(length)
    const start = this.#length
    copyBytes(view, from, to, this.#view, start)
    this.#length = start + length
    this.ends[id] = this.#length
    this.#hashes[id] = mixed(hash)
    place(this.#table, this.#mask, mixed(hash), id)
    if (this.size * 2 > this.#mask) this.#grow()
    return id
  }

  idOf(view: DataView, from: number, to: number, hash: number): number {
    const id = this.find(view, from, to, hash)
    return id >= 0 ? id : this.insert(view, from, to, hash)
  }

  #reserve(more: number): void {
    const needed = this.#length + more + padding
    if (needed <= this.bytes.length) return
    const room = nextRoom(this.bytes.length, this.#expected.bytes + padding)
    const larger = new Uint8Array(memoryFrom(this.#memory, Math.max(needed, room)))
    larger.set(this.bytes.subarray(0, this.#length))
    this.#memory?.drop(this.bytes.buffer)
    this.bytes = larger
    this.#view = new DataView(larger.buffer)
  }

  #grow(): void {
    const room = nextRoom(this.#mask + 1, this.#expected.count * 2)
    let mask = this.#mask * 2 + 1
    while (mask < room - 1) mask = mask * 2 + 1
    // Nobody else sees table and hashes. The table must be empty; it is never more than half full.
    this.#memory?.giveBack(this.#table.buffer)
    const table = new Int32Array(memoryFrom(this.#memory, (mask + 1) * 4), 0, mask + 1)
    if (this.#memory !== undefined) table.fill(0)
    const hashes = new Int32Array(memoryFrom(this.#memory, (mask + 1) * 2))
    hashes.set(this.#hashes)
    this.#memory?.giveBack(this.#hashes.buffer)
    for (let id = 0; id < this.size; id++) place(table, mask, hashes[id]!, id)
    this.#table = table
    this.#mask = mask
    this.#hashes = hashes
    const ends = new Uint32Array(memoryFrom(this.#memory, (mask + 1) * 2))
    ends.set(this.ends)
    this.#memory?.drop(this.ends.buffer)
    this.ends = ends
  }
}

/** So that all bits have a say in the lower ones; no two hashes become the same. */
function mixed(hash: number): number {
  return hash ^ (hash >>> 15)
}

function place(table: Int32Array, mask: number, hash: number, id: number): void {
  let at = hash & mask
  while (table[at] !== 0) at = (at + 1) & mask
  table[at] = (hash & ~mask) | (id + 1)
}

/** The last word is compared together with bytes that were compared before. */
function areSame(one: DataView, at: number, other: DataView, from: number, length: number): boolean {
  const last = length - 4
  let i = 0
  if (last < 0) {
    for (; i < length; i++) if (one.getUint8(at + i) !== other.getUint8(from + i)) return false
    return true
  }
  for (; i < last; i += 4) if (one.getInt32(at + i, true) !== other.getInt32(from + i, true)) return false
  return one.getInt32(at + last, true) === other.getInt32(from + last, true)
}
