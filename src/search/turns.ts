/**
 * Who works next in a thread that has many things to do at once. Work is cut into slices of a few milliseconds;
 * the next slice goes to whoever has had the least time so far. So a short search passes a hundred long ones, and
 * between slices the thread reads from its connections.
 */
import type { Steps } from './steps.ts'

/** Milliseconds. */
const slice = 4
/** Whoever has had less than this may be about to end. */
const beginning = 3 * slice
/** Such work waits no longer than this while newer work passes it. */
const longestWait = 1000

/** One piece of work and the time it has had. */
export class Turn {
  readonly #turns: Turns
  /** When the work came. */
  readonly came = performance.now()
  #used = 0
  #since = this.came

  constructor(turns: Turns) {
    this.#turns = turns
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
    return this.queue()
  }

  /** Resolves when it is this one's turn. */
  queue(): Promise<void> {
    return this.#turns.wait(this).then(() => {
      this.#since = performance.now()
    })
  }
}

interface Waiting {
  readonly turn: Turn
  readonly since: number
  readonly resolve: () => void
}

export class Turns {
  #waiting: Waiting[] = []
  #isScheduled = false

  /** A slice of this turn is over. */
  wait(turn: Turn): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ turn, resolve, since: performance.now() })
      this.#schedule()
    })
  }

  /** Runs steps slice by slice. `check` is called between slices and ends the work by throwing. */
  async run<Result>(steps: Steps<Result>, check: () => void): Promise<Result> {
    const turn = new Turn(this)
    // Whoever comes while others are waiting gets in line first; with no time used, at its front.
    if (this.#waiting.length > 0) await turn.queue()
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

  #next(): void {
    const [chosen] = this.#waiting.splice(this.#choice(), 1)
    chosen?.resolve()
  }

  /**
   * The one that has had the least. Of those that have hardly had anything the one that came last, because nobody knows
   * how long the others will take; but none of them waits for ever.
   */
  #choice(): number {
    const waiting = this.#waiting
    const tooLong = performance.now() - longestWait
    let best = 0
    for (let i = 0; i < waiting.length; i++) {
      const { turn, since } = waiting[i]!
      if (turn.used < beginning && since < tooLong) return i
      const least = waiting[best]!.turn
      if (turn.used < beginning && least.used < beginning) {
        if (turn.came >= least.came) best = i
      } else if (turn.used < least.used) best = i
    }
    return best
  }
}
