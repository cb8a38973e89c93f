/**
 * An LRU cache of decoded postings for one field. Long lists are entries of the thread's decoded cache, if the field
 * has one; short lists, and all lists otherwise, are bounded by a small limit of the field itself and freed with it.
 */
import type { CachedValue, DecodedCache } from '../decoded-cache.ts'
import type { Postings } from '../segment.ts'

/** Lists of at least this many documents are entries of their own. */
const minLongList = 4096
/** Estimated bytes per document: number, frequency, and positions, which are decoded later if at all. */
const bytesPerDoc = 16
/** Estimated bytes of the objects around a list. */
const bytesPerList = 400
const maxShort = 1024 * 1024
const maxTotal = 20 * 1024 * 1024

export class PostingsCache {
  readonly #memory: DecodedCache | null
  readonly #long = new Map<number, CachedValue<Postings>>()
  /** A Map in least-recently-used order. */
  readonly #own = new Map<number, Postings>()
  #ownBytes = 0

  constructor(memory: DecodedCache | null = null) {
    this.#memory = memory
  }

  get(ordinal: number): Postings | undefined {
    const known = this.#own.get(ordinal)
    if (known === undefined) return this.#long.get(ordinal)?.value
    this.#own.delete(ordinal)
    this.#own.set(ordinal, known)
    return known
  }

  keep(ordinal: number, postings: Postings): Postings {
    const bytes = bytesOf(postings)
    if (this.#memory !== null && postings.docs.length >= minLongList) {
      this.#long.set(ordinal, this.#memory.hold(postings, bytes))
      return postings
    }
    this.#own.set(ordinal, postings)
    this.#ownBytes += bytes
    const most = this.#memory === null ? maxTotal : maxShort
    for (const [oldest, list] of this.#own) {
      if (this.#ownBytes <= most || oldest === ordinal) break
      this.#own.delete(oldest)
      this.#ownBytes -= bytesOf(list)
    }
    return postings
  }
}

function bytesOf({ docs }: Postings): number {
  return docs.length * bytesPerDoc + bytesPerList
}
