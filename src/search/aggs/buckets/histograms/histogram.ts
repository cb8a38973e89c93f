/** `histogram`: buckets of equal width over numbers or over numeric ranges, which may fall into several. */
import { illegalArgument } from '../../../request/errors.ts'
import { javaDouble } from '../../../request/java-text.ts'
import { isObject } from '../../../request/request-values.ts'
import { SearchError } from '../../../request/search-error.ts'
import type { AggKind } from '../../agg-kind.ts'
import type { AggOptions } from '../../agg-options.ts'
import type { Batch } from '../../batch.ts'
import { byKey, readOrder } from '../../bucket-order.ts'
import { NumberSource } from '../../values/number-source.ts'
import { rangeSource } from '../../values/pair-source.ts'
import {
  bindField,
  columnNumber,
  formatterOf,
  readScriptableOptions,
  type ValueType,
} from '../../values/value-field.ts'
import { type Bounds, HistogramAggregator, HistogramBuckets } from './histogram-buckets.ts'
import { type AddIntervals, RangeHistogram } from './range-histogram.ts'

export const numberTypes: readonly ValueType[] = ['double', 'long', 'unsigned_long', 'date', 'boolean']

/** The maximum number of intervals one range may fall into. */
export const maxIntervals = 1_000_000

export function tooManyIntervals(): SearchError {
  return new SearchError(
    'circuit_breaking_exception',
    `[request] Data too large, a range falls into more than [${maxIntervals}] intervals`,
    { details: { durability: 'TRANSIENT' } },
  )
}

/** Which buckets a histogram of any kind shows, and how. */
export function readShown(options: AggOptions) {
  return {
    minDocCount: readMinDocCount(options),
    isKeyed: options.flag('keyed') ?? false,
    order: readOrder(options, byKey),
  }
}

function readMinDocCount(options: AggOptions): number {
  const min = options.int('min_doc_count') ?? 0
  if (min < 0) {
    throw options.refused(
      'min_doc_count',
      `[minDocCount] must be greater than or equal to 0. Found [${min}] in [${options.aggregation}]`,
    )
  }
  return min
}

function readBounds(options: AggOptions, name: string): Bounds | undefined {
  const given = options.raw(name)
  if (given === undefined) return undefined
  if (!isObject(given)) throw options.failed(name)
  const inner = options.inner(given, 'double_bounds')
  const bounds = { min: inner.number('min'), max: inner.number('max') }
  inner.done()
  const { min, max } = bounds
  if (min !== undefined && max !== undefined && min > max) {
    throw illegalArgument(
      `[${name}.min][${javaDouble(min)}] cannot be greater than [${name}.max][${javaDouble(max)}] for histogram aggregation [${options.aggregation}]`,
    )
  }
  return bounds
}

export const histogramKind: AggKind = {
  name: 'histogram',
  parse(options) {
    const name = options.aggregation
    const values = readScriptableOptions(options)
    const interval = options.number('interval') ?? 0
    if (!(interval > 0) && Object.hasOwn(options.json, 'interval')) {
      throw options.refused('interval', `[interval] must be >0 for histogram aggregation [${name}]`)
    }
    const offset = options.number('offset') ?? 0
    const shown = readShown(options)
    const extended = readBounds(options, 'extended_bounds')
    const hard = readBounds(options, 'hard_bounds')
    options.done()
    const place = (value: number) => Math.floor((value - offset) / interval)
    const bound = (value: number | undefined) => (value === undefined ? undefined : place(value))
    return (context, createSub) => {
      checkBounds(extended, hard)
      if (interval === 0) throw illegalArgument('interval must be positive, got: 0.0')
      const field = bindField(values, [...numberTypes, 'range'], 'histogram', name, context)
      if (
        field.type === 'range' &&
        (field.first?.type === 'date_range' || field.first?.type === 'ip_range')
      ) {
        throw illegalArgument(`Expected numeric range type but found non-numeric range [${field.first.type}]`)
      }
      const buckets = new HistogramBuckets(
        {
          name,
          typedName: 'histogram',
          ...shown,
          extended: extended && { min: bound(extended.min), max: bound(extended.max) },
        },
        {
          next: (at) => at + 1,
          at: (key) => Math.round((key - offset) / interval),
          key: (at) => at * interval + offset,
          text: javaDouble,
        },
        formatterOf(field, values),
        context,
        createSub(context),
      )
      if (field.type === 'range')
        return new RangeHistogram(buckets, {
          source: rangeSource(field),
          addIntervals: rangePlaces(place, interval, hard),
        })
      const missing = columnNumber(values.missing, field, values, context.now)
      return new NumberHistogram(new NumberSource(field, missing), buckets, interval, offset, hard)
    }
  },
}

function checkBounds(extended: Bounds | undefined, hard: Bounds | undefined): void {
  if (extended === undefined || hard === undefined) return
  const isOutside =
    (hard.max !== undefined && extended.max !== undefined && hard.max < extended.max) ||
    (hard.min !== undefined && extended.min !== undefined && hard.min > extended.min)
  if (!isOutside) return
  const text = ({ min, max }: Bounds, none: string) =>
    `${min === undefined ? none : javaDouble(min)}--${max === undefined ? none : javaDouble(max)}`
  throw illegalArgument(
    `Extended bounds have to be inside hard bounds, hard bounds: [${text(hard, '')}], extended bounds: [${text(extended, 'null')}]`,
  )
}

function isWithin(value: number, bounds: Bounds | undefined): boolean {
  if (bounds === undefined) return true
  return !(
    (bounds.max !== undefined && value > bounds.max) ||
    (bounds.min !== undefined && value < bounds.min)
  )
}

class NumberHistogram extends HistogramAggregator {
  readonly #source: NumberSource
  readonly #interval: number
  readonly #offset: number
  readonly #hard: Bounds | undefined

  constructor(
    source: NumberSource,
    buckets: HistogramBuckets,
    interval: number,
    offset: number,
    hard: Bounds | undefined,
  ) {
    super(buckets)
    this.#source = source
    this.#interval = interval
    this.#offset = offset
    this.#hard = hard
  }

  collect(batch: Batch): void {
    const { docs, owners, values, length } = this.#source.read(batch)
    const { buckets } = this
    const interval = this.#interval
    const offset = this.#offset
    buckets.start(batch)
    let lastDoc = -1
    let lastOwner = -1
    let lastPlace = Number.NaN
    for (let i = 0; i < length; i++) {
      const place = Math.floor((values[i]! - offset) / interval)
      const doc = docs[i]!
      const owner = owners[i]!
      if (place === lastPlace && doc === lastDoc && owner === lastOwner) continue
      lastDoc = doc
      lastOwner = owner
      lastPlace = place
      if (isWithin(place * interval, this.#hard)) buckets.add(doc, owner, buckets.intervalId(place))
    }
    buckets.end()
  }

  profile(): Record<string, unknown> {
    return this.buckets.profile()
  }
}

function rangePlaces(
  place: (value: number) => number,
  interval: number,
  hard: Bounds | undefined,
): AddIntervals {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = hard ?? {}
  return (from, to, last, add) => {
    const first = Math.max(place(from), Math.ceil(min / interval), last + 1)
    const end = Math.min(place(to), Math.floor(max / interval))
    if (end - first > maxIntervals) throw tooManyIntervals()
    for (let at = first; at <= end; at++) add(at)
    return Math.max(last, end)
  }
}
