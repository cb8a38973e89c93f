/**
 * An adaptive batch size: as many documents as a tree of aggregations processes in one to three milliseconds.
 */
import { batchSize } from './batch.ts'

/** The first and the minimum size. */
const minSize = 1
/** Milliseconds: a faster batch doubles the size, a slower one than `long` halves it. */
const minMillis = 1
const maxMillis = 3

export class BatchSize {
  readonly #now: () => number
  readonly #isFixed: boolean
  #size: number
  #began = 0

  /** `fixed` disables adaptation. */
  constructor({
    now = () => performance.now(),
    fixed,
  }: { now?: () => number; fixed?: number | undefined } = {}) {
    this.#now = now
    this.#isFixed = fixed !== undefined
    this.#size = fixed ?? minSize
  }

  /** The maximum length of the next batch. */
  get size(): number {
    return this.#size
  }

  begin(): void {
    if (!this.#isFixed) this.#began = this.#now()
  }

  /** Called after a batch with its length. */
  end(length: number): void {
    if (this.#isFixed) return
    const took = this.#now() - this.#began
    if (took > maxMillis) this.#size = Math.max(minSize, Math.min(this.#size, length) >>> 1)
    else if (took < minMillis && length === this.#size) this.#size = Math.min(batchSize, this.#size * 2)
  }
}
