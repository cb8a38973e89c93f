/** Decoded postings of a field, kept up to a bound. */
import type { Postings } from './segment.ts'

/** In numbers. */
const mostKept = 4_000_000

export class KeptPostings {
  readonly #kept = new Map<number, Postings>()
  #numbers = 0

  get(ordinal: number): Postings | undefined {
    return this.#kept.get(ordinal)
  }

  /** Positions are decoded later, if at all, so they are counted as if they were there. */
  keep(ordinal: number, postings: Postings): Postings {
    const numbers = postings.docs.length * 3
    if (this.#numbers + numbers > mostKept) {
      this.#kept.clear()
      this.#numbers = 0
    }
    this.#kept.set(ordinal, postings)
    this.#numbers += numbers
    return postings
  }
}
