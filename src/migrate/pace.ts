/** Keeps a migration below a number of documents in a second, and says how fast it is. */
import { setTimeout as wait } from 'node:timers/promises'

export class Pace {
  readonly #perSecond: number
  readonly #signal: AbortSignal | undefined
  #due = 0

  constructor(perSecond = Number.POSITIVE_INFINITY, signal?: AbortSignal) {
    this.#perSecond = perSecond
    this.#signal = signal
  }

  /** Resolves when so many documents more may be written. */
  async take(count: number): Promise<void> {
    this.#signal?.throwIfAborted()
    if (this.#perSecond === Number.POSITIVE_INFINITY) return
    const now = performance.now()
    const start = Math.max(now, this.#due)
    this.#due = start + (count / this.#perSecond) * 1000
    if (start > now) await wait(start - now, undefined, { signal: this.#signal })
  }
}
