/**
 * Admission control for requests that arrive at once: there may be hundreds, because the event loop reads all
 * connections before anything else runs. The first ones run; after a slice of work the others wait until the event
 * loop has polled again, and continue first come, first served.
 */

/** Milliseconds of work between two polls of the event loop. */
export const sliceMillis = 4
/** How many requests continue between two polls. */
const maxAdmittedPerPoll = 64

export class RequestAdmission {
  /** When work began since the last poll; undefined before it does. */
  #since: number | undefined
  #waiting: (() => void)[] = []
  #isScheduled = false
  readonly #now: () => number

  /** `now` returns milliseconds. */
  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** True when a slice of work was done since the last poll. The first call starts the slice. */
  get isOver(): boolean {
    if (this.#since === undefined) this.begin()
    return this.#now() - this.#since! >= sliceMillis
  }

  /** Starts a new slice. */
  begin(): void {
    this.#since = this.#now()
    setImmediate(() => {
      this.#since = undefined
    })
  }

  /** Returns undefined to continue, or a promise to wait for. */
  admit(): Promise<void> | undefined {
    if (this.#waiting.length === 0 && !this.isOver) return undefined
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    let since: number | undefined
    // Resolving one request runs its synchronous work before the next one is resolved.
    const resume = (): void => {
      if (since === undefined) this.begin()
      since ??= this.#now()
      if (this.#now() - since < sliceMillis) this.#waiting.shift()?.()
    }
    for (let i = Math.min(this.#waiting.length, maxAdmittedPerPoll); i > 0; i--) setImmediate(resume)
    setImmediate(() => {
      this.#isScheduled = false
      if (this.#waiting.length > 0) this.#schedule()
    })
  }
}
