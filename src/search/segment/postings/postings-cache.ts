/**
 * An LRU cache of decoded postings for one field. Long lists are entries of the thread's decoded cache, if the field
 * has one; short lists, and all lists otherwise, are bounded by a small limit of the field itself and freed with it.
 */
import type { CachedValue, DecodedCache } from '../decoded-cache.ts'
import type { PostingPositions, Postings } from '../segment.ts'

/** Lists of at least this many documents are entries of their own. */
const minLongList = 4096
/** Estimated bytes per document of positions, which are decoded later if at all. */
const positionBytes = 8
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
    if (this.#memory !== null && postings.docs.length >= minLongList)
      return this.#keepLong(ordinal, postings, this.#memory)
    this.#own.set(ordinal, postings)
    this.#ownBytes += bytesWithPositions(postings)
    const max = this.#memory === null ? maxTotal : maxShort
    for (const [oldest, list] of this.#own) {
      if (this.#ownBytes <= max || oldest === ordinal) break
      this.#own.delete(oldest)
      this.#ownBytes -= bytesWithPositions(list)
    }
    return postings
  }

  #keepLong(ordinal: number, { docs, freqs, positions }: Postings, memory: DecodedCache): Postings {
    const counted =
      positions && new CountedPositions(positions, (bytes) => memory.grow(held as CachedValue<object>, bytes))
    const postings = { docs, freqs, positions: counted }
    const held = memory.hold<Postings>(postings, bytesOf(postings))
    this.#long.set(ordinal, held)
    return postings
  }
}

/** Positions that are counted once somebody reads them. */
class CountedPositions implements PostingPositions {
  readonly #given: PostingPositions
  #count: ((bytes: number) => void) | undefined

  constructor(given: PostingPositions, count: (bytes: number) => void) {
    this.#given = given
    this.#count = count
  }

  get starts(): Uint32Array {
    return this.#decoded.starts
  }

  get values(): Uint32Array {
    return this.#decoded.values
  }

  get #decoded(): PostingPositions {
    if (this.#count !== undefined) {
      const { starts, values } = this.#given
      this.#count(starts.byteLength + values.byteLength)
      this.#count = undefined
    }
    return this.#given
  }
}

function bytesOf({ docs, freqs }: Postings): number {
  return docs.byteLength + (freqs?.byteLength ?? 0) + bytesPerList
}

function bytesWithPositions(postings: Postings): number {
  return bytesOf(postings) + (postings.positions === null ? 0 : postings.docs.length * positionBytes)
}
