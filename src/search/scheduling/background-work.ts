/**
 * Work that takes long and cannot yield: decoding a section, sorting a column, building a field of buffered
 * documents. A search that can wait throws `NotReady` there, another thread does the work, and the search retries
 * and finds the result. Without such a thread, or where the caller cannot wait, the work is done in place.
 */
import { NotReady } from './not-ready.ts'

/** A job as plain data; the other thread dispatches by its kind (`segment/segment-task.ts`). */
export interface BackgroundJob {
  readonly kind: string
}

/** Resolves with the other thread's result. */
export type BackgroundRunner = (job: BackgroundJob) => Promise<unknown>

interface BackgroundTask<Result> {
  /** The owner of the work; `key` identifies the work among its owner's. */
  readonly owner: object
  readonly key: string
  job(): BackgroundJob
  /** Stores the result. */
  keep(result: Result): void
  /** Releases a result that no search asked for again. */
  release?(): void
  /** Estimated milliseconds; short work is done in place while the step's budget lasts. */
  readonly millis?: number
}

const nothing = () => {}
/** Milliseconds of such work that one step may do in place. */
const maxMillis = 3

class BackgroundWork {
  #runner: BackgroundRunner | undefined
  #canWait = false
  #millis = maxMillis
  #millisLeft = 0
  readonly #underWay = new WeakMap<object, Map<string, Promise<boolean>>>()

  /** Sets the runner; without one, everything is done in place. `millis` is the in-place budget of a step. */
  use(runner: BackgroundRunner | undefined, millis = maxMillis): void {
    this.#runner = runner
    this.#millis = millis
  }

  /** Runs something whose caller handles `NotReady`. */
  waiting<Result>(work: () => Result): Result {
    const before = this.#canWait
    if (!before) this.#millisLeft = this.#millis
    this.#canWait = true
    try {
      return work()
    } finally {
      this.#canWait = before
    }
  }

  /** Throws `NotReady` when the work was handed over; otherwise returns, and the caller has to do it. */
  give<Result>({ owner, key, job, keep, release = nothing, millis }: BackgroundTask<Result>): void {
    if (!this.#canWait || this.#runner === undefined) return
    if (millis !== undefined && millis <= this.#millisLeft) {
      this.#millisLeft -= millis
      return
    }
    let own = this.#underWay.get(owner)
    if (own === undefined) {
      own = new Map()
      this.#underWay.set(owner, own)
    }
    let done = own.get(key)
    if (done === undefined) {
      const ended = (isKept: boolean) => {
        own.delete(key)
        return isKept
      }
      done = this.#runner(job()).then(
        (result) => {
          keep(result as Result)
          return ended(true)
        },
        () => ended(false),
      )
      own.set(key, done)
    }
    throw new NotReady(done, release)
  }
}

/** The background work of this thread; an engine runs in one thread. */
export const backgroundWork = new BackgroundWork()
