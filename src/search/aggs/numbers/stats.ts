/** The accumulator of `stats`: count, min, max, avg and sum. */

import type { Format, MetricResult, NumberAccumulator } from './accumulator.ts'
import { CompensatedSums } from './compensated-sums.ts'
import { Counts } from './counts.ts'
import { Maxima, Minima } from './extremes.ts'

export interface Totals {
  readonly count: number
  readonly min: number
  readonly max: number
  readonly sum: number
}

/** The members of `stats`. */
export function statsOf({ count, min, max, sum }: Totals, format: Format | undefined): MetricResult {
  const avg = sum / count
  const numbers: Record<string, number> = { count, min, max, avg, sum }
  return {
    number: (property) => (Object.hasOwn(numbers, property) ? numbers[property] : undefined),
    toJson: () => {
      if (count === 0) return { count, min: null, max: null, avg: null, sum: 0 }
      if (format === undefined) return { ...numbers }
      const shown = format.plain ?? format
      return {
        ...numbers,
        min_as_string: shown(min),
        max_as_string: shown(max),
        avg_as_string: shown(avg),
        sum_as_string: shown(sum),
      }
    },
  }
}

export class StatsAccumulator implements NumberAccumulator {
  readonly #counts = new Counts()
  readonly #sums = new CompensatedSums()
  readonly #minima = new Minima()
  readonly #maxima = new Maxima()
  readonly #format: Format | undefined

  constructor(format?: Format) {
    this.#format = format
  }

  add(bucket: number, value: number): void {
    this.#counts.add(bucket)
    this.#sums.add(bucket, value)
    this.#minima.add(bucket, value)
    this.#maxima.add(bucket, value)
  }

  merge(other: StatsAccumulator, map: Uint32Array): void {
    this.#counts.merge(other.#counts, map)
    this.#sums.merge(other.#sums, map)
    this.#minima.merge(other.#minima, map)
    this.#maxima.merge(other.#maxima, map)
  }

  totals(bucket: number): Totals {
    return {
      count: this.#counts.at(bucket),
      min: this.#minima.at(bucket),
      max: this.#maxima.at(bucket),
      sum: this.#sums.at(bucket),
    }
  }

  result(bucket: number): MetricResult {
    return statsOf(this.totals(bucket), this.#format)
  }
}
