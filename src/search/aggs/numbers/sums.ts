/** `sum`, `avg` and `weighted_avg`. */
import { CompensatedSums } from './compensated-sums.ts'
import { Counts } from './counts.ts'
import { type Format, type KeptNumbers, type NumberKeeper, singleValue } from './keeper.ts'

export class SumKeeper implements NumberKeeper {
  readonly #sums = new CompensatedSums()
  readonly #format: Format | undefined

  constructor(format?: Format) {
    this.#format = format
  }

  add(bucket: number, value: number): void {
    this.#sums.add(bucket, value)
  }

  merge(other: SumKeeper, map: Uint32Array): void {
    this.#sums.merge(other.#sums, map)
  }

  /** The sum of nothing is 0; one that is infinite is printed as such. */
  result(bucket: number): KeptNumbers {
    const value = this.#sums.at(bucket)
    const { number } = singleValue(value, this.#format)
    const format = this.#format
    return {
      number,
      toJson: () => (format === undefined ? { value } : { value, value_as_string: format(value) }),
    }
  }
}

export class AvgKeeper implements NumberKeeper {
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

  merge(other: AvgKeeper, map: Uint32Array): void {
    this.#sums.merge(other.#sums, map)
    this.#counts.merge(other.#counts, map)
  }

  result(bucket: number): KeptNumbers {
    return singleValue(this.#sums.at(bucket) / this.#counts.at(bucket), this.#format)
  }
}

export class WeightedAvgKeeper {
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

  merge(other: WeightedAvgKeeper, map: Uint32Array): void {
    this.#sums.merge(other.#sums, map)
    this.#weights.merge(other.#weights, map)
  }

  result(bucket: number): KeptNumbers {
    return singleValue(this.#sums.at(bucket) / this.#weights.at(bucket), this.#format)
  }
}
