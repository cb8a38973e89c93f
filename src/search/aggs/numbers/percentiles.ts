/** The accumulators of `percentiles`, `percentile_ranks` and `median_absolute_deviation`. */
import type { AnswerBytes } from '../../answer/answer-memory.ts'
import { finish, type Steps } from '../../scheduling/steps.ts'
import { type Format, type MetricResult, type NumberAccumulator, singleValue } from './accumulator.ts'
import type { QuantileMethod } from './distribution.ts'
import { HdrHistograms } from './hdr-histograms.ts'
import { percentileKey, percentileValues } from './percentile-json.ts'
import { ValueLists } from './value-lists.ts'

interface PercentileOptions {
  /** `percents` or, for ranks, `values`, in the order of the answer. */
  readonly points: readonly number[]
  readonly isKeyed?: boolean
  readonly format?: Format | undefined
  readonly compression?: number
  readonly quantileMethod?: QuantileMethod
  /** The significant digits of an HDR histogram, used in place of a t-digest. */
  readonly hdrDigits?: number | undefined
  /** Refuses what OpenSearch refuses in its words. */
  readonly isStrict?: boolean | undefined
  /** Accounts for the memory of the answer. */
  readonly answer?: AnswerBytes | undefined
}

/** Points looked up per step. */
const stepPoints = 16
/** The approximate size of one point of a result. */
const pointBytes = 48
/** Buckets with more values take a step of their own. */
const maxInlineValues = 256

abstract class PointsAccumulator implements NumberAccumulator {
  readonly #options: PercentileOptions
  readonly #keys: readonly string[]
  protected readonly kept: ValueLists | HdrHistograms

  constructor(options: PercentileOptions) {
    this.#options = options
    this.#keys = options.points.map(percentileKey)
    const { hdrDigits, compression, quantileMethod, isStrict } = options
    this.kept =
      hdrDigits === undefined
        ? new ValueLists(compression, quantileMethod)
        : new HdrHistograms(hdrDigits, isStrict)
  }

  add(bucket: number, value: number): void {
    this.kept.add(bucket, value)
  }

  addValues(bucket: number, values: Float64Array, count: number): void {
    const { kept } = this
    if (kept instanceof ValueLists) kept.addValues(bucket, values, count)
    else for (let at = 0; at < count; at++) kept.add(bucket, values[at]!)
  }

  merge(other: PointsAccumulator, map: Uint32Array): void {
    const { kept } = this
    if (kept instanceof ValueLists) kept.merge(other.kept as ValueLists, map)
    else kept.merge(other.kept as HdrHistograms, map)
  }

  result(bucket: number): MetricResult {
    return {
      number: (property) => {
        const point = property.trim() === '' ? Number.NaN : Number(property)
        return Number.isNaN(point) ? undefined : finish(this.answers(bucket, [point]))[0]
      },
      toJson: () => finish(this.#json(bucket)),
    }
  }

  /** Cheap results are computed when they are printed. */
  *resultSteps(bucket: number): Steps<MetricResult> {
    if (this.kept.sizeOf(bucket) <= maxInlineValues && this.#keys.length <= stepPoints)
      return this.result(bucket)
    yield
    // What thousands of buckets keep until they are printed would be seen too late.
    this.#options.answer?.add(this.#keys.length * pointBytes)
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

export class PercentilesAccumulator extends PointsAccumulator {
  protected override answers(bucket: number, points: readonly number[]): Steps<number[]> {
    const { kept } = this
    if (kept instanceof HdrHistograms) return kept.percentiles(bucket, points)
    const distribution = kept.distribution(bucket)
    return inSteps(points, (percent) => distribution.quantile(percent / 100))
  }
}

export class PercentileRanksAccumulator extends PointsAccumulator {
  protected override answers(bucket: number, points: readonly number[]): Steps<number[]> {
    const { kept } = this
    if (kept instanceof HdrHistograms) return inSteps(points, (value) => kept.rank(bucket, value))
    const distribution = kept.distribution(bucket)
    return inSteps(points, (value) => Math.min(Math.max(distribution.share(value) * 100, 0), 100))
  }
}

/** The median of the absolute deviations from the median. */
export class MedianAbsoluteDeviationAccumulator implements NumberAccumulator {
  readonly #lists: ValueLists
  readonly #format: Format | undefined

  constructor(format?: Format, compression = 1000, quantileMethod: QuantileMethod = 'nearest') {
    this.#lists = new ValueLists(compression, quantileMethod)
    this.#format = format
  }

  add(bucket: number, value: number): void {
    this.#lists.add(bucket, value)
  }

  addValues(bucket: number, values: Float64Array, count: number): void {
    this.#lists.addValues(bucket, values, count)
  }

  merge(other: MedianAbsoluteDeviationAccumulator, map: Uint32Array): void {
    this.#lists.merge(other.#lists, map)
  }

  result(bucket: number): MetricResult {
    return finish(this.resultSteps(bucket))
  }

  *resultSteps(bucket: number): Steps<MetricResult> {
    yield
    const values = this.#lists.distribution(bucket)
    const median = values.quantile(0.5)
    yield
    const distances = values.distancesTo(median)
    yield
    return singleValue(distances.quantile(0.5), this.#format)
  }
}
