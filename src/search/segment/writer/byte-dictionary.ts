/**
 * A dictionary of distinct byte strings with ids in order of arrival, like Lucene's BytesRefHash: one byte array, a
 * hash table with open addressing and linear probing. A slot holds the upper hash bits beside the id, so that most
 * probes miss without touching the bytes, since cache misses dominate the cost. Callers bring the hash, because it
 * falls out of scanning the text; one dictionary must always be used with the same hash function.
 */

import { type BuilderMemory, memoryFrom } from '../encoding/builder-memory.ts'
import { copyBytes } from '../encoding/copy-bytes.ts'
import { nextCapacity } from '../encoding/growing-array.ts'
import type { TextList } from '../encoding/sections.ts'

const initialSlots = 64
const initialBytes = 1024
/** From this many slots on, the table no longer fits in the nearest CPU caches. */
const minPrefetchSlots = 8 * 1024
/** Behind the bytes there is always room to load a whole word. */
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
  /** Upper hash bits and id plus one; an id needs no more bits than a slot number. 0 is a free slot. */
  #table: Int32Array
  #mask = initialSlots - 1
  /** The sum of what `prefetch` read. Nobody needs it, but the JIT would remove reads without an effect. */
  prefetched = 0
  /** Hashes by id, for growing the table. */
  #hashes: Int32Array

  constructor(memory?: BuilderMemory, expected = noTexts) {
    this.#memory = memory
    this.#expected = expected
    this.bytes = new Uint8Array(memoryFrom(memory, initialBytes))
    this.ends = new Uint32Array(memoryFrom(memory, initialSlots * 2))
    this.#table = new Int32Array(memoryFrom(memory, initialSlots * 4))
    this.#hashes = new Int32Array(memoryFrom(memory, initialSlots * 2))
    this.#view = new DataView(this.bytes.buffer)
  }

  get byteLength(): number {
    return this.#length
  }

  startOf(id: number): number {
    return id === 0 ? 0 : this.ends[id - 1]!
  }

  /** Returns the texts so far; later ones go to other memory. */
  texts(): TextList {
    return { bytes: this.bytes.subarray(0, this.#length), ends: this.ends.subarray(0, this.size) }
  }

  /**
   * Touches the slots and bytes that looking up these hashes will need; they are in `rows` from `first` on, `step`
   * apart. Their cache misses overlap here, where one lookup after the other would wait for each.
   */
  prefetch(rows: Int32Array, first: number, step: number, length: number): void {
    const mask = this.#mask
    if (mask < minPrefetchSlots) return
    const table = this.#table
    const { ends, bytes } = this
    let sum = 0
    for (let at = first; at < length; at += step) {
      const word = table[mixHash(rows[at]!) & mask]!
      if (word !== 0) sum += bytes[ends[(word & mask) - 1]!]!
    }
    this.prefetched = sum
  }

  /** Returns the id of the text in `view[from, to)`, or -1. */
  find(view: DataView, from: number, to: number, hash: number): number {
    const table = this.#table
    const mask = this.#mask
    const spread = mixHash(hash)
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

  /** Adds a text that is not in the dictionary. */
  insert(view: DataView, from: number, to: number, hash: number): number {
    const id = this.size++
    const length = to - from
    this.#reserve(length)
    const start = this.#length
    copyBytes(view, from, to, this.#view, start)
    this.#length = start + length
    this.ends[id] = this.#length
    this.#hashes[id] = mixHash(hash)
    place(this.#table, this.#mask, mixHash(hash), id)
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
    const room = nextCapacity(this.bytes.length, this.#expected.bytes + padding)
    const larger = new Uint8Array(memoryFrom(this.#memory, Math.max(needed, room)))
    larger.set(this.bytes.subarray(0, this.#length))
    this.#memory?.drop(this.bytes.buffer)
    this.bytes = larger
    this.#view = new DataView(larger.buffer)
  }

  #grow(): void {
    const room = nextCapacity(this.#mask + 1, this.#expected.count * 2)
    let mask = this.#mask * 2 + 1
    while (mask < room - 1) mask = mask * 2 + 1
    // Nobody else reads table and hashes, so their memory can be reused at once. The new table must be zeroed.
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

/** Lets all bits influence the lower ones; the mapping is a bijection. */
function mixHash(hash: number): number {
  return hash ^ (hash >>> 15)
}

function place(table: Int32Array, mask: number, hash: number, id: number): void {
  let at = hash & mask
  while (table[at] !== 0) at = (at + 1) & mask
  table[at] = (hash & ~mask) | (id + 1)
}

/** The last word overlaps bytes that were compared before. */
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
