/** Cancellation and time-out of a search, checked every few thousand documents. */
import { SearchError } from '../request/search-error.ts'

export interface Cancellation {
  /** Throws when the search was cancelled. */
  check(): void
}

export class TimeOut extends Error {
  override readonly name = 'TimeOut'
}

/**
 * The guard of one request. Once a prepared search goes into the cache, its guard is released and lets every
 * request pass: one request's end must not stop another's search, and the fair scheduler
 * (`fair-scheduler.ts`) checks each request between two steps.
 */
export class Guard {
  #cancellation: Cancellation | undefined
  #deadline = Number.POSITIVE_INFINITY

  /** `timeout` is in milliseconds from now. */
  begin(cancellation: Cancellation | undefined, timeout: number | undefined): void {
    this.#cancellation = cancellation
    this.#deadline = timeout === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeout
  }

  release(): void {
    this.begin(undefined, undefined)
  }

  /** Throws TimeOut, or the error of the cancellation. */
  readonly check = (): void => {
    this.#cancellation?.check()
    if (this.#deadline !== Number.POSITIVE_INFINITY && performance.now() > this.#deadline) throw new TimeOut()
  }
}

export function ofSignal(signal: AbortSignal): Cancellation {
  return {
    check() {
      if (!signal.aborted) return
      throw new SearchError('task_cancelled_exception', 'task cancelled [by user request]', { status: 400 })
    },
  }
}
