/** The accumulators of `sum`, `avg` and `weighted_avg`. */

import { type Format, type MetricResult, type NumberAccumulator, singleValue } from './accumulator.ts'
import { CompensatedSums } from './compensated-sums.ts'
import { Counts } from './counts.ts'

export class SumAccumulator implements NumberAccumulator {
  readonly #sums = new CompensatedSums()
  readonly #format: Format | undefined

  constructor(format?: Format) {
    this.#format = format
  }

  add(bucket: number, value: number): void {
    this.#sums.add(bucket, value)
  }

  merge(other: SumAccumulator, map: Uint32Array): void {
    this.#sums.merge(other.#sums, map)
  }

  /** The empty sum is 0; an infinite one is printed as such. */
  result(bucket: number): MetricResult {
    const value = this.#sums.at(bucket)
    const { number } = singleValue(value, this.#format)
    const format = this.#format
    return {
      number,
      toJson: () => (format === undefined ? { value } : { value, value_as_string: format(value) }),
    }
  }
}

export class AvgAccumulator implements NumberAccumulator {
  readonly #sums = new CompensatedSums()
  readonly #counts = new Counts()
  readonly #format: Format | undefined

  constructor(format?: Format) {
    this.#format = format
  }

  add(bucket: number, value: number): void {
    this.#sums.add(bucket, value)
    this.#counts.add(bucket)
  }

  merge(other: AvgAccumulator, map: Uint32Array): void {
    this.#sums.merge(other.#sums, map)
    this.#counts.merge(other.#counts, map)
  }

  result(bucket: number): MetricResult {
    return singleValue(this.#sums.at(bucket) / this.#counts.at(bucket), this.#format)
  }
}

export class WeightedAvgAccumulator {
  readonly #sums = new CompensatedSums()
  readonly #weights = new CompensatedSums()
  readonly #format: Format | undefined

  constructor(format?: Format) {
    this.#format = format
  }

  add(bucket: number, value: number, weight: number): void {
    this.#sums.add(bucket, value * weight)
    this.#weights.add(bucket, weight)
  }

  merge(other: WeightedAvgAccumulator, map: Uint32Array): void {
    this.#sums.merge(other.#sums, map)
    this.#weights.merge(other.#weights, map)
  }

  result(bucket: number): MetricResult {
    return singleValue(this.#sums.at(bucket) / this.#weights.at(bucket), this.#format)
  }
}
