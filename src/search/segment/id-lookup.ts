/**
 * The `_id`s of a segment in document order. An id is looked up in a hash table of document numbers with open
 * addressing and linear probing, at most half full, which is built on first use. Lucene uses the terms dictionary of
 * `_id` for this; the table costs memory but no disk, and one probe per lookup.
 */
import { backgroundWork } from '../scheduling/background-work.ts'
import type { BitSet } from './encoding/bit-set.ts'
import { fnv1a } from './encoding/fnv.ts'
import { type TextList, textAt } from './encoding/sections.ts'

const encoder = new TextEncoder()

export class IdLookup {
  #text: Uint8Array
  #ends: Uint32Array
  #roots: BitSet | null
  /** Slots of document number plus one; 0 is a free slot. */
  #table: Uint32Array | undefined

  constructor({ bytes, ends }: TextList, roots: BitSet | null) {
    this.#text = bytes
    this.#ends = ends
    this.#roots = roots
  }

  id(doc: number): string {
    return textAt({ bytes: this.#text, ends: this.#ends }, doc)
  }

  /** Returns the last root document with the id, or -1. */
  find(id: string): number {
    const table = this.#places()
    const bytes = encoder.encode(id)
    let found = -1
    for (
      let at = hashOf(bytes, 0, bytes.length) & (table.length - 1);
      table[at] !== 0;
      at = (at + 1) & (table.length - 1)
    ) {
      const doc = table[at]! - 1
      if (this.#equals(doc, bytes) && doc > found) found = doc
    }
    return found
  }

  #equals(doc: number, bytes: Uint8Array): boolean {
    const start = doc === 0 ? 0 : this.#ends[doc - 1]!
    if (this.#ends[doc]! - start !== bytes.length) return false
    for (let i = 0; i < bytes.length; i++) if (this.#text[start + i] !== bytes[i]) return false
    return true
  }

  #places(): Uint32Array {
    if (this.#table !== undefined) return this.#table
    const ids = { bytes: this.#text, ends: this.#ends }
    backgroundWork.give<Uint32Array>({
      owner: this,
      key: 'table',
      job: () => ({ kind: 'ids', ids, roots: this.#roots?.words ?? null }),
      keep: (table) => {
        this.#table = table
      },
      millis: this.#ends.length / idsPerMilli,
    })
    this.#table = idTable(ids, this.#roots)
    return this.#table
  }
}

/** Ids inserted per millisecond by code that has not been optimised yet. */
const idsPerMilli = 4 * 1024

/** Returns the size in bytes of the table for this many documents. */
export function idTableBytes(docCount: number): number {
  return tableSize(docCount) * 4
}

function tableSize(docCount: number): number {
  let size = 16
  while (size < docCount * 2) size *= 2
  return size
}

/** Builds the table: by hash of the id, document number plus one, 0 for a free slot. */
export function idTable({ bytes, ends }: TextList, roots: BitSet | null): Uint32Array {
  const size = tableSize(ends.length)
  const table = new Uint32Array(size)
  for (let doc = 0; doc < ends.length; doc++) {
    if (roots !== null && !roots.has(doc)) continue
    let at = hashOf(bytes, doc === 0 ? 0 : ends[doc - 1]!, ends[doc]!) & (size - 1)
    while (table[at] !== 0) at = (at + 1) & (size - 1)
    table[at] = doc + 1
  }
  return table
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  const hash = fnv1a(bytes, from, to)
  return (hash ^ (hash >>> 15)) >>> 0
}
