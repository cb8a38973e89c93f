/**
 * Bounds the time that slow searches of one thread take together. Each search has a time limit, but a document may have
 * thousands of texts, and thousands of searches that stay just below their limits hold the thread for hours.
 *
 * A token bucket: what a search takes beyond what its text explains is drawn from it, and a tenth of the time that
 * passes flows back. When it is empty, slow searches fail and quick ones go on.
 */
import { performance } from 'node:perf_hooks'

const capacityMillis = 2000
const refillShare = 0.1
/** What a search of any pattern may take. */
const freeMillis = 1
/** What each character adds to that: ten times what plain patterns need. */
const freeMillisPerChar = 0.0005
/** A search that begins with an empty bucket may still turn out to be quick. */
const minTimeout = 50
const maxTimeout = 1000

export class SlowSearches {
  readonly #now: () => number
  #left = capacityMillis
  #at: number

  constructor(now = () => performance.now()) {
    this.#now = now
    this.#at = now()
  }

  /**
   * Runs `search` with the time limit it gets. Throws what `exhausted` makes when the search was slow and nothing is
   * left.
   */
  run<Result>(
    text: string,
    search: (timeout: number) => Result,
    exhausted: (timeout: number) => Error,
  ): Result {
    const start = this.#now()
    this.#left = Math.min(capacityMillis, this.#left + (start - this.#at) * refillShare)
    this.#at = start
    const timeout = Math.max(minTimeout, Math.min(maxTimeout, this.#left))
    const free = freeMillis + text.length * freeMillisPerChar
    try {
      const result = search(timeout)
      if (this.#now() - start <= free) return result
    } catch (error) {
      this.#left -= this.#now() - start
      throw error
    }
    // A busy machine or the collector of garbage may have stopped the thread meanwhile: only what is slow twice is slow.
    const again = this.#now()
    const result = search(timeout)
    const slow = this.#now() - again - free
    if (slow > 0) this.#left -= slow
    if (slow > 0 && this.#left <= 0) throw exhausted(timeout)
    return result
  }
}

/** The bucket that all patterns of this thread draw on. */
export const slowSearches = new SlowSearches()
