/**
 * A fair scheduler for cooperative tasks in one thread. Tasks run in slices of a few milliseconds; the next slice
 * goes to the task with the least CPU time so far, as in Linux's completely fair scheduler. So a short search
 * overtakes a hundred long ones, and between slices the event loop reads from connections.
 */

import { backgroundWork } from './background-work.ts'
import { NotReady } from './not-ready.ts'
import { RequestAdmission, sliceMillis } from './request-admission.ts'
import type { Steps } from './steps.ts'

/**
 * The time that work known to be long is charged when it arrives, so that short work goes first even when it has to
 * read from disk.
 */
const longTaskCharge = 25 * sliceMillis
/** A slice that overran, because a step could not yield, is charged no more than this. */
const maxSliceCharge = 2 * sliceMillis
/**
 * While requests keep arriving, event loop iterations run without a slice, since each one accepts only one of many
 * new connections. This bounds such a pause in milliseconds, so that waiting tasks are not starved.
 */
const maxIdleMillis = 2 * sliceMillis
/** Aging: every fourth slice goes to the task that has waited longest, so that long tasks keep a quarter of the time. */
const agingInterval = 4

/** A task and the CPU time it has used. */
class ScheduledTask {
  readonly #scheduler: FairScheduler
  #used: number
  #since = performance.now()

  constructor(scheduler: FairScheduler, isLong: boolean) {
    this.#scheduler = scheduler
    this.#used = isLong ? longTaskCharge : 0
  }

  get used(): number {
    return this.#used
  }

  /** Returns undefined to continue, or a promise to wait for. */
  pause(): Promise<void> | undefined {
    const now = performance.now()
    const spent = now - this.#since
    if (spent < sliceMillis) return undefined
    this.#used += Math.min(spent, maxSliceCharge)
    return this.queue()
  }

  /** Charges the current slice to the task; waiting is not charged. */
  stop(): void {
    this.#used += Math.min(performance.now() - this.#since, maxSliceCharge)
  }

  /** Resolves when the task gets a slice. */
  queue(): Promise<void> {
    return this.#scheduler.wait(this).then(() => {
      this.#since = performance.now()
    })
  }
}

/** How often a task may wait for another thread; after that it does the work itself. */
const maxWaits = 1000
/** How often a waiting task checks for cancellation, in milliseconds. */
const cancelCheckMillis = 50

/** Waits for the result; `check` cancels by throwing. */
async function settled(done: Promise<boolean>, check: () => void): Promise<boolean> {
  for (;;) {
    let timer: NodeJS.Timeout | undefined
    const still = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, cancelCheckMillis, undefined)
    })
    const outcome = await Promise.race([done, still])
    clearTimeout(timer)
    check()
    if (outcome !== undefined) return outcome
  }
}

/** Tracks what one task waits for. */
class Waits {
  /** False once the other thread has failed, or the task has waited often enough. */
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
  readonly task: ScheduledTask
  readonly resolve: () => void
}

export class FairScheduler {
  /** Waiting tasks in order of arrival. */
  #waiting: Waiting[] = []
  #isScheduled = false
  #hasArrivals = false
  #slicesGiven = 0
  readonly #admission = new RequestAdmission()

  /** Called when a request arrives; there may be more. */
  requestArrived(): void {
    this.#hasArrivals = true
  }

  /** Admission of a request that has work to do: undefined to continue, or a promise when too many arrived at once. */
  admit(): Promise<void> | undefined {
    return this.#admission.admit()
  }

  /** Ends a slice of the task. */
  wait(task: ScheduledTask): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ task, resolve })
      this.#schedule()
    })
  }

  /** Returns a task for work that is driven elsewhere: `await task.pause()` after each piece lets others run. */
  take(): ScheduledTask {
    return new ScheduledTask(this, false)
  }

  /**
   * Runs steps in slices. `check` is called between slices and cancels by throwing. `isLong` marks work known to
   * take long.
   */
  run<Result>(steps: Steps<Result>, check: () => void, isLong = false): Promise<Result> {
    return this.#run(steps, check, isLong, undefined)
  }

  /** Like `run`, for work that is mostly short: the first step runs at once. */
  async begin<Result>(steps: Steps<Result>, check: () => void): Promise<Result> {
    const { done, value } = steps.next()
    return done ? value : this.run(steps, check)
  }

  /** Like `run`, for work that may wait for another thread and restart from the beginning. */
  async runWithRetries<Result>(
    begin: () => Steps<Result>,
    check: () => void,
    isLong = false,
  ): Promise<Result> {
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
    const task = new ScheduledTask(this, isLong)
    // Short work may use the rest of this slice; long work queues behind waiting tasks.
    if (isLong ? this.#waiting.length > 0 : this.#admission.isOver) await task.queue()
    try {
      for (;;) {
        const { done, value } =
          waits?.canWait === true ? backgroundWork.waiting(() => steps.next()) : steps.next()
        if (done) return value
        if (value instanceof NotReady) {
          task.stop()
          await waits!.until(value)
          await task.queue()
          continue
        }
        const pause = task.pause()
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
      // The first iteration has only begun to read what arrived during the last slice.
      if (isFirst || (this.#hasArrivals && performance.now() - since < maxIdleMillis)) {
        this.#hasArrivals = false
        setImmediate(round)
        return
      }
      this.#isScheduled = false
      this.#next()
      if (this.#waiting.length > 0) this.#schedule()
    }
    setImmediate(round)
  }

  /** Resumes the task with the least CPU time; of equal ones the one that has waited longest. */
  #next(): void {
    this.#slicesGiven += 1
    let best = 0
    for (let i = 1; i < this.#waiting.length && this.#slicesGiven % agingInterval !== 0; i++) {
      if (this.#waiting[i]!.task.used < this.#waiting[best]!.task.used) best = i
    }
    const [chosen] = this.#waiting.splice(best, 1)
    this.#admission.begin()
    chosen?.resolve()
  }
}
