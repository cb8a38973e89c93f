/** `derivative`: the difference to the previous bucket, optionally per unit of the key. */
import { illegalArgument } from '../../request/errors.ts'
import type { AggResult } from '../result.ts'
import { checkInHistogram, checkOnePath } from './checks.ts'
import { valuesOf } from './histogram-pipeline.ts'
import { type Format, PipelineOptions } from './options.ts'
import { type ParsePipeline, stepBuckets } from './pipeline.ts'
import { orNull, SimpleValue } from './simple-value.ts'

export const parseDerivative: ParsePipeline = (name, json, context) => {
  const known = ['buckets_path', 'format', 'gap_policy', 'unit']
  const options = new PipelineOptions('derivative', name, json, context, known)
  const bucketsPaths = options.bucketsPaths()
  const format = options.format()
  const policy = options.gapPolicy()
  const unitText = options.text('unit')
  const unit = unitText === undefined ? undefined : unitMillis(unitText)
  return {
    name,
    kind: 'derivative',
    bucketsPaths,
    check(place) {
      checkOnePath(name, bucketsPaths, place)
      checkInHistogram('derivative', name, place)
    },
    *onBuckets(buckets, owner) {
      const values = yield* valuesOf(buckets, owner, bucketsPaths[0]!, policy)
      for (let at = 1; at < buckets.length; at++) {
        if (at % stepBuckets === 0) yield
        const value = values[at]
        const before = values[at - 1]
        if (value === undefined || before === undefined) continue
        const { aggs, keyNumber } = buckets[at]!
        const units = unit === undefined ? -1 : (keyNumber - buckets[at - 1]!.keyNumber) / unit
        aggs.set(name, new Derivative(value - before, units, format, options.meta))
      }
    },
  }
}

class Derivative extends SimpleValue {
  override readonly typedName = 'derivative'
  /** The number of units between the two keys; zero or less without a unit. */
  readonly #units: number

  constructor(value: number, units: number, format: Format | undefined, meta: AggResult['meta']) {
    super(value, format, meta)
    this.#units = units
  }

  get #normalized(): number {
    return this.#units > 0 ? this.value / this.#units : this.value
  }

  override number(property: string): number | undefined {
    return property === 'normalized_value' ? this.#normalized : super.number(property)
  }

  override toJson(): Record<string, unknown> {
    const json = super.toJson()
    if (!(this.#units > 0)) return json
    const value = this.#normalized
    json['normalized_value'] = orNull(value)
    if (this.format !== undefined && Number.isFinite(value)) {
      json['normalized_value_as_string'] = this.format(value)
    }
    return json
  }
}

const second = 1000
const day = 86_400_000
/** The average calendar year; months and quarters are fractions of it. */
const year = 31_556_952_000

const calendarUnits: Readonly<Record<string, number>> = {
  second,
  '1s': second,
  minute: 60 * second,
  '1m': 60 * second,
  hour: 3600 * second,
  '1h': 3600 * second,
  day,
  '1d': day,
  week: 7 * day,
  '1w': 7 * day,
  month: year / 12,
  '1M': year / 12,
  quarter: year / 4,
  '1q': year / 4,
  year,
  '1y': year,
}

const timeUnits: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: second,
  m: 60 * second,
  h: 3600 * second,
  d: day,
}

function unitMillis(text: string): number {
  if (Object.hasOwn(calendarUnits, text)) return calendarUnits[text]!
  const [, count = '', unit = ''] = /^(\d+)([a-z]+)$/.exec(text.trim().toLowerCase()) ?? []
  if (Object.hasOwn(timeUnits, unit)) return Number(count) * timeUnits[unit]!
  throw illegalArgument(
    `failed to parse setting [DerivativePipelineAggregationBuilder.unit] with value [${text}] as a time value: unit is missing or unrecognized`,
  )
}
