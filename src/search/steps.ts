/**
 * Long work in steps. A function that yields can be run at a stretch, or a little at a time with others in between;
 * what it computes is the same. Nothing it reads may change meanwhile, and snapshots do not.
 */
export type Steps<Result> = Generator<void, Result, void>

/** All steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
