/**
 * Values counted in stretches that are narrow in proportion (HDR histogram): between two powers of two there are
 * as many as the wanted number of digits takes. Answers are upper ends of stretches, as the reference's.
 */
import { illegalArgument } from '../../request/errors.ts'
import type { Steps } from '../../scheduling/steps.ts'
import { groupStretches, HdrHistogram } from './hdr-histogram.ts'

/** Percentiles looked up in one step. */
const stepPercents = 16

export class HdrHistograms {
  /** Stretches between two powers of two. */
  readonly #stretches: number
  readonly #buckets: (HdrHistogram | undefined)[] = []

  /** No group reaches beyond a power of two, but the one at 0. */
  readonly #groupOf = (lower: number): number => {
    if (lower === 0) return 0
    const width = this.#widthAt(lower) * groupStretches
    return Math.floor(lower / width) * width
  }

  constructor(digits = 3) {
    this.#stretches = 2 ** (Math.ceil(Math.log2(2 * 10 ** digits)) - 1)
  }

  add(bucket: number, value: number): void {
    if (value < 0) {
      const reason = 'Negative values are not supported by HDR aggregation'
      throw illegalArgument(reason)
    }
    const histogram = this.#at(bucket)
    if (value > 0 && value < histogram.leastAboveZero) histogram.leastAboveZero = value
    histogram.count(this.#lowerEnd(value), 1)
  }

  merge(other: HdrHistograms, map: Uint32Array): void {
    const length = Math.min(map.length, other.#buckets.length)
    for (let bucket = 0; bucket < length; bucket++) {
      const theirs = other.#buckets[bucket]
      if (theirs !== undefined) this.#at(map[bucket]!).addAll(theirs)
    }
  }

  /** How many values a bucket has got. */
  sizeOf(bucket: number): number {
    return this.#buckets[bucket]?.total ?? 0
  }

  /** NaN for nothing. */
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

  /** In percent; NaN for nothing. */
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
    return powerBelow(value) / this.#stretches
  }

  #lowerEnd(value: number): number {
    if (value === 0) return 0
    const width = this.#widthAt(value)
    return Math.floor(value / width) * width
  }

  /** The stretches of the least value are the unit everything is counted in; the end is one unit short. */
  #upperEnd(lower: number, { leastAboveZero }: HdrHistogram): number {
    if (lower === 0) return 0
    return lower + this.#widthAt(lower) - this.#widthAt(leastAboveZero)
  }
}

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)
/** Smaller numbers do not have their power of two in their exponent. */
const minNormal = 2 ** -1022

/** The greatest power of two that is not above. */
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
