/**
 * Hashes of terms by ordinal, for counting distinct terms. Making a string of a term to hash it costs far more than
 * counting it, so the hashes of a segment's field are computed once and stay in the decoded cache, 4 bytes a term.
 */
import { type CachedValue, decodedCache } from '../../segment/decoded-cache.ts'
import type { TermColumnView } from './columns.ts'

const known = new WeakMap<object, CachedValue<Uint32Array>>()

export class TermHashes {
  readonly #column: TermColumnView
  /** 0 until computed. */
  readonly #hashes: Uint32Array
  readonly #hashOf: (term: string) => number

  constructor(column: TermColumnView, hashOf: (term: string) => number) {
    this.#hashOf = hashOf
    this.#column = column
    this.#hashes = hashesOf(column)
  }

  hash(ordinal: number): number {
    const hash = this.#hashes[ordinal]!
    return hash === 0 ? this.#compute(ordinal) : hash
  }

  #compute(ordinal: number): number {
    const hash = this.#hashOf(this.#column.term(ordinal))
    this.#hashes[ordinal] = hash
    return hash
  }
}

function hashesOf({ dictionary, size }: TermColumnView): Uint32Array {
  const cached = dictionary === undefined ? undefined : known.get(dictionary)?.value
  if (cached !== undefined) return cached
  const hashes = new Uint32Array(size)
  if (dictionary !== undefined) known.set(dictionary, decodedCache.hold(hashes, hashes.byteLength))
  return hashes
}
