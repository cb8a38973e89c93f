/**
 * Work that takes long and cannot be cut into steps: unpacking a section of a file, sorting a column. A search that
 * can wait throws `NotReady` where it meets such work, another thread does it, and the search finds the result when
 * it comes by again. Where no thread was given, or nobody can wait, the work is done on the spot.
 */
import { NotReady } from './not-ready.ts'
import type { SideJob } from './side-job.ts'

/** Resolves with what `runSideJob` gave in the other thread. */
export type SideRunner = (job: SideJob) => Promise<unknown>

const nothing = () => {}

export class SideWork {
  #runner: SideRunner | undefined
  #canWait = false
  readonly #underWay = new WeakMap<object, Map<string, Promise<boolean>>>()

  /** Undefined: from now on everything is done on the spot. */
  use(runner: SideRunner | undefined): void {
    this.#runner = runner
  }

  /** Runs something whose caller waits for `NotReady`. */
  waiting<Result>(work: () => Result): Result {
    const before = this.#canWait
    this.#canWait = true
    try {
      return work()
    } finally {
      this.#canWait = before
    }
  }

  /** Throws `NotReady` when the work can be given away; otherwise returns, and the caller has to do it. */
  give<Result>(
    owner: object,
    key: string,
    job: () => SideJob,
    keep: (result: Result) => void,
    release = nothing,
  ): void {
    if (!this.#canWait || this.#runner === undefined) return
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

/** Of this thread; an engine runs in one. */
export const sideWork = new SideWork()
