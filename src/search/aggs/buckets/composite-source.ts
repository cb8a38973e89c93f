/** The sources of a `composite` aggregation: terms, histograms, date histograms and geotiles. */
import { illegalArgument } from '../../request/errors.ts'
import { isObject, type JsonObject } from '../../request/request-values.ts'
import type { AggOptions } from '../agg-options.ts'
import type { AggContext } from '../aggregator.ts'
import { type Rounding, shifted } from '../rounding.ts'
import { type KeySource, keySource, NumberKeys } from '../values/key-source.ts'
import {
  bindField,
  formatterOf,
  readScriptableOptions,
  readValueOptions,
  type ValueOptions,
} from '../values/value-field.ts'
import { gridKeys, readPrecision } from './geo-grid.ts'
import { readInterval, readOffset } from './histograms/date-histogram.ts'
import { numberTypes } from './histograms/histogram.ts'
import { keyTypes } from './terms.ts'

export interface CompositeSource {
  readonly name: string
  readonly isAscending: boolean
  /** True when documents without a value get a null key. */
  readonly takesMissing: boolean
  readonly missingFirst: boolean
  readonly hasUnusedOrder: boolean
  bind(context: AggContext): KeySource
  /** Renders a key. */
  show(keys: KeySource, key: number): unknown
}

interface Common {
  readonly isAscending: boolean
  readonly takesMissing: boolean
  readonly missingFirst: boolean
  /** `missing_order` without `missing_bucket`, which shards refuse. */
  readonly hasUnusedOrder: boolean
}

function readCommon(options: AggOptions): Common {
  const order = (options.text('order') ?? 'asc').toLowerCase()
  if (order !== 'asc' && order !== 'desc') throw illegalArgument(`Unknown sort order [${order}]`)
  const takesMissing = options.flag('missing_bucket') ?? false
  const missingOrder = (options.text('missing_order') ?? 'default').toLowerCase()
  const isAscending = order === 'asc'
  const missingFirst = missingOrder === 'default' ? isAscending : missingOrder === 'first'
  return {
    isAscending,
    takesMissing,
    missingFirst,
    hasUnusedOrder: !takesMissing && missingOrder !== 'default',
  }
}

export function readSource(parent: AggOptions, name: string, json: JsonObject): CompositeSource {
  const [kind] = Object.keys(json)
  const body = json[kind!]
  if (!isObject(body)) throw parent.failed('sources')
  const options = parent.inner(body, kind!)
  const read = readers.get(kind!)
  if (read === undefined) throw parent.places.error(`invalid source type: ${kind}`, json, kind)
  return read(name, options)
}

const readers = new Map([
  ['terms', termsSource],
  ['histogram', histogramSource],
  ['date_histogram', dateSource],
  ['geotile_grid', tileSource],
])

function termsSource(name: string, options: AggOptions): CompositeSource {
  const values = readScriptableOptions(options)
  const common = readCommon(options)
  options.done()
  return {
    name,
    ...common,
    bind: (context) =>
      keySource(bindField(values, keyTypes, 'composite', name, context), values, context, undefined),
    show: (keys, key) => {
      if (keys.field.type === 'boolean') return keys.number(key) !== 0
      if (keys.field.type === 'date' && values.format === undefined) return keys.json(key)
      return keys.shown(key) ?? keys.json(key)
    },
  }
}

function histogramSource(name: string, options: AggOptions): CompositeSource {
  const values = readScriptableOptions(options)
  const interval = options.number('interval') ?? 0
  const common = readCommon(options)
  options.done()
  if (!(interval > 0)) throw illegalArgument('[interval] must be greater than 0 for [histogram] source')
  return {
    name,
    ...common,
    bind: (context) =>
      new NumberKeys(bindField(values, numberTypes, 'composite', name, context), values, context, {
        change: (value) => Math.floor(value / interval) * interval,
        format: null,
        repeats: true,
      }),
    show: (keys, key) => keys.json(key),
  }
}

function dateSource(name: string, options: AggOptions): CompositeSource {
  const values = readScriptableOptions(options)
  const interval = readInterval(options)
  const offset = readOffset(options)
  const common = readCommon(options)
  options.done()
  const rounding = shifted(interval(values.zone), offset)
  return {
    name,
    ...common,
    bind: (context) => dateKeys(name, values, rounding, context),
    show: (keys, key) => (values.format === undefined ? keys.json(key) : keys.shown(key)),
  }
}

function dateKeys(name: string, values: ValueOptions, rounding: Rounding, context: AggContext): KeySource {
  const field = bindField(values, ['date', ...numberTypes], 'composite', name, context)
  let from = Number.POSITIVE_INFINITY
  let to = Number.NEGATIVE_INFINITY
  const change = (value: number) => {
    if (!(value >= from && value < to)) {
      from = rounding.round(value)
      to = rounding.next(from)
    }
    return from
  }
  const format = formatterOf(field, values) ?? null
  return new NumberKeys(field, values, context, { change, format, repeats: true })
}

function tileSource(name: string, options: AggOptions): CompositeSource {
  const values = readValueOptions(options)
  const precision = readPrecision(options, 'geotile_grid')
  const bounds = options.object('bounds')
  const common = readCommon(options)
  options.done()
  if (bounds !== undefined) throw illegalArgument('[bounds] of a [geotile_grid] source are not supported')
  return {
    name,
    ...common,
    bind: (context) =>
      gridKeys('geotile_grid', bindField(values, ['geo_point'], 'composite', name, context), precision),
    show: (keys, key) => keys.json(key),
  }
}
