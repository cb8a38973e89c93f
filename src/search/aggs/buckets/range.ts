/** `range` and `date_range`: numeric ranges, inclusive at `from` and exclusive at `to`. */

import { NumberField, ScaledFloatField } from '../../mapping/fields/number-field.ts'
import { illegalArgument } from '../../request/errors.ts'
import { javaDouble } from '../../request/java-text.ts'
import { isObject, type JsonObject, scalarText } from '../../request/request-values.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { AggKind } from '../agg-kind.ts'
import type { AggOptions } from '../agg-options.ts'
import { type AggContext, multipliedOwners, type SubAggregators } from '../aggregator.ts'
import { type Batch, GrowingBatch } from '../batch.ts'
import type { AggResult } from '../result.ts'
import { weightsOf } from '../values/doc-weights.ts'
import type { NumberBatch } from '../values/number-source.ts'
import {
  type BoundField,
  bindField,
  columnNumber,
  type Formatter,
  formatterOf,
  readScriptableOptions,
  type ValueOptions,
} from '../values/value-field.ts'
import { BucketAggregator, bucketOf, bucketSteps } from './bucket.ts'
import { FixedBuckets } from './fixed-buckets.ts'
import { numbersOf } from './histograms/date-histogram.ts'
import { numberTypes } from './histograms/histogram.ts'

interface RangeRequest {
  readonly key: string | undefined
  readonly from: unknown
  readonly to: unknown
}

export function readRanges(options: AggOptions): readonly JsonObject[] {
  return (options.list('ranges') ?? []).map((item: unknown) => {
    if (!isObject(item)) throw options.failed('ranges')
    return item
  })
}

/** Missing ranges are an error of the shard, not of the parser. */
export function requireRanges(ranges: readonly unknown[], aggregation: string): void {
  if (ranges.length > 0) return
  throw illegalArgument(`No [ranges] specified for the [${aggregation}] aggregation`)
}

export function readRange(options: AggOptions, json: JsonObject): RangeRequest {
  const inner = options.inner(json, 'range')
  const range = {
    key: inner.text('key'),
    from: inner.raw('from') ?? inner.raw('from_as_string'),
    to: inner.raw('to') ?? inner.raw('to_as_string'),
  }
  inner.raw('from_as_string')
  inner.raw('to_as_string')
  inner.raw('doc_count')
  inner.done()
  return range
}

/** The bounds as rendered, and as they are compared with column values. */
interface NumberRange {
  /** Rendered lazily, as this would dominate the cost of parsing many ranges. */
  readonly key: () => string
  readonly from: number
  readonly to: number
  readonly low: number
  readonly high: number
}

function rangeKind(name: 'range' | 'date_range'): AggKind {
  const isDate = name === 'date_range'
  return {
    name,
    parse(options) {
      const values = readScriptableOptions(options)
      const isKeyed = options.flag('keyed') ?? false
      const requests = readRanges(options).map((json) => readRange(options, json))
      options.done()
      return (context, createSub) => {
        requireRanges(requests, options.aggregation)
        const field = bindField(
          values,
          isDate ? ['date', 'long', 'double', 'boolean'] : numberTypes,
          name,
          options.aggregation,
          context,
        )
        const format = isDate || values.format !== undefined ? formatterOf(field, values) : undefined
        const ranges = requests
          .map((request) => numberRange(request, field, values, format, isDate, context))
          .sort((one, other) => one.low - other.low || one.high - other.high)
        return new RangeAggregator(
          name,
          ranges,
          isKeyed,
          format,
          numbersOf(field, values, context),
          context,
          createSub({ ...context, owners: multipliedOwners(context.owners, ranges.length) }),
        )
      }
    },
  }
}

export const rangeAggKind = rangeKind('range')
export const dateRangeKind = rangeKind('date_range')

function numberRange(
  { key, from: givenFrom, to: givenTo }: RangeRequest,
  field: BoundField,
  values: ValueOptions,
  format: Formatter | undefined,
  isDate: boolean,
  context: AggContext,
): NumberRange {
  const read = (given: unknown): number | undefined => {
    if (given === undefined) return undefined
    // Numeric date bounds are parsed with the format, which may mean seconds.
    if (isDate && field.type === 'date') {
      const text = typeof given === 'number' ? String(Math.trunc(given)) : (scalarText(given) ?? '')
      return columnNumber(text, field, values, context.now)
    }
    return columnNumber(given, field, values, context.now)
  }
  const from = read(givenFrom) ?? Number.NEGATIVE_INFINITY
  const to = read(givenTo) ?? Number.POSITIVE_INFINITY
  const text = (value: number) => {
    if (!Number.isFinite(value)) return '*'
    return format === undefined ? javaDouble(value) : format(value)
  }
  return {
    key: () => key ?? `${text(from)}-${text(to)}`,
    from,
    to,
    low: stored(from, field),
    high: stored(to, field),
  }
}

/** Rounds a bound to the precision of the column. */
function stored(bound: number, { first }: BoundField): number {
  if (!Number.isFinite(bound) || !(first instanceof NumberField) || first instanceof ScaledFloatField)
    return bound
  return first.number.isInteger ? bound : first.number.round(bound)
}

interface ReadsNumbers {
  read(batch: Batch): NumberBatch
}

export class RangeAggregator extends BucketAggregator {
  readonly #typedName: string
  readonly #ranges: readonly NumberRange[]
  readonly #isKeyed: boolean
  readonly #format: Formatter | undefined
  readonly #source: ReadsNumbers
  readonly #context: AggContext
  readonly #buckets: FixedBuckets
  readonly #out = new GrowingBatch()
  readonly #lows: Float64Array
  readonly #highs: Float64Array
  /** The highest end of a range and of all before it: what ends at or below a value is passed over by binary search. */
  readonly #maxHighs: Float64Array
  /** The last counted entry by range, so that several values of one document count once. */
  readonly #counted: Int32Array
  #entry = -1

  constructor(
    typedName: string,
    ranges: readonly NumberRange[],
    isKeyed: boolean,
    format: Formatter | undefined,
    source: ReadsNumbers,
    context: AggContext,
    sub: SubAggregators,
  ) {
    super(sub)
    this.#typedName = typedName
    this.#ranges = ranges
    this.#buckets = new FixedBuckets(ranges.length)
    this.#isKeyed = isKeyed
    this.#format = format
    this.#source = source
    this.#context = context
    this.#lows = new Float64Array(ranges.length)
    this.#highs = new Float64Array(ranges.length)
    this.#maxHighs = new Float64Array(ranges.length)
    this.#counted = new Int32Array(ranges.length).fill(-1)
    for (let at = 0; at < ranges.length; at++) {
      this.#lows[at] = ranges[at]!.low
      this.#highs[at] = ranges[at]!.high
      this.#maxHighs[at] = Math.max(
        ranges[at]!.high,
        at === 0 ? Number.NEGATIVE_INFINITY : this.#maxHighs[at - 1]!,
      )
    }
  }

  /** The first range that ends above a value; all before it end at the value or below. */
  #firstAbove(value: number): number {
    const maxHighs = this.#maxHighs
    let low = 0
    let high = maxHighs.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (maxHighs[middle]! > value) high = middle
      else low = middle + 1
    }
    return low
  }

  collect(batch: Batch): void {
    const { docs, owners, values, length } = this.#source.read(batch)
    const lows = this.#lows
    const highs = this.#highs
    const width = lows.length
    const buckets = this.#buckets
    const out = this.#out
    out.start(batch.leaf)
    const weights = weightsOf(batch.leaf)
    const counted = this.#counted
    let lastDoc = -1
    let lastOwner = -1
    for (let i = 0; i < length; i++) {
      const value = values[i]!
      const doc = docs[i]!
      const owner = owners[i]!
      if (doc !== lastDoc || owner !== lastOwner) this.#entry++
      lastDoc = doc
      lastOwner = owner
      const entry = this.#entry
      for (let at = this.#firstAbove(value); at < width && lows[at]! <= value; at++) {
        if (value >= highs[at]! || counted[at] === entry) continue
        counted[at] = entry
        out.push(doc, buckets.add(owner, at, weights === null ? 1 : weights[doc]!))
      }
    }
    this.sub.collect(out)
  }

  *resultSteps(owner: number): Steps<AggResult> {
    this.#context.budget.add(this.#ranges.length)
    const buckets = yield* bucketSteps(this.#buckets.of(owner), this.sub, (bucket, aggs, at) => {
      const { key: keyOf, from, to } = this.#ranges[at]!
      const key = keyOf()
      return bucketOf({
        keyText: key,
        keyNumber: from,
        docCount: this.#buckets.count(bucket),
        aggs,
        head: {
          ...(this.#isKeyed ? {} : { key }),
          ...this.#bound('from', from),
          ...this.#bound('to', to),
        },
      })
    })
    return { typedName: this.#typedName, isKeyed: this.#isKeyed, buckets, toJson: () => ({}) }
  }

  #bound(name: string, value: number): Record<string, unknown> {
    if (!Number.isFinite(value)) return {}
    if (this.#format === undefined) return { [name]: value }
    return { [name]: value, [`${name}_as_string`]: this.#format(value) }
  }
}
