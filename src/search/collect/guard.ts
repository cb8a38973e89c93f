/** Ends a search that was cancelled, and notes that one ran out of time. Asked every few thousand documents. */
import { SearchError } from '../request/search-error.ts'

export interface Cancellation {
  /** Throws when the search is no longer wanted. */
  check(): void
}

export class TimeOut extends Error {
  override readonly name = 'TimeOut'
}

/**
 * Of one request. A search that is kept for others lets all of them pass from then on: none may end because another one
 * does, and the fair scheduler (`fair-scheduler.ts`) ask for each between two steps.
 */
export class Guard {
  #cancellation: Cancellation | undefined
  #deadline = Number.POSITIVE_INFINITY

  /** `timeout` in milliseconds from now. */
  begin(cancellation: Cancellation | undefined, timeout: number | undefined): void {
    this.#cancellation = cancellation
    this.#deadline = timeout === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeout
  }

  release(): void {
    this.begin(undefined, undefined)
  }

  /** Throws TimeOut, or what cancels the search. */
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
