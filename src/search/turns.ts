/**
 * Who works next in a thread that has many things to do at once. Work is cut into slices of a few milliseconds;
 * the next slice goes to whoever has had the least time so far. So a short search passes a hundred long ones, and
 * between slices the thread reads from its connections.
 */
import type { Steps } from './steps.ts'

/** Milliseconds. */
const slice = 4

/** One piece of work and the time it has had. */
export class Turn {
  readonly #turns: Turns
  #used = 0
  #since: number

  constructor(turns: Turns) {
    this.#turns = turns
    this.#since = performance.now()
  }

  get used(): number {
    return this.#used
  }

  /** Undefined: go on. Otherwise wait for it before going on. */
  pause(): Promise<void> | undefined {
    const now = performance.now()
    const spent = now - this.#since
    if (spent < slice) return undefined
    this.#used += spent
    return this.#turns.wait(this).then(() => {
      this.#since = performance.now()
    })
  }
}

interface Waiting {
  readonly turn: Turn
  readonly resolve: () => void
}

export class Turns {
  #waiting: Waiting[] = []
  #isScheduled = false

  /** A slice of this turn is over. */
  wait(turn: Turn): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ turn, resolve })
      this.#schedule()
    })
  }

  /** Runs steps slice by slice. `check` is called between slices and ends the work by throwing. */
  async run<Result>(steps: Steps<Result>, check: () => void): Promise<Result> {
    const turn = new Turn(this)
    // Whoever comes while others are waiting gets in line first; with no time used, at its front.
    if (this.#waiting.length > 0) await this.wait(turn)
    try {
      for (;;) {
        const { done, value } = steps.next()
        if (done) return value
        const pause = turn.pause()
        if (pause === undefined) continue
        await pause
        check()
      }
    } catch (error) {
      steps.return(undefined as Result)
      throw error
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#next()
      if (this.#waiting.length > 0) this.#schedule()
    })
  }

  /** Lets the one go on that has had the least; among equals the one that has waited longest. */
  #next(): void {
    let best = 0
    for (let i = 1; i < this.#waiting.length; i++) {
      if (this.#waiting[i]!.turn.used < this.#waiting[best]!.turn.used) best = i
    }
    const [chosen] = this.#waiting.splice(best, 1)
    chosen?.resolve()
  }
}
