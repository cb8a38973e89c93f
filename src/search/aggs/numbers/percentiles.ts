/** `percentiles`, `percentile_ranks` and `median_absolute_deviation`. */
import { finish, type Steps } from '../../scheduling/steps.ts'
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

/** Points looked up in one step. */
const stepPoints = 16
/** What is worked out of more values takes a step of its own. */
const fewValues = 256

abstract class PointsKeeper implements NumberKeeper {
  readonly #options: PercentileOptions
  readonly #keys: readonly string[]
  protected readonly kept: ValueLists | HdrHistograms

  constructor(options: PercentileOptions) {
    this.#options = options
    this.#keys = options.points.map(percentileKey)
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
    return {
      number: (property) => {
        const point = property.trim() === '' ? Number.NaN : Number(property)
        return Number.isNaN(point) ? undefined : finish(this.answers(bucket, [point]))[0]
      },
      toJson: () => finish(this.#json(bucket)),
    }
  }

  /** What takes little is left until it is printed, if it is. */
  *resultSteps(bucket: number): Steps<KeptNumbers> {
    if (this.kept.sizeOf(bucket) <= fewValues && this.#keys.length <= stepPoints) return this.result(bucket)
    yield
    const json = yield* this.#json(bucket)
    return { ...this.result(bucket), toJson: () => json }
  }

  *#json(bucket: number): Steps<Record<string, unknown>> {
    const { points, isKeyed = true, format } = this.#options
    const answers = yield* this.answers(bucket, points)
    return percentileValues(this.#keys, points, answers, isKeyed, format)
  }

  protected abstract answers(bucket: number, points: readonly number[]): Steps<number[]>
}

function* inSteps(points: readonly number[], answer: (point: number) => number): Steps<number[]> {
  const answers: number[] = []
  for (const point of points) {
    if (answers.length % stepPoints === stepPoints - 1) yield
    answers.push(answer(point))
  }
  return answers
}

export class PercentilesKeeper extends PointsKeeper {
  protected override answers(bucket: number, points: readonly number[]): Steps<number[]> {
    const { kept } = this
    if (kept instanceof HdrHistograms) return kept.percentiles(bucket, points)
    const distribution = kept.distribution(bucket)
    return inSteps(points, (percent) => distribution.quantile(percent / 100))
  }
}

export class PercentileRanksKeeper extends PointsKeeper {
  protected override answers(bucket: number, points: readonly number[]): Steps<number[]> {
    const { kept } = this
    if (kept instanceof HdrHistograms) return inSteps(points, (value) => kept.rank(bucket, value))
    const distribution = kept.distribution(bucket)
    return inSteps(points, (value) => Math.min(Math.max(distribution.share(value) * 100, 0), 100))
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
    return finish(this.resultSteps(bucket))
  }

  *resultSteps(bucket: number): Steps<KeptNumbers> {
    yield
    const values = this.#lists.distribution(bucket)
    const median = values.quantile(0.5)
    yield
    const distances = values.distancesTo(median)
    yield
    return singleValue(distances.quantile(0.5), this.#format)
  }
}
