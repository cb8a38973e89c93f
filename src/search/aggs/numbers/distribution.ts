/**
 * How the values of a bucket are distributed. Small sets answer exactly, in one of two manners: `nearest` gives
 * values that are there (the t-digest of newer OpenSearch), `interpolated` goes in a straight line between the
 * middles of neighbours (Elasticsearch).
 */

export type Manner = 'nearest' | 'interpolated'

export interface Distribution {
  readonly count: number
  /** The value below which the share `q` (0 to 1) of values lies; NaN for nothing. */
  quantile(q: number): number
  /** The share of values that are not above `value`; NaN for nothing. */
  share(value: number): number
  /** The distribution of the distances to `center`. */
  distancesTo(center: number): Distribution
}

export class ExactDistribution implements Distribution {
  readonly #sorted: Float64Array
  readonly #manner: Manner

  /** The array is kept and sorted. */
  constructor(values: Float64Array, manner: Manner) {
    this.#sorted = values.sort()
    this.#manner = manner
  }

  get count(): number {
    return this.#sorted.length
  }

  quantile(q: number): number {
    const sorted = this.#sorted
    const last = sorted.length - 1
    if (last < 0) return Number.NaN
    const index = q * sorted.length
    if (this.#manner === 'nearest') return sorted[Math.min(Math.max(Math.floor(index), 0), last)]!
    // The middle of value i is at i + 0.5.
    const place = Math.min(Math.max(index - 0.5, 0), last)
    const below = Math.floor(place)
    const low = sorted[below]!
    const high = sorted[Math.min(below + 1, last)]!
    return low === high ? low : low * (1 - (place - below)) + high * (place - below)
  }

  share(value: number): number {
    const sorted = this.#sorted
    const { length } = sorted
    if (length === 0) return Number.NaN
    if (this.#manner === 'nearest' || length === 1) {
      const less = countBelow(sorted, value, false)
      return (less + (countBelow(sorted, value, true) - less) / 2) / length
    }
    return interpolatedShare(sorted, value)
  }

  distancesTo(center: number): Distribution {
    return new ExactDistribution(
      this.#sorted.map((value) => Math.abs(value - center)),
      this.#manner,
    )
  }
}

/** How many are below, or not above when `orEqual`. */
function countBelow(sorted: Float64Array, value: number, orEqual: boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < value || (orEqual && sorted[middle] === value)) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Each value stands for a stretch that reaches halfway to its neighbours; the first and the last reach as far out
 * as in. The stretch the value falls into counts in part.
 */
function interpolatedShare(sorted: Float64Array, value: number): number {
  const { length } = sorted
  for (let at = 0; at < length; at++) {
    const here = sorted[at]!
    const before = at === 0 ? undefined : (here - sorted[at - 1]!) / 2
    const after = at === length - 1 ? undefined : (sorted[at + 1]! - here) / 2
    const left = before ?? after!
    const right = after ?? before!
    if (value < here + right) return Math.max(0, (at + (value - (here - left)) / (left + right)) / length)
  }
  return 1
}
