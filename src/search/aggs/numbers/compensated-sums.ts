/**
 * Kahan sums by bucket, in the order of operations of Elasticsearch's CompensatedSum, so that results agree
 * to the last digit.
 */
import { roomFor } from './accumulator.ts'

export class CompensatedSums {
  #sums = new Float64Array(0)
  #lost = new Float64Array(0)

  get length(): number {
    return this.#sums.length
  }

  add(bucket: number, value: number, lost = 0): void {
    if (bucket >= this.#sums.length) {
      this.#sums = roomFor(this.#sums, bucket)
      this.#lost = roomFor(this.#lost, bucket)
    }
    const sum = this.#sums[bucket]!
    if (!Number.isFinite(value)) {
      this.#sums[bucket] = value + sum
      return
    }
    if (!Number.isFinite(sum)) return
    const corrected = value + (this.#lost[bucket]! + lost)
    const updated = sum + corrected
    this.#lost[bucket] = corrected - (updated - sum)
    this.#sums[bucket] = updated
  }

  at(bucket: number): number {
    return this.#sums[bucket] ?? 0
  }

  merge(other: CompensatedSums, map: Uint32Array): void {
    const length = Math.min(map.length, other.length)
    for (let bucket = 0; bucket < length; bucket++) {
      this.add(map[bucket]!, other.#sums[bucket]!, other.#lost[bucket]!)
    }
  }
}
