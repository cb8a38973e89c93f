/**
 * Who works next in a thread that has many things to do at once. Work is cut into slices of a few milliseconds;
 * the next slice goes to whoever has had the least time so far. So a short search passes a hundred long ones, and
 * between slices the thread reads from its connections.
 */

import { backgroundWork } from './background-work.ts'
import { NotReady } from './not-ready.ts'
import { RequestIntake, slice } from './request-intake.ts'
import type { Steps } from './steps.ts'

/**
 * What work that will take long counts as having had when it comes: short work goes before it, also when that has to
 * read something from the disk first.
 */
const handicap = 25 * slice
/** A slice that took longer, because a step could not be cut, counts as no more than this. */
const maxCounted = 2 * slice
/**
 * Of many connections that come at once every round of the event loop takes one: as long as requests come there are
 * rounds without a slice. In milliseconds, as those who wait for a slice must get some.
 */
const maxRounds = 2 * slice
/** One slice out of so many goes to whoever has waited longest, so that nobody waits for ever. */
const everyNth = 8

/** One piece of work and the time it has had. */
export class ScheduledTask {
  readonly #scheduler: FairScheduler
  #used: number
  #since = performance.now()

  constructor(scheduler: FairScheduler, isLong: boolean) {
    this.#scheduler = scheduler
    this.#used = isLong ? handicap : 0
  }

  get used(): number {
    return this.#used
  }

  /** Undefined: go on. Otherwise wait for it before going on. */
  pause(): Promise<void> | undefined {
    const now = performance.now()
    const spent = now - this.#since
    if (spent < slice) return undefined
    this.#used += Math.min(spent, maxCounted)
    return this.queue()
  }

  /** What it had in a slice that is not over; waiting is not working. */
  stop(): void {
    this.#used += Math.min(performance.now() - this.#since, maxCounted)
  }

  /** Resolves when it is this one's turn. */
  queue(): Promise<void> {
    return this.#scheduler.wait(this).then(() => {
      this.#since = performance.now()
    })
  }
}

/** How often a piece of work may wait; what it then still meets it does itself. */
const maxWaits = 1000
/** How often it is asked meanwhile whether anybody still wants it, in milliseconds. */
const askEvery = 50

/** What comes of it; `check` ends the waiting by throwing. */
async function settled(done: Promise<boolean>, check: () => void): Promise<boolean> {
  for (;;) {
    let timer: NodeJS.Timeout | undefined
    const still = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, askEvery, undefined)
    })
    const outcome = await Promise.race([done, still])
    clearTimeout(timer)
    check()
    if (outcome !== undefined) return outcome
  }
}

/** What one piece of work waits for. */
class Waits {
  /** False once the other thread failed, or the work has waited often enough. */
  canWait = true
  readonly #found: NotReady[] = []
  readonly #check: () => void

  constructor(check: () => void) {
    this.#check = check
  }

  async until(awaited: NotReady): Promise<void> {
    this.#found.push(awaited)
    const isThere = await settled(awaited.done, this.#check)
    if (!isThere || this.#found.length >= maxWaits) this.canWait = false
  }

  end(): void {
    for (const { release } of this.#found) release()
  }
}

interface Waiting {
  readonly turn: ScheduledTask
  readonly resolve: () => void
}

export class FairScheduler {
  /** In the order in which they began to wait. */
  #waiting: Waiting[] = []
  #isScheduled = false
  #hasCome = false
  #given = 0
  readonly #intake = new RequestIntake()

  /** A request came, and there may be more. */
  requestArrived(): void {
    this.#hasCome = true
  }

  /** For a request that has work to do. Undefined: go on. Otherwise too many have come at once: wait for it. */
  come(): Promise<void> | undefined {
    return this.#intake.come()
  }

  /** A slice of this turn is over. */
  wait(turn: ScheduledTask): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ turn, resolve })
      this.#schedule()
    })
  }

  /** For work that is done elsewhere piece by piece: `await turn.pause()` after each lets others go on, too. */
  take(): ScheduledTask {
    return new ScheduledTask(this, false)
  }

  /**
   * Runs steps slice by slice. `check` is called between slices and ends the work by throwing. `isLong`: it is known to
   * take long.
   */
  run<Result>(steps: Steps<Result>, check: () => void, isLong = false): Promise<Result> {
    return this.#run(steps, check, isLong, undefined)
  }

  /** The same for work that is mostly short: the first step is taken at once. */
  async begin<Result>(steps: Steps<Result>, check: () => void): Promise<Result> {
    const { done, value } = steps.next()
    return done ? value : this.run(steps, check)
  }

  /** The same for work that may wait for another thread, and can begin again from the start. */
  async runAgain<Result>(begin: () => Steps<Result>, check: () => void, isLong = false): Promise<Result> {
    const waits = new Waits(check)
    try {
      for (;;) {
        try {
          return await this.#run(begin(), check, isLong, waits)
        } catch (error) {
          if (!(error instanceof NotReady)) throw error
          await waits.until(error)
        }
      }
    } finally {
      waits.end()
    }
  }

  async #run<Result>(
    steps: Steps<Result>,
    check: () => void,
    isLong: boolean,
    waits: Waits | undefined,
  ): Promise<Result> {
    const turn = new ScheduledTask(this, isLong)
    // Short work may use what is left of this slice; long work gets in line where others are waiting.
    if (isLong ? this.#waiting.length > 0 : this.#intake.isOver) await turn.queue()
    try {
      for (;;) {
        const { done, value } =
          waits?.canWait === true ? backgroundWork.waiting(() => steps.next()) : steps.next()
        if (done) return value
        if (value instanceof NotReady) {
          turn.stop()
          await waits!.until(value)
          await turn.queue()
          continue
        }
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
    let since: number | undefined
    const round = (): void => {
      const isFirst = since === undefined
      since ??= performance.now()
      // The first has only begun to take what came during the last slice.
      if (isFirst || (this.#hasCome && performance.now() - since < maxRounds)) {
        this.#hasCome = false
        setImmediate(round)
        return
      }
      this.#isScheduled = false
      this.#next()
      if (this.#waiting.length > 0) this.#schedule()
    }
    setImmediate(round)
  }

  /** Lets the one go on that has had the least; among equals the one that has waited longest. */
  #next(): void {
    this.#given += 1
    let best = 0
    for (let i = 1; i < this.#waiting.length && this.#given % everyNth !== 0; i++) {
      if (this.#waiting[i]!.turn.used < this.#waiting[best]!.turn.used) best = i
    }
    const [chosen] = this.#waiting.splice(best, 1)
    this.#intake.begin()
    chosen?.resolve()
  }
}
