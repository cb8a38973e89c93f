/** Metrics over numbers: each value is passed to the accumulator of the metric. */
import { illegalArgument } from '../../request/errors.ts'
import { javaDouble } from '../../request/java-text.ts'
import { isObject } from '../../request/request-values.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { AggKind } from '../agg-kind.ts'
import type { AggOptions } from '../agg-options.ts'
import { type AggContext, type Aggregator, isStrict } from '../aggregator.ts'
import type { Batch } from '../batch.ts'
import { numbersOf } from '../buckets/histograms/date-histogram.ts'
import type { Format, MetricResult, NumberAccumulator } from '../numbers/accumulator.ts'
import { ExtendedStatsAccumulator } from '../numbers/extended-stats.ts'
import { MaxAccumulator, MinAccumulator } from '../numbers/extremes.ts'
import {
  MedianAbsoluteDeviationAccumulator,
  PercentileRanksAccumulator,
  PercentilesAccumulator,
} from '../numbers/percentiles.ts'
import { StatsAccumulator } from '../numbers/stats.ts'
import { AvgAccumulator, SumAccumulator } from '../numbers/sums.ts'
import type { AggResult } from '../result.ts'
import type { NumberSource } from '../values/number-source.ts'
import {
  type BoundField,
  bindField,
  formatterOf,
  readScriptableOptions,
  type ValueOptions,
  type ValueType,
} from '../values/value-field.ts'

export const metricTypes: readonly ValueType[] = ['double', 'long', 'unsigned_long', 'date', 'boolean']

class NumberMetric implements Aggregator {
  readonly #typedName: string
  readonly #source: NumberSource
  readonly #accumulator: NumberAccumulator
  readonly resultSteps?: (owner: number) => Steps<AggResult>

  constructor(typedName: string, source: NumberSource, accumulator: NumberAccumulator) {
    this.#typedName = typedName
    this.#source = source
    this.#accumulator = accumulator
    if (accumulator.resultSteps !== undefined)
      this.resultSteps = (owner) => this.#steps(accumulator.resultSteps!(owner))
  }

  *#steps(kept: Steps<MetricResult>): Steps<AggResult> {
    return { typedName: this.#typedName, ...(yield* kept) }
  }

  collect(batch: Batch): void {
    const { owners, values, length } = this.#source.read(batch)
    const accumulator = this.#accumulator
    if (accumulator.addValues !== undefined && areEqual(owners, length))
      accumulator.addValues(owners[0]!, values, length)
    else for (let i = 0; i < length; i++) accumulator.add(owners[i]!, values[i]!)
  }

  finish(): void {}

  result(owner: number): AggResult {
    return { typedName: this.#typedName, ...this.#accumulator.result(owner) }
  }
}

/** False when there are none. */
function areEqual(owners: Uint32Array, length: number): boolean {
  for (let i = 1; i < length; i++) if (owners[i] !== owners[0]) return false
  return length > 0
}

interface Metric {
  readonly typedName: string
  accumulator(format: Format | undefined, context: AggContext): NumberAccumulator
}

/** OpenSearch also formats unsigned numbers, as doubles, and writes them and booleans in `stats` as they are. */
function metricFormat(field: BoundField, values: ValueOptions, { indices }: AggContext): Format | undefined {
  const format = formatterOf(field, values)
  if (field.type === 'date' && format !== undefined) return (value) => format(withinLong(value))
  if (indices[0]?.queries.isOpenSearch !== true) return format
  if (field.type === 'boolean' && format !== undefined)
    return Object.assign((value: number) => format(value), { plain: (value: number) => value !== 0 })
  if (field.type !== 'unsigned_long' || format !== undefined) return format
  return Object.assign((value: number) => javaDouble(value), { plain: (value: number) => value })
}

/**
 * Dates are whole milliseconds of 64 bits in Java: averages lose what is less, sums of squares beyond that end at the
 * last one, in nanoseconds here.
 */
function withinLong(millis: number): number | bigint {
  if (millis >= 2 ** 63) return (2n ** 63n - 1n) * 1_000_000n
  return millis < -(2 ** 63) ? -(2n ** 63n) * 1_000_000n : Math.trunc(millis)
}

function metricKind(name: string, read: (options: AggOptions) => Metric, types = metricTypes): AggKind {
  return {
    name,
    bucketing: 'none',
    parse(options) {
      const values = readScriptableOptions(options)
      const { typedName, accumulator } = read(options)
      options.done()
      return (context) => {
        const field = bindField(values, types, name, options.aggregation, context)
        const format = metricFormat(field, values, context)
        return new NumberMetric(typedName, numbersOf(field, values, context), accumulator(format, context))
      }
    },
  }
}

function simple(name: string, make: (format: Format | undefined) => NumberAccumulator): AggKind {
  return metricKind(name, () => ({ typedName: name, accumulator: make }))
}

function readExtendedStats(options: AggOptions): Metric {
  const sigma = options.number('sigma') ?? 2
  if (sigma < 0) {
    throw illegalArgument(
      `[sigma] must be greater than or equal to 0. Found [${javaDouble(sigma)}] in [${options.aggregation}]`,
    )
  }
  return { typedName: 'extended_stats', accumulator: (format) => new ExtendedStatsAccumulator(format, sigma) }
}

interface Method {
  readonly compression: number | undefined
  readonly hdrDigits: number | undefined
}

/** `tdigest` or `hdr` with their settings. */
function readMethod(options: AggOptions): Method {
  const tdigest = options.raw('tdigest')
  const hdr = options.raw('hdr')
  if (tdigest !== undefined && hdr !== undefined) {
    throw options.unbuildable('Only one percentiles method should be declared.')
  }
  let compression: number | undefined
  if (isObject(tdigest)) {
    const inner = options.inner(tdigest, 'tdigest')
    compression = inner.number('compression')
    inner.text('execution_hint')
    inner.done()
    if (compression !== undefined && compression < 0) {
      throw options.failed(
        'tdigest',
        illegalArgument(
          `[compression] must be greater than or equal to 0. Found [${javaDouble(compression)}]`,
        ),
      )
    }
  } else if (tdigest !== undefined) throw options.failed('tdigest')
  if (hdr === undefined) return { compression, hdrDigits: undefined }
  if (!isObject(hdr)) throw options.failed('hdr')
  const inner = options.inner(hdr, 'hdr')
  const digits = inner.int('number_of_significant_value_digits') ?? 3
  inner.done()
  if (digits < 0 || digits > 5) {
    throw options.failed('hdr', illegalArgument('[numberOfSignificantValueDigits] must be between 0 and 5'))
  }
  return { compression, hdrDigits: digits }
}

const defaultPercents = [1, 5, 25, 50, 75, 95, 99]

function readPoints(options: AggOptions, name: string): number[] | undefined {
  const list = options.list(name)
  if (list === undefined) return undefined
  return list.map((item: unknown) => {
    const number = options.inner({ [name]: item }).number(name)
    if (number === undefined) throw options.failed(name)
    return number
  })
}

function pointsKind(name: 'percentiles' | 'percentile_ranks'): AggKind {
  const isRanks = name === 'percentile_ranks'
  return metricKind(name, (options) => {
    const given = readPoints(options, isRanks ? 'values' : 'percents')
    const isKeyed = options.flag('keyed') ?? true
    const { compression, hdrDigits } = readMethod(options)
    checkPoints(given, isRanks, options)
    const points = [...(given ?? defaultPercents)].sort((one, other) => one - other)
    return {
      typedName: `${hdrDigits === undefined ? 'tdigest' : 'hdr'}_${name}`,
      accumulator: (format, context) => {
        const { quantileMethod, answer } = context
        const settings = {
          isStrict: isStrict(context),
          points,
          isKeyed,
          format,
          hdrDigits,
          quantileMethod,
          answer,
          ...(compression !== undefined && { compression }),
        }
        return isRanks ? new PercentileRanksAccumulator(settings) : new PercentilesAccumulator(settings)
      },
    }
  })
}

/** The maximum number of percentiles or ranks of one aggregation: they are computed and shown in one step. */
const maxPoints = 10_000

function checkPoints(points: readonly number[] | undefined, isRanks: boolean, options: AggOptions): void {
  const { aggregation } = options
  if (points !== undefined && points.length > maxPoints) {
    const name = isRanks ? 'values' : 'percents'
    throw options.unbuildable(
      `[${name}] must not have more than [${maxPoints}] elements but has [${points.length}]: [${aggregation}]`,
    )
  }
  if (isRanks) {
    if (points === undefined) {
      throw options.unbuildable(`[values] must not be null: [${aggregation}]`)
    }
    if (points.length === 0) {
      throw options.unbuildable(`[values] must not be an empty array: [${aggregation}]`)
    }
    return
  }
  if (points === undefined) return
  if (points.length === 0) throw options.unbuildable(`[percents] must not be empty: [${aggregation}]`)
  for (const percent of points) {
    if (percent >= 0 && percent <= 100) continue
    throw options.unbuildable(`percent must be in [0,100], got [${javaDouble(percent)}]: [${aggregation}]`)
  }
}

function readDeviation(options: AggOptions): Metric {
  const compression = options.number('compression') ?? 1000
  if (compression <= 0) {
    throw illegalArgument(
      `[compression] must be greater than 0. Found [${javaDouble(compression)}] in [${options.aggregation}]`,
    )
  }
  return {
    typedName: 'median_absolute_deviation',
    accumulator: (format, { quantileMethod }) =>
      new MedianAbsoluteDeviationAccumulator(format, compression, quantileMethod),
  }
}

export const numberMetricKinds: readonly AggKind[] = [
  simple('avg', (format) => new AvgAccumulator(format)),
  simple('sum', (format) => new SumAccumulator(format)),
  simple('min', (format) => new MinAccumulator(format)),
  simple('max', (format) => new MaxAccumulator(format)),
  simple('stats', (format) => new StatsAccumulator(format)),
  metricKind('extended_stats', readExtendedStats),
  pointsKind('percentiles'),
  pointsKind('percentile_ranks'),
  metricKind(
    'median_absolute_deviation',
    readDeviation,
    metricTypes.filter((type) => type !== 'boolean' && type !== 'date'),
  ),
]
