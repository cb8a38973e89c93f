/**
 * How many documents go through a tree of aggregations at a time: as many as take about a millisecond or two, whatever
 * the tree makes of each of them.
 */
import { batchSize } from './batch.ts'

/** To begin with, and at least. */
const least = 1
/** Milliseconds. */
const short = 1
const long = 3

export class BatchSize {
  readonly #now: () => number
  readonly #isFixed: boolean
  #size: number
  #began = 0

  /** `fixed`: always so many. */
  constructor({
    now = () => performance.now(),
    fixed,
  }: { now?: () => number; fixed?: number | undefined } = {}) {
    this.#now = now
    this.#isFixed = fixed !== undefined
    this.#size = fixed ?? least
  }

  /** Documents of the next batch, at most. */
  get size(): number {
    return this.#size
  }

  begin(): void {
    if (!this.#isFixed) this.#began = this.#now()
  }

  /** The batch begun last is through, and had so many documents. */
  end(length: number): void {
    if (this.#isFixed) return
    const took = this.#now() - this.#began
    if (took > long) this.#size = Math.max(least, Math.min(this.#size, length) >>> 1)
    else if (took < short && length === this.#size) this.#size = Math.min(batchSize, this.#size * 2)
  }
}
