/**
 * Lets a few requests at a time into the queue and makes some others wait. One that finds too many waiting, or
 * waits too long, is turned away: it never reached the queue, so its client may send it again without doubling it.
 */
interface Waiting {
  readonly enter: (allowed: boolean) => void
  readonly timer: NodeJS.Timeout
}

interface GateLimits {
  /** Requests inside at once. */
  readonly inside: number
  /** Requests that may wait. */
  readonly waiting: number
  /** How long one may wait. */
  readonly milliseconds: number
}

export class Gate {
  readonly #limits: GateLimits
  #inside = 0
  #waiting = new Set<Waiting>()
  #isClosed = false

  constructor(limits: GateLimits) {
    this.#limits = limits
  }

  /** True: come in, and `leave` afterwards. False: turned away. */
  enter(): boolean | Promise<boolean> {
    if (this.#isClosed) return false
    if (this.#inside < this.#limits.inside) {
      this.#inside += 1
      return true
    }
    if (this.#waiting.size >= this.#limits.waiting) return false
    return new Promise((enter) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting)
        enter(false)
      }, this.#limits.milliseconds)
      const waiting: Waiting = { enter, timer }
      this.#waiting.add(waiting)
    })
  }

  leave(): void {
    for (const next of this.#waiting) {
      this.#waiting.delete(next)
      clearTimeout(next.timer)
      next.enter(true)
      return
    }
    this.#inside -= 1
  }

  /** Turns away everybody who waits and who comes from now on. */
  close(): void {
    this.#isClosed = true
    for (const { enter, timer } of this.#waiting) {
      clearTimeout(timer)
      enter(false)
    }
    this.#waiting.clear()
  }
}
