/**
 * Cooperative multitasking: long work is a generator that yields. It can run to completion, or a step at a time with
 * other work in between, with the same result, because it reads only snapshots. Steps that wait for another thread
 * yield the `NotReady` they wait for.
 */
import { NotReady } from './not-ready.ts'

export type Steps<Result> = Generator<NotReady | void, Result, void>

/** Runs all steps at once; `NotReady` propagates to the caller, who waits and restarts. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (value instanceof NotReady) throw value
  }
}

/** Restarts a part of a search when it throws `NotReady`; it must have no side effects before that. */
export function* retrySteps<Result>(begin: () => Steps<Result>): Steps<Result> {
  for (;;) {
    try {
      return yield* begin()
    } catch (error) {
      if (!(error instanceof NotReady)) throw error
      yield error
    }
  }
}

/** Like `retrySteps`, for work without steps. */
export function* retryWork<Result>(work: () => Result): Steps<Result> {
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof NotReady)) throw error
      yield error
    }
  }
}
