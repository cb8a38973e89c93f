/** `extended_stats`: `stats` with sums of squares, variances and standard deviation bounds. */

import type { Format, MetricResult, NumberAccumulator } from './accumulator.ts'
import { CompensatedSums } from './compensated-sums.ts'
import { StatsAccumulator, statsOf, type Totals } from './stats.ts'

type Numbers = Readonly<Record<string, number>>

/**
 * `sigma` is the number of standard deviations of the bounds. Everything is computed lazily, as an answer may
 * have many thousand of these.
 */
export function extendedStatsOf(
  totals: Totals,
  squares: number,
  sigma: number,
  format: Format | undefined,
): MetricResult {
  const stats = statsOf(totals, format)
  const spread = () => {
    const numbers = spreadOf(totals, squares)
    return { numbers, bounds: boundsOf(numbers, totals.sum / totals.count, sigma) }
  }
  return {
    number: (property) => {
      const { numbers, bounds } = spread()
      const bound = /^std_((?:upper|lower)(?:_population|_sampling)?)$/.exec(property)?.[1]
      if (bound !== undefined) return bounds[bound]
      return Object.hasOwn(numbers, property) ? numbers[property] : stats.number(property)
    },
    toJson: () => {
      const { numbers, bounds } = spread()
      const json = stats.toJson()
      if (totals.count === 0) return { ...json, ...nulls(numbers), std_deviation_bounds: nulls(bounds) }
      const extended = { ...json, ...numbers, std_deviation_bounds: bounds }
      if (format === undefined) return extended
      return {
        ...extended,
        ...texts(numbers, '_as_string', (value, name) =>
          name.startsWith('std_') ? format(value) : (format.plain ?? format)(value),
        ),
        std_deviation_bounds_as_string: texts(bounds, '', format),
      }
    },
  }
}

export class ExtendedStatsAccumulator implements NumberAccumulator {
  readonly #stats = new StatsAccumulator()
  readonly #squares = new CompensatedSums()
  readonly #format: Format | undefined
  readonly #sigma: number

  constructor(format?: Format, sigma = 2) {
    this.#format = format
    this.#sigma = sigma
  }

  add(bucket: number, value: number): void {
    this.#stats.add(bucket, value)
    this.#squares.add(bucket, value * value)
  }

  merge(other: ExtendedStatsAccumulator, map: Uint32Array): void {
    this.#stats.merge(other.#stats, map)
    this.#squares.merge(other.#squares, map)
  }

  result(bucket: number): MetricResult {
    return extendedStatsOf(this.#stats.totals(bucket), this.#squares.at(bucket), this.#sigma, this.#format)
  }
}

function spreadOf({ count, sum }: Totals, squares: number): Numbers {
  const deviations = squares - (sum * sum) / count
  // Rounding may leave a variance slightly below zero.
  const population = Math.max(0, deviations / count)
  const sampling = Math.max(0, deviations / (count - 1))
  return {
    sum_of_squares: squares,
    variance: population,
    variance_population: population,
    variance_sampling: sampling,
    std_deviation: Math.sqrt(population),
    std_deviation_population: Math.sqrt(population),
    std_deviation_sampling: Math.sqrt(sampling),
  }
}

function boundsOf(numbers: Numbers, mean: number, sigma: number): Numbers {
  const population = numbers['std_deviation_population']! * sigma
  const sampling = numbers['std_deviation_sampling']! * sigma
  return {
    upper: mean + population,
    lower: mean - population,
    upper_population: mean + population,
    lower_population: mean - population,
    upper_sampling: mean + sampling,
    lower_sampling: mean - sampling,
  }
}

function nulls(numbers: Numbers): Record<string, null> {
  return Object.fromEntries(Object.keys(numbers).map((name) => [name, null]))
}

function texts(
  numbers: Numbers,
  suffix: string,
  format: (value: number, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [`${name}${suffix}`, format(value, name)]),
  )
}
