/** Thrown where a search needs something that another thread has to decode or sort first (`background-work.ts`). */
/** Caught by `retrySteps`, and by the scheduler. */
export class NotReady extends Error {
  override readonly name = 'NotReady'
  /** Never rejects: work that failed there is repeated in this thread, and fails here. */
  readonly done: Promise<boolean>
  /** Releases a result that was only held until the search retried. */
  readonly release: () => void

  constructor(done: Promise<boolean>, release: () => void) {
    super('not read yet')
    this.done = done
    this.release = release
  }
}
