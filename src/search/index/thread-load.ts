/** What the store's thread is busy with, as far as a search that arrives now has to wait for it. */

/** A thread that writes documents is as busy as one with this many searches. */
const writingLoad = 8

export class ThreadLoad {
  readonly #isWriting: () => boolean
  #short = 0
  #long = 0

  constructor(isWriting: () => boolean) {
    this.#isWriting = isWriting
  }

  /** The scheduler lets a short search pass long ones, so that only other short ones make it wait. */
  before(isLong: boolean): number {
    return this.#short + (isLong ? this.#long : 0) + (this.#isWriting() ? writingLoad : 0)
  }

  /** Counts a search of this thread while it runs. */
  async during<Result>(running: Promise<Result>, isLong: boolean): Promise<Result> {
    this.#add(isLong, 1)
    try {
      return await running
    } finally {
      this.#add(isLong, -1)
    }
  }

  #add(isLong: boolean, count: number): void {
    if (isLong) this.#long += count
    else this.#short += count
  }
}
