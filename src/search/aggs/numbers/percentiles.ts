/** `percentiles`, `percentile_ranks` and `median_absolute_deviation`. */
import type { Manner } from './distribution.ts'
import { HdrHistograms } from './hdr-histograms.ts'
import { type Format, type KeptNumbers, type NumberKeeper, singleValue } from './keeper.ts'
import { percentileKey, percentileValues } from './percentile-json.ts'
import { ValueLists } from './value-lists.ts'

export interface PercentileOptions {
  /** `percents` or, for ranks, `values`; answered in this order. */
  readonly points: readonly number[]
  readonly isKeyed?: boolean
  readonly format?: Format | undefined
  readonly compression?: number
  readonly manner?: Manner
  /** Digits of an HDR histogram, in place of a t-digest. */
  readonly hdrDigits?: number | undefined
}

abstract class PointsKeeper implements NumberKeeper {
  readonly #options: PercentileOptions
  protected readonly kept: ValueLists | HdrHistograms

  constructor(options: PercentileOptions) {
    this.#options = options
    const { hdrDigits, compression, manner } = options
    this.kept = hdrDigits === undefined ? new ValueLists(compression, manner) : new HdrHistograms(hdrDigits)
  }

  add(bucket: number, value: number): void {
    this.kept.add(bucket, value)
  }

  merge(other: PointsKeeper, map: Uint32Array): void {
    const { kept } = this
    if (kept instanceof ValueLists) kept.merge(other.kept as ValueLists, map)
    else kept.merge(other.kept as HdrHistograms, map)
  }

  result(bucket: number): KeptNumbers {
    const { points, isKeyed = true, format } = this.#options
    let answers: readonly number[] | undefined
    return {
      number: (property) => {
        const point = property.trim() === '' ? Number.NaN : Number(property)
        return Number.isNaN(point) ? undefined : this.answers(bucket, [point])[0]
      },
      toJson: () => {
        answers ??= this.answers(bucket, points)
        return percentileValues(points.map(percentileKey), points, answers, isKeyed, format)
      },
    }
  }

  protected abstract answers(bucket: number, points: readonly number[]): number[]
}

export class PercentilesKeeper extends PointsKeeper {
  protected override answers(bucket: number, points: readonly number[]): number[] {
    const { kept } = this
    if (kept instanceof HdrHistograms) return kept.percentiles(bucket, points)
    const distribution = kept.distribution(bucket)
    return points.map((percent) => distribution.quantile(percent / 100))
  }
}

export class PercentileRanksKeeper extends PointsKeeper {
  protected override answers(bucket: number, points: readonly number[]): number[] {
    const { kept } = this
    if (kept instanceof HdrHistograms) return points.map((value) => kept.rank(bucket, value))
    const distribution = kept.distribution(bucket)
    return points.map((value) => Math.min(Math.max(distribution.share(value) * 100, 0), 100))
  }
}

/** The median of the distances to the median. */
export class MedianAbsoluteDeviationKeeper implements NumberKeeper {
  readonly #lists: ValueLists
  readonly #format: Format | undefined

  constructor(format?: Format, compression = 1000, manner: Manner = 'nearest') {
    this.#lists = new ValueLists(compression, manner)
    this.#format = format
  }

  add(bucket: number, value: number): void {
    this.#lists.add(bucket, value)
  }

  merge(other: MedianAbsoluteDeviationKeeper, map: Uint32Array): void {
    this.#lists.merge(other.#lists, map)
  }

  result(bucket: number): KeptNumbers {
    const values = this.#lists.distribution(bucket)
    return singleValue(values.distancesTo(values.quantile(0.5)).quantile(0.5), this.#format)
  }
}
