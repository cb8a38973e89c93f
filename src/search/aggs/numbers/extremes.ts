/** The accumulators of `min` and `max`; infinite without values. */
import {
  type Format,
  type MetricResult,
  type NumberAccumulator,
  roomFor,
  singleValue,
} from './accumulator.ts'

export class Minima {
  #values = new Float64Array(0)

  add(bucket: number, value: number): void {
    if (bucket >= this.#values.length) this.#values = roomFor(this.#values, bucket, Infinity)
    if (value < this.#values[bucket]!) this.#values[bucket] = value
  }

  at(bucket: number): number {
    return this.#values[bucket] ?? Infinity
  }

  merge(other: Minima, map: Uint32Array): void {
    const length = Math.min(map.length, other.#values.length)
    for (let bucket = 0; bucket < length; bucket++) this.add(map[bucket]!, other.#values[bucket]!)
  }
}

export class Maxima {
  #values = new Float64Array(0)

  add(bucket: number, value: number): void {
    if (bucket >= this.#values.length) this.#values = roomFor(this.#values, bucket, -Infinity)
    if (value > this.#values[bucket]!) this.#values[bucket] = value
  }

  at(bucket: number): number {
    return this.#values[bucket] ?? -Infinity
  }

  merge(other: Maxima, map: Uint32Array): void {
    const length = Math.min(map.length, other.#values.length)
    for (let bucket = 0; bucket < length; bucket++) this.add(map[bucket]!, other.#values[bucket]!)
  }
}

export class MinAccumulator implements NumberAccumulator {
  readonly #minima = new Minima()
  readonly #format: Format | undefined

  constructor(format?: Format) {
    this.#format = format
  }

  add(bucket: number, value: number): void {
    this.#minima.add(bucket, value)
  }

  merge(other: MinAccumulator, map: Uint32Array): void {
    this.#minima.merge(other.#minima, map)
  }

  result(bucket: number): MetricResult {
    return singleValue(this.#minima.at(bucket), this.#format)
  }
}

export class MaxAccumulator implements NumberAccumulator {
  readonly #maxima = new Maxima()
  readonly #format: Format | undefined

  constructor(format?: Format) {
    this.#format = format
  }

  add(bucket: number, value: number): void {
    this.#maxima.add(bucket, value)
  }

  merge(other: MaxAccumulator, map: Uint32Array): void {
    this.#maxima.merge(other.#maxima, map)
  }

  result(bucket: number): MetricResult {
    return singleValue(this.#maxima.at(bucket), this.#format)
  }
}
