/** What a search meets where something has to be read or sorted by another thread first (`background-work.ts`). */
/** Caught by `again`, and by whoever runs the steps. */
export class NotReady extends Error {
  override readonly name = 'NotReady'
  /** Never rejects: what failed there is done here, and fails here. */
  readonly done: Promise<boolean>
  /** Lets go of a result that was only kept until the search came by. */
  readonly release: () => void

  constructor(done: Promise<boolean>, release: () => void) {
    super('not read yet')
    this.done = done
    this.release = release
  }
}
