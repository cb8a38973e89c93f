/**
 * Requests that come at once: hundreds may, as the thread reads from all its connections before it does anything else.
 * Those that come first are worked on; when that took as long as a slice, the others wait until the connections were
 * looked at again. They go on in the order in which they came.
 */

/** Milliseconds of work between two looks at the connections. */
export const slice = 4
/** How many go on between two looks at most. */
const maxAtOnce = 64

export class RequestIntake {
  /** When work began since the last look; undefined as long as it did not. */
  #since: number | undefined
  #waiting: (() => void)[] = []
  #isScheduled = false
  readonly #now: () => number

  /** `now` tells milliseconds. */
  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** Has as much been done since the last look as may be done? Asking counts as the beginning of work. */
  get isOver(): boolean {
    if (this.#since === undefined) this.begin()
    return this.#now() - this.#since! >= slice
  }

  /** Work begins that may take a slice, whatever was done before. */
  begin(): void {
    this.#since = this.#now()
    setImmediate(() => {
      this.#since = undefined
    })
  }

  /** Undefined: go on. Otherwise wait for it. */
  come(): Promise<void> | undefined {
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
    // What one of them does at once is done when the next is called.
    const goOn = (): void => {
      if (since === undefined) this.begin()
      since ??= this.#now()
      if (this.#now() - since < slice) this.#waiting.shift()?.()
    }
    for (let i = Math.min(this.#waiting.length, maxAtOnce); i > 0; i--) setImmediate(goOn)
    setImmediate(() => {
      this.#isScheduled = false
      if (this.#waiting.length > 0) this.#schedule()
    })
  }
}
