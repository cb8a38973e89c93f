/**
 * The range of values that an HdrHistogram of doubles covers, which grows and moves with what is recorded. Only the
 * error about a negative value says it.
 */
import { javaDouble } from '../../request/java-text.ts'

const firstLow = 2 ** 800
/** How much wider than its low end the range is at first. */
const firstWidth = 8

export class HdrRange {
  #low = firstLow
  #high = firstLow * firstWidth
  #min = Infinity
  #max = 0

  /** A value that is not negative. */
  record(value: number): void {
    if (value === 0) return
    if (value < this.#low) {
      const low = 2 ** Math.floor(Math.log2(value))
      const moved = this.#high * (low / this.#low)
      // Moved if what is recorded still fits, extended otherwise.
      if (this.#max < moved) this.#high = moved
      this.#low = low
    } else if (value >= this.#high) {
      const times = 2 ** (Math.floor(Math.log2(value / this.#high)) + 1)
      if (this.#min >= this.#low * times) this.#low *= times
      this.#high *= times
    }
    this.#min = Math.min(this.#min, value)
    this.#max = Math.max(this.#max, value)
  }

  /** The words for a value that is negative. */
  refusal(value: number): string {
    return `The value ${javaDouble(value)} is out of bounds for histogram, current covered range [${javaDouble(this.#low)}, ${javaDouble(this.#high)}) cannot be extended any further.\nCaused by: java.lang.ArrayIndexOutOfBoundsException: Negative values cannot be recorded`
  }
}
