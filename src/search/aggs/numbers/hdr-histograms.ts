/**
 * HDR histograms by parent bucket (Tene's HdrHistogram): between two powers of two there are as many equal
 * buckets as the significant digits require. As in Elasticsearch, answers are the highest equivalent value of
 * a bucket.
 */
import { illegalArgument } from '../../request/errors.ts'
import { SearchError } from '../../request/search-error.ts'
import type { Steps } from '../../scheduling/steps.ts'
import { HdrHistogram, subBucketsPerGroup } from './hdr-histogram.ts'
import { HdrRange } from './hdr-range.ts'

/** Percentiles looked up per step. */
const stepPercents = 16

export class HdrHistograms {
  /** Buckets between two powers of two. */
  readonly #subBuckets: number
  readonly #buckets: (HdrHistogram | undefined)[] = []

  /** No group crosses a power of two, except the one at 0. */
  readonly #groupOf = (lower: number): number => {
    if (lower === 0) return 0
    const width = this.#widthAt(lower) * subBucketsPerGroup
    return Math.floor(lower / width) * width
  }

  /** The range of each bucket, where negative values are refused in the words of OpenSearch. */
  readonly #ranges: HdrRange[] | undefined

  constructor(digits = 3, isStrict = false) {
    this.#ranges = isStrict ? [] : undefined
    this.#subBuckets = 2 ** (Math.ceil(Math.log2(2 * 10 ** digits)) - 1)
  }

  add(bucket: number, value: number): void {
    const ranges = this.#ranges
    if (ranges !== undefined) {
      const range = (ranges[bucket] ??= new HdrRange())
      if (value < 0)
        throw new SearchError('array_index_out_of_bounds_exception', range.refusal(value), { status: 500 })
      range.record(value)
    } else if (value < 0) throw illegalArgument('Negative values are not supported by HDR aggregation')
    const histogram = this.#at(bucket)
    if (value > 0 && value < histogram.minAboveZero) histogram.minAboveZero = value
    histogram.count(this.#lowerEnd(value), 1)
  }

  merge(other: HdrHistograms, map: Uint32Array): void {
    const length = Math.min(map.length, other.#buckets.length)
    for (let bucket = 0; bucket < length; bucket++) {
      const theirs = other.#buckets[bucket]
      if (theirs !== undefined) this.#at(map[bucket]!).addAll(theirs)
    }
  }

  /** The number of values of a bucket. */
  sizeOf(bucket: number): number {
    return this.#buckets[bucket]?.total ?? 0
  }

  /** NaN without values. */
  *percentiles(bucket: number, percents: readonly number[]): Steps<number[]> {
    const histogram = this.#buckets[bucket]
    if (histogram === undefined) return percents.map(() => Number.NaN)
    const { total } = histogram
    const lookUp = histogram.byRank()
    const found: number[] = []
    for (const percent of percents) {
      if (found.length % stepPercents === stepPercents - 1) yield
      const lower = lookUp(Math.max(1, Math.ceil((Math.min(percent, 100) / 100) * total)))
      found.push(percent === 0 ? lower : this.#upperEnd(lower, histogram))
    }
    return found
  }

  /** In percent; NaN without values. */
  rank(bucket: number, value: number): number {
    const histogram = this.#buckets[bucket]
    if (histogram === undefined) return Number.NaN
    if (value < 0) return 0
    return (100 * histogram.upTo(this.#lowerEnd(value))) / histogram.total
  }

  #at(bucket: number): HdrHistogram {
    while (this.#buckets.length <= bucket) this.#buckets.push(undefined)
    return (this.#buckets[bucket] ??= new HdrHistogram(this.#groupOf))
  }

  #widthAt(value: number): number {
    return powerBelow(value) / this.#subBuckets
  }

  #lowerEnd(value: number): number {
    if (value === 0) return 0
    const width = this.#widthAt(value)
    return Math.floor(value / width) * width
  }

  /**
   * The bucket width at the smallest value is the unit of the histogram; the upper bound is one unit below
   * the next bucket.
   */
  #upperEnd(lower: number, { minAboveZero }: HdrHistogram): number {
    if (lower === 0) return 0
    return lower + this.#widthAt(lower) - this.#widthAt(minAboveZero)
  }
}

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)
/** Subnormal numbers have no power of two in their exponent. */
const minNormal = 2 ** -1022

/** The largest power of two not above the value. */
function powerBelow(value: number): number {
  if (value >= minNormal && value < Infinity) {
    double[0] = value
    words[0] = 0
    words[1]! &= 0x7ff00000
    return double[0]
  }
  const power = 2 ** Math.floor(Math.log2(value))
  if (power > value) return power / 2
  return power * 2 <= value ? power * 2 : power
}
