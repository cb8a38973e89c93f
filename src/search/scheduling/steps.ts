/**
 * Long work in steps. A function that yields can be run at a stretch, or a little at a time with others in between;
 * what it computes is the same. Nothing it reads may change meanwhile, and snapshots do not. Where steps may wait for
 * another thread, they also yield what they wait for.
 */
import { NotReady } from './not-ready.ts'

export type Steps<Result> = Generator<NotReady | void, Result, void>

/** All steps at once; what they wait for is for the caller to wait for, and to begin again. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (value instanceof NotReady) throw value
  }
}

/** A part that waits and begins again when it meets something that is not ready; it must not change anything before. */
export function* again<Result>(begin: () => Steps<Result>): Steps<Result> {
  for (;;) {
    try {
      return yield* begin()
    } catch (error) {
      if (!(error instanceof NotReady)) throw error
      yield error
    }
  }
}

/** The same for what has no steps. */
export function* onceReady<Result>(work: () => Result): Steps<Result> {
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof NotReady)) throw error
      yield error
    }
  }
}
