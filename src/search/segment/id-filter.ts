/**
 * A Bloom filter over the ids of a segment. A write with an id of its own has to know whether a segment has a document
 * with that id; nearly always none has, and the filter says so with two and a half bytes a document instead of all ids
 * of the segment. Double hashing after Kirsch and Mitzenmacher. At 20 bits and 14 probes an id one look-up in 15,000 is
 * a false positive, after which the ids themselves are read.
 */
import { fnv1a, fnvBasis } from './encoding/fnv.ts'
import type { TextList } from './encoding/sections.ts'

const bitsPerId = 20
const probes = 14

const encoder = new TextEncoder()

/** Two independent hashes of an id, computed once for all segments that are asked. */
export interface IdHash {
  readonly first: number
  readonly second: number
}

export function hashOfId(id: string): IdHash {
  const bytes = encoder.encode(id)
  return {
    first: hashOf(bytes, 0, bytes.length, fnvBasis),
    second: hashOf(bytes, 0, bytes.length, otherBasis),
  }
}

const otherBasis = 0x2545_f491

/** FNV-1a from the given basis, with the finalizer of MurmurHash3: neighbouring ids differ in their last byte only. */
function hashOf(bytes: Uint8Array, from: number, to: number, basis: number): number {
  let hash = fnv1a(bytes, from, to, basis)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

export class IdFilter {
  /** The bits, eight to a byte, as the file has them. */
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** An empty one with room for so many ids. */
  static ofSize(idCount: number): IdFilter {
    return new IdFilter(new Uint8Array(Math.max(8, Math.ceil((idCount * bitsPerId) / 8))))
  }

  add(text: Uint8Array, from: number, to: number): void {
    const { bytes } = this
    const bits = bytes.length * 8
    const step = hashOf(text, from, to, otherBasis) | 1
    let hash = hashOf(text, from, to, fnvBasis)
    for (let i = 0; i < probes; i++) {
      const bit = hash % bits
      bytes[bit >>> 3]! |= 1 << (bit & 7)
      hash = (hash + step) >>> 0
    }
  }

  addAll({ bytes, ends }: TextList): void {
    for (let i = 0, start = 0; i < ends.length; i++) {
      this.add(bytes, start, ends[i]!)
      start = ends[i]!
    }
  }

  /** False: no document has the id. True: one may have it. */
  mayHave({ first, second }: IdHash): boolean {
    const { bytes } = this
    const bits = bytes.length * 8
    const step = second | 1
    let hash = first
    for (let i = 0; i < probes; i++) {
      const bit = hash % bits
      if ((bytes[bit >>> 3]! & (1 << (bit & 7))) === 0) return false
      hash = (hash + step) >>> 0
    }
    return true
  }
}
