/**
 * The distribution of a bucket's values, for quantiles and ranks. Small sets answer exactly, in one of two
 * ways: `nearest` returns existing values, as the t-digest of newer OpenSearch versions does, and
 * `interpolated` interpolates linearly between the midpoints of neighbours, as Elasticsearch does.
 */
import { partitionPoint } from '../../segment/encoding/binary-search.ts'

export type QuantileMethod = 'nearest' | 'interpolated'

export interface Distribution {
  readonly count: number
  /** The quantile for `q` from 0 to 1; NaN without values. */
  quantile(q: number): number
  /** The fraction of values not above `value` (the CDF); NaN without values. */
  share(value: number): number
  /** The distribution of the absolute deviations from `center`. */
  distancesTo(center: number): Distribution
}

export class ExactDistribution implements Distribution {
  readonly #sorted: Float64Array
  readonly #quantileMethod: QuantileMethod

  /** Takes ownership of the array and sorts it. */
  constructor(values: Float64Array, quantileMethod: QuantileMethod) {
    this.#sorted = values.sort()
    this.#quantileMethod = quantileMethod
  }

  get count(): number {
    return this.#sorted.length
  }

  quantile(q: number): number {
    const sorted = this.#sorted
    const last = sorted.length - 1
    if (last < 0) return Number.NaN
    const index = q * sorted.length
    if (this.#quantileMethod === 'nearest') return sorted[Math.min(Math.max(Math.floor(index), 0), last)]!
    // The midpoint of value i is at i + 0.5.
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
    if (this.#quantileMethod === 'nearest' || length === 1) {
      // Half of the equal values count as below.
      return (countBelow(sorted, value) + countUpTo(sorted, value)) / 2 / length
    }
    return interpolatedShare(sorted, value)
  }

  distancesTo(center: number): Distribution {
    return new ExactDistribution(
      this.#sorted.map((value) => Math.abs(value - center)),
      this.#quantileMethod,
    )
  }
}

function countBelow(sorted: Float64Array, value: number): number {
  return partitionPoint(0, sorted.length, (at) => sorted[at]! < value)
}

function countUpTo(sorted: Float64Array, value: number): number {
  return partitionPoint(0, sorted.length, (at) => sorted[at]! <= value)
}

/**
 * The interpolated CDF. Each value covers the range halfway to its neighbours; the first and last extend
 * outwards symmetrically. The range that contains `value` counts in part.
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
