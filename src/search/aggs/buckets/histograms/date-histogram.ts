/** `date_histogram`: buckets of calendar units or fixed intervals, in a time zone. */
import { illegalArgument } from '../../../request/errors.ts'
import { isObject, scalarText } from '../../../request/request-values.ts'
import { parseTime } from '../../../request/units/units.ts'
import type { TimeZone } from '../../../time/time-zone.ts'
import type { AggKind } from '../../agg-kind.ts'
import type { AggOptions } from '../../agg-options.ts'
import type { AggContext } from '../../aggregator.ts'
import type { Batch } from '../../batch.ts'
import { calendarRounding, calendarUnit, fixedRounding, type Rounding, shifted } from '../../rounding.ts'
import { NumberSource } from '../../values/number-source.ts'
import { rangeSource } from '../../values/pair-source.ts'
import {
  type BoundField,
  bindField,
  columnNumber,
  formatterOf,
  readScriptableOptions,
  type ValueOptions,
} from '../../values/value-field.ts'
import { maxIntervals, numberTypes, readShown, tooManyIntervals } from './histogram.ts'
import { type Bounds, HistogramAggregator, HistogramBuckets } from './histogram-buckets.ts'
import { type AddIntervals, RangeHistogram } from './range-histogram.ts'

/** Returns a factory of the rounding for the requested interval. */
export function readInterval(options: AggOptions): (zone: TimeZone | undefined) => Rounding {
  const calendar = options.text('calendar_interval')
  const fixed = options.text('fixed_interval')
  const legacy = options.text('interval')
  if (calendar !== undefined && fixed !== undefined) {
    throw illegalArgument('Cannot use [fixed_interval] with [calendar_interval] configuration option.')
  }
  if (legacy !== undefined && (calendar !== undefined || fixed !== undefined)) {
    throw illegalArgument(
      'Cannot use [interval] with [fixed_interval] or [calendar_interval] configuration options.',
    )
  }
  if (calendar !== undefined) {
    const unit = calendarUnit(calendar)
    if (unit === undefined) {
      throw options.refused(
        'calendar_interval',
        `The supplied interval [${calendar}] could not be parsed as a calendar interval.`,
      )
    }
    return (zone) => calendarRounding(unit, zone)
  }
  const text = fixed ?? legacy
  if (text === undefined || text === '') {
    // Only the shard misses it.
    return () => {
      throw illegalArgument('Invalid interval specified, must be non-null and non-empty')
    }
  }
  if (legacy !== undefined) {
    const unit = calendarUnit(legacy)
    if (unit !== undefined) return (zone) => calendarRounding(unit, zone)
  }
  const name = fixed === undefined ? 'date_histogram.interval' : 'date_histogram.fixedInterval'
  const isNumber = /^\d+$/.test(text) && legacy !== undefined
  const option = fixed === undefined ? 'interval' : 'fixed_interval'
  const length = isNumber ? Number(text) : options.within(option, () => parseTime(text, name))
  if (!(length >= 1)) throw illegalArgument('Zero or negative time interval not supported')
  return (zone) => fixedRounding(length, zone)
}

/** `+1d`, `-6h`, or milliseconds. */
export function readOffset(options: AggOptions): number {
  const given = options.raw('offset')
  if (given === undefined) return 0
  if (typeof given === 'number') return given
  const text = scalarText(given) ?? ''
  const sign = text.startsWith('-') ? -1 : 1
  const length = text.replace(/^[+-]/, '')
  return (
    sign *
    (/^\d+$/.test(length) ? Number(length) : parseTime(length, 'DateHistogramAggregationBuilder.parseOffset'))
  )
}

type RawBounds = { readonly min: unknown; readonly max: unknown }

function readRawBounds(options: AggOptions, name: string): RawBounds | undefined {
  const given = options.raw(name)
  if (given === undefined) return undefined
  if (!isObject(given)) throw options.failed(name)
  const inner = options.inner(given, name)
  const bounds = { min: inner.raw('min'), max: inner.raw('max') }
  inner.done()
  return bounds
}

function boundsOf(
  raw: RawBounds | undefined,
  name: string,
  aggregation: string,
  field: BoundField,
  values: ValueOptions,
  now: number,
): Bounds | undefined {
  if (raw === undefined) return undefined
  const dates: BoundField = field.type === 'range' || !field.isMapped ? { ...field, type: 'date' } : field
  const read = (given: unknown) =>
    columnNumber(given, field.type === 'range' ? { ...dates, first: undefined } : dates, values, now)
  const bounds = { min: read(raw.min), max: read(raw.max) }
  const { min, max } = bounds
  if (min !== undefined && max !== undefined && min > max) {
    const text = (given: unknown) => scalarText(given) ?? ''
    throw illegalArgument(
      `[${name}.min][${text(raw.min)}] cannot be greater than [${name}.max][${text(raw.max)}] for histogram aggregation [${aggregation}]`,
    )
  }
  return bounds
}

/** Both bounds are rounded. */
function checkInside(
  extended: Bounds | undefined,
  hard: Bounds | undefined,
  rawExtended: RawBounds | undefined,
  rawHard: RawBounds | undefined,
): void {
  const isOutside =
    (extended?.max ?? Number.NEGATIVE_INFINITY) > (hard?.max ?? Number.POSITIVE_INFINITY) ||
    (extended?.min ?? Number.POSITIVE_INFINITY) < (hard?.min ?? Number.NEGATIVE_INFINITY)
  if (!isOutside) return
  const text = (raw: RawBounds | undefined) => `${scalarText(raw?.min) ?? ''}--${scalarText(raw?.max) ?? ''}`
  throw illegalArgument(
    `Extended bounds have to be inside hard bounds, hard bounds: [${text(rawHard)}], extended bounds: [${text(rawExtended)}]`,
  )
}

export const dateHistogramKind: AggKind = {
  name: 'date_histogram',
  parse(options) {
    const name = options.aggregation
    const values = readScriptableOptions(options)
    const interval = readInterval(options)
    const offset = readOffset(options)
    const shown = readShown(options)
    const rawExtended = readRawBounds(options, 'extended_bounds')
    const rawHard = readRawBounds(options, 'hard_bounds')
    options.done()
    return (context, createSub) => {
      const plain = interval(values.zone)
      const rounding = shifted(plain, offset)
      const field = bindField(values, ['date', ...numberTypes, 'range'], 'date_histogram', name, context)
      if (field.type === 'range' && field.first?.type !== 'date_range') {
        throw illegalArgument(
          `Expected date range type but found non-date range [${field.first?.type ?? ''}]`,
        )
      }
      // `missing` is read before the bounds.
      const source = field.type === 'range' ? undefined : numbersOf(field, values, context)
      const bounds = (raw: RawBounds | undefined, key: string) =>
        boundsOf(raw, key, name, field, values, context.now)
      const extended = bounds(rawExtended, 'extended_bounds')
      // Bounds are rounded without the offset, which those of empty intervals get afterwards.
      const begin = (value: number | undefined, moved = 0) =>
        value === undefined ? undefined : plain.round(value) + moved
      const given = bounds(rawHard, 'hard_bounds')
      // Both ends are rounded down: the interval of the minimum stays, that of the maximum does not.
      const hard = given && { min: begin(given.min), max: begin(given.max) }
      const outer = extended && { min: begin(extended.min, offset), max: begin(extended.max, offset) }
      checkInside(
        extended && { min: begin(extended.min), max: begin(extended.max) },
        hard,
        rawExtended,
        rawHard,
      )
      const buckets = new HistogramBuckets(
        { name, typedName: 'date_histogram', ...shown, extended: outer },
        { next: (at) => rounding.next(at), at: (key) => key, key: (at) => at, text: String },
        formatterOf(field, values),
        context,
        createSub(context),
      )
      if (source === undefined)
        return new RangeHistogram(buckets, {
          source: rangeSource(field),
          addIntervals: rangeStarts(rounding, given),
        })
      return new DateHistogram(source, buckets, rounding, hard)
    }
  },
}

export function numbersOf(field: BoundField, values: ValueOptions, context: AggContext): NumberSource {
  return new NumberSource(field, columnNumber(values.missing, field, values, context.now))
}

class DateHistogram extends HistogramAggregator {
  readonly #source: NumberSource
  readonly #rounding: Rounding
  readonly #hard: Bounds | undefined
  /**
   * The bounds of the last interval: logs are nearly sorted by time, so the next value is probably in it too.
   */
  #from = Number.POSITIVE_INFINITY
  #to = Number.NEGATIVE_INFINITY
  #interval = -1

  constructor(source: NumberSource, buckets: HistogramBuckets, rounding: Rounding, hard: Bounds | undefined) {
    super(buckets)
    this.#source = source
    this.#rounding = rounding
    this.#hard = hard
  }

  #move(value: number): void {
    this.#from = this.#rounding.round(value)
    this.#to = this.#rounding.next(this.#from)
    this.#interval = isWithin(this.#from, this.#hard) ? this.buckets.intervalId(this.#from) : -1
  }

  collect(batch: Batch): void {
    const { docs, owners, values, length } = this.#source.read(batch)
    const { buckets } = this
    buckets.start(batch)
    let lastDoc = -1
    let lastOwner = -1
    let lastInterval = -1
    let from = this.#from
    let to = this.#to
    for (let i = 0; i < length; i++) {
      const value = values[i]!
      if (!(value >= from && value < to)) {
        this.#move(value)
        from = this.#from
        to = this.#to
      }
      const interval = this.#interval
      if (interval === -1) continue
      const doc = docs[i]!
      const owner = owners[i]!
      if (interval === lastInterval && doc === lastDoc && owner === lastOwner) continue
      lastDoc = doc
      lastOwner = owner
      lastInterval = interval
      buckets.add(doc, owner, interval)
    }
    buckets.end()
  }

  profile(): Record<string, unknown> {
    return this.buckets.profile()
  }
}

function isWithin(begin: number, hard: Bounds | undefined): boolean {
  if (hard === undefined) return true
  return !((hard.max !== undefined && begin >= hard.max) || (hard.min !== undefined && begin < hard.min))
}

function rangeStarts(rounding: Rounding, hard: Bounds | undefined): AddIntervals {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = hard ?? {}
  return (from, to, touched, add) => {
    let last = touched
    // The bounds cut the range before its ends are rounded.
    let at = rounding.round(Math.max(from, min))
    const end = rounding.round(Math.min(to, max))
    let steps = 0
    while (at <= end) {
      if (at > last) add(at)
      last = Math.max(last, at)
      at = rounding.next(at)
      if (++steps > maxIntervals) throw tooManyIntervals()
    }
    return last
  }
}
