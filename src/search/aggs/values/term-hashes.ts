/**
 * Hashes of terms by ordinal, for counting distinct terms. Making a string of a term to hash it costs far more than
 * counting it, so the hashes of a segment's field are computed once and stay in the decoded cache, 8 bytes a term.
 */
import { type CachedValue, decodedCache } from '../../segment/decoded-cache.ts'
import { hashText } from '../numbers/value-hash.ts'
import type { TermColumnView } from './columns.ts'

const known = new WeakMap<object, CachedValue<Float64Array>>()

export class TermHashes {
  readonly #column: TermColumnView
  /** 0 until computed. */
  readonly #hashes: Float64Array

  constructor(column: TermColumnView) {
    this.#column = column
    this.#hashes = hashesOf(column)
  }

  hash(ordinal: number): number {
    const hash = this.#hashes[ordinal]!
    return hash === 0 ? this.#compute(ordinal) : hash
  }

  #compute(ordinal: number): number {
    const hash = hashText(this.#column.term(ordinal))
    this.#hashes[ordinal] = hash
    return hash
  }
}

function hashesOf({ dictionary, size }: TermColumnView): Float64Array {
  const cached = dictionary === undefined ? undefined : known.get(dictionary)?.value
  if (cached !== undefined) return cached
  const hashes = new Float64Array(size)
  if (dictionary !== undefined) known.set(dictionary, decodedCache.hold(hashes, hashes.byteLength))
  return hashes
}
