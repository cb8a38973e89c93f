/**
 * Work that takes long and cannot be cut into steps: unpacking a section of a file, sorting a column, making a field of
 * documents that were just written. A search that
 * can wait throws `NotReady` where it meets such work, another thread does it, and the search finds the result when
 * it comes by again. Where no thread was given, or nobody can wait, the work is done on the spot.
 */
import { NotReady } from './not-ready.ts'

/** Plain data that says what to do; other threads know it by its kind (`segment/segment-task.ts`). */
export interface BackgroundJob {
  readonly kind: string
}

/** Resolves with what the other thread made of it. */
export type BackgroundRunner = (job: BackgroundJob) => Promise<unknown>

export interface BackgroundTask<Result> {
  /** Whose work it is; one `key` names one work of it. */
  readonly owner: object
  readonly key: string
  job(): BackgroundJob
  /** Takes the result in. */
  keep(result: Result): void
  /** Lets go of a result that nobody came for. */
  release?(): void
  /** About how long it takes; what takes little is done on the spot as long as a step has time for it. */
  readonly millis?: number
}

const nothing = () => {}
/** What a step may do on the spot, in milliseconds. */
const maxMillis = 3

export class BackgroundWork {
  #runner: BackgroundRunner | undefined
  #canWait = false
  #millis = maxMillis
  #millisLeft = 0
  readonly #underWay = new WeakMap<object, Map<string, Promise<boolean>>>()

  /** Undefined: from now on everything is done on the spot. `millis`: what a step may do there in any case. */
  use(runner: BackgroundRunner | undefined, millis = maxMillis): void {
    this.#runner = runner
    this.#millis = millis
  }

  /** Runs something whose caller waits for `NotReady`. */
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

  /** Throws `NotReady` when the work can be given away; otherwise returns, and the caller has to do it. */
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

/** Side work of this thread; an engine runs in one. */
export const backgroundWork = new BackgroundWork()
