/**
 * Moving averages over a window: simple, linearly weighted, and exponentially smoothed (EWMA, Holt,
 * Holt-Winters). NaN marks a missing value; an empty window gives NaN.
 */

type Values = readonly number[]

function present(values: Values): Values {
  return values.some(Number.isNaN) ? values.filter((value) => !Number.isNaN(value)) : values
}

export function maximum(values: Values): number {
  const there = present(values)
  return there.length === 0 ? Number.NaN : there.reduce((high, value) => Math.max(high, value))
}

export function minimum(values: Values): number {
  const there = present(values)
  return there.length === 0 ? Number.NaN : there.reduce((low, value) => Math.min(low, value))
}

export function sum(values: Values): number {
  return present(values).reduce((total, value) => total + value, 0)
}

export function unweightedAvg(values: Values): number {
  return sum(values) / present(values).length
}

export function stdDev(values: Values, average: number): number {
  const there = present(values)
  return Math.sqrt(sum(there.map((value) => (value - average) ** 2)) / there.length)
}

/** Elasticsearch starts the total weight at one, so the weights do not add up to one; we do the same. */
export function linearWeightedAvg(values: Values): number {
  let weighted = 0
  let weights = 1
  let weight = 1
  for (const value of present(values)) {
    weighted += value * weight
    weights += weight++
  }
  return weight === 1 ? Number.NaN : weighted / weights
}

export function ewma(values: Values, alpha: number): number {
  let average = Number.NaN
  for (const value of present(values)) {
    average = Number.isNaN(average) ? value : value * alpha + average * (1 - alpha)
  }
  return average
}

/** Double exponential smoothing (Holt); returns the level. */
export function holt(values: Values, alpha: number, beta: number): { level: number; trend: number } {
  let level = Number.NaN
  let trend = 0
  for (const value of present(values)) {
    if (Number.isNaN(level)) {
      level = value
      continue
    }
    const before = level
    level = alpha * value + (1 - alpha) * (before + trend)
    trend = beta * (level - before) + (1 - beta) * trend
  }
  return { level, trend }
}

interface Seasons {
  readonly alpha: number
  readonly beta: number
  readonly gamma: number
  readonly period: number
  readonly multiplicative: boolean
  /** Added to all values so that none is zero, for multiplicative seasons. */
  readonly padding: number
}

/** Triple exponential smoothing (Holt-Winters); returns the next value, NaN with less than two periods. */
export function holtWinters(given: Values, seasons: Seasons): number {
  const { alpha, beta, gamma, period, multiplicative, padding } = seasons
  const values = present(given)
  if (values.length < period * 2) return Number.NaN
  const padded = multiplicative ? values.map((value) => value + padding) : values
  let level = 0
  let trend = 0
  for (let at = 0; at < period; at++) {
    level += padded[at]!
    trend += (padded[at + period]! - padded[at]!) / period
  }
  level /= period
  trend /= period
  const season = new Float64Array(padded.length)
  for (let at = 0; at < period; at++) {
    season[at] = multiplicative && level !== 0 ? padded[at]! / level : padded[at]! - level
  }
  for (let at = period; at < padded.length; at++) {
    const value = padded[at]!
    const before = level
    const expected = before + trend
    const past = season[at - period]!
    const now = multiplicative ? value / expected : value - expected
    const withoutSeason = multiplicative ? value / past : value - past
    level = alpha * withoutSeason + (1 - alpha) * expected
    trend = beta * (level - before) + (1 - beta) * trend
    season[at] = gamma * now + (1 - gamma) * past
  }
  const coming = season[padded.length - period]!
  return multiplicative ? (level + trend) * coming : level + trend + coming
}
