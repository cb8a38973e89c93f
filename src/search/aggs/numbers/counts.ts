/** Value counts by bucket, and the accumulator of `value_count`. */
import { type MetricResult, type NumberAccumulator, roomFor, singleValue } from './accumulator.ts'

export class Counts {
  #counts = new Float64Array(0)

  add(bucket: number, count = 1): void {
    if (bucket >= this.#counts.length) this.#counts = roomFor(this.#counts, bucket)
    this.#counts[bucket]! += count
  }

  at(bucket: number): number {
    return this.#counts[bucket] ?? 0
  }

  merge(other: Counts, map: Uint32Array): void {
    const length = Math.min(map.length, other.#counts.length)
    for (let bucket = 0; bucket < length; bucket++) this.add(map[bucket]!, other.#counts[bucket]!)
  }
}

export class ValueCountAccumulator implements NumberAccumulator {
  readonly #counts = new Counts()

  /** The value is ignored. */
  add(bucket: number, _value?: number): void {
    this.#counts.add(bucket)
  }

  merge(other: ValueCountAccumulator, map: Uint32Array): void {
    this.#counts.merge(other.#counts, map)
  }

  result(bucket: number): MetricResult {
    return singleValue(this.#counts.at(bucket), undefined)
  }
}
