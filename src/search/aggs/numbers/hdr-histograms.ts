/**
 * Values counted in stretches that are narrow in proportion (HDR histogram): between two powers of two there are
 * as many as the wanted number of digits takes. Answers are upper ends of stretches, as the reference's.
 */
import { SearchError } from '../../search-error.ts'

class HdrHistogram {
  /** Counts by the lower end of the stretch. */
  readonly counts = new Map<number, number>()
  total = 0
  leastAboveZero = Infinity
}

export class HdrHistograms {
  /** Stretches between two powers of two. */
  readonly #stretches: number
  readonly #buckets: (HdrHistogram | undefined)[] = []

  constructor(digits = 3) {
    this.#stretches = 2 ** (Math.ceil(Math.log2(2 * 10 ** digits)) - 1)
  }

  add(bucket: number, value: number): void {
    if (value < 0) {
      const reason = 'Negative values are not supported by HDR aggregation'
      throw new SearchError('illegal_argument_exception', reason)
    }
    const histogram = this.#at(bucket)
    if (value > 0 && value < histogram.leastAboveZero) histogram.leastAboveZero = value
    this.#count(histogram, this.#lowerEnd(value), 1)
  }

  merge(other: HdrHistograms, map: Uint32Array): void {
    const length = Math.min(map.length, other.#buckets.length)
    for (let bucket = 0; bucket < length; bucket++) {
      const theirs = other.#buckets[bucket]
      if (theirs === undefined) continue
      const own = this.#at(map[bucket]!)
      own.leastAboveZero = Math.min(own.leastAboveZero, theirs.leastAboveZero)
      for (const [lower, count] of theirs.counts) this.#count(own, lower, count)
    }
  }

  /** NaN for nothing. */
  percentiles(bucket: number, percents: readonly number[]): number[] {
    const histogram = this.#buckets[bucket]
    if (histogram === undefined) return percents.map(() => Number.NaN)
    const lowers = [...histogram.counts.keys()].sort((one, other) => one - other)
    return percents.map((percent) => {
      const wanted = Math.max(1, Math.ceil((Math.min(percent, 100) / 100) * histogram.total))
      let seen = 0
      const lower = lowers.find((one) => (seen += histogram.counts.get(one)!) >= wanted) ?? lowers.at(-1)!
      return percent === 0 ? lower : this.#upperEnd(lower, histogram)
    })
  }

  /** In percent; NaN for nothing. */
  rank(bucket: number, value: number): number {
    const histogram = this.#buckets[bucket]
    if (histogram === undefined) return Number.NaN
    if (value < 0) return 0
    const end = this.#lowerEnd(value)
    let seen = 0
    for (const [lower, count] of histogram.counts) if (lower <= end) seen += count
    return (100 * seen) / histogram.total
  }

  #at(bucket: number): HdrHistogram {
    while (this.#buckets.length <= bucket) this.#buckets.push(undefined)
    return (this.#buckets[bucket] ??= new HdrHistogram())
  }

  #count(histogram: HdrHistogram, lower: number, count: number): void {
    histogram.counts.set(lower, (histogram.counts.get(lower) ?? 0) + count)
    histogram.total += count
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

/** The greatest power of two that is not above. */
function powerBelow(value: number): number {
  const power = 2 ** Math.floor(Math.log2(value))
  if (power > value) return power / 2
  return power * 2 <= value ? power * 2 : power
}
