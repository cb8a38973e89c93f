/**
 * Decoded postings of a field, kept as long as there is room; what was not asked for longest goes first. Long lists
 * count with all else that is decoded, where the field is given that memory; otherwise, and short ones always, the
 * field has a small limit of its own, and all of it goes with the field.
 */
import type { DecodedMemory, Held } from '../decoded-cache.ts'
import type { Postings } from '../segment.ts'

/** Documents of a list that is worth an entry of its own. */
const long = 4096
/** Bytes: of documents, frequencies, and positions, which are decoded later, if at all. */
const perDocument = 16
/** The objects around a list. */
const perList = 400
const maxShort = 1024 * 1024
const maxTotal = 20 * 1024 * 1024

export class KeptPostings {
  readonly #memory: DecodedMemory | null
  readonly #long = new Map<number, Held<Postings>>()
  /** In the order of their last use. */
  readonly #own = new Map<number, Postings>()
  #ownBytes = 0

  constructor(memory: DecodedMemory | null = null) {
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
    if (this.#memory !== null && postings.docs.length >= long) {
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
  return docs.length * perDocument + perList
}
