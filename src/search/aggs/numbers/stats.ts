/** `stats`: count, least, greatest, mean and sum. */
import { CompensatedSums } from './compensated-sums.ts'
import { Counts } from './counts.ts'
import { Maxima, Minima } from './extremes.ts'
import type { Format, KeptNumbers, NumberKeeper } from './keeper.ts'

export interface Totals {
  readonly count: number
  readonly min: number
  readonly max: number
  readonly sum: number
}

/** What `stats` tells of the totals. */
export function statsOf({ count, min, max, sum }: Totals, format: Format | undefined): KeptNumbers {
  const avg = sum / count
  const numbers: Record<string, number> = { count, min, max, avg, sum }
  return {
    number: (property) => (Object.hasOwn(numbers, property) ? numbers[property] : undefined),
    toJson: () => {
      if (count === 0) return { count, min: null, max: null, avg: null, sum: 0 }
      if (format === undefined) return { ...numbers }
      return {
        ...numbers,
        min_as_string: format(min),
        max_as_string: format(max),
        avg_as_string: format(avg),
        sum_as_string: format(sum),
      }
    },
  }
}

export class StatsKeeper implements NumberKeeper {
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

  merge(other: StatsKeeper, map: Uint32Array): void {
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

  result(bucket: number): KeptNumbers {
    return statsOf(this.totals(bucket), this.#format)
  }
}
