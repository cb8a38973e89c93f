/**
 * Exponential back-off between starts of something that keeps ending: the delay doubles up to a bound and begins anew
 * once a start has held for a while.
 */
export interface BackOffLimits {
  /** The first delay and the maximum, in milliseconds. */
  readonly first: number
  readonly max: number
  /** How long a start has to hold before it counts as healthy. */
  readonly healthyAfter: number
}

export class BackOff {
  readonly #limits: BackOffLimits
  readonly #now: () => number
  #failures = 0
  #startedAt: number | undefined

  constructor(limits: BackOffLimits, now: () => number = () => performance.now()) {
    this.#limits = limits
    this.#now = now
  }

  /** It runs. */
  started(): void {
    this.#startedAt = this.#now()
  }

  /** It ended, or did not start: how long to wait before the next try, in milliseconds. */
  next(): number {
    const { first, max, healthyAfter } = this.#limits
    if (this.#startedAt !== undefined && this.#now() - this.#startedAt >= healthyAfter) this.#failures = 0
    this.#startedAt = undefined
    const delay = Math.min(max, first * 2 ** this.#failures)
    this.#failures += 1
    return delay
  }
}
