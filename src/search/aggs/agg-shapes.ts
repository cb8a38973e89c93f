/**
 * The options of the aggregations that OpenSearch reads with object parsers, and what kinds of values they take.
 * `checkAggregation` checks a definition with them in the order of its text, before it is read.
 */
import { parseQuery } from '../query/dsl/parse-query.ts'
import { checkScript } from '../query/dsl/shape-check.ts'
import { checkObject, type FieldType, noObject, type ObjectShape } from '../request/object-shape.ts'
import { isObject, type JsonObject, scalarText, tokenKind } from '../request/request-values.ts'
import { SearchError } from '../request/search-error.ts'
import type { Place, SourcePlaces } from '../request/source-place.ts'

type Fields = Readonly<Record<string, FieldType>>

const script: Fields = { script: 'object or string' }
const values: Fields = { field: 'string', missing: 'value', value_type: 'string', valueType: 'string' }
const formatted: Fields = { ...values, format: 'string', ...script }
const zoned: Fields = { ...formatted, time_zone: 'string or number' }
const keyed: Fields = { keyed: 'flag' }
const ranges: Fields = { ...keyed, ranges: 'object array' }
const sized: Fields = {
  size: 'integer',
  shard_size: 'integer',
  min_doc_count: 'integer',
  shard_min_doc_count: 'integer',
}
const chosen: Fields = { include: 'object, array or string', exclude: 'string array' }
const histogram: Fields = {
  ...keyed,
  min_doc_count: 'integer',
  extended_bounds: 'object',
  hard_bounds: 'object',
  order: 'object array',
}
const significance: Fields = {
  ...sized,
  ...chosen,
  background_filter: 'object',
  mutual_information: 'object',
  chi_square: 'object',
  gnd: 'object',
  jlh: 'object',
  percentage: 'object',
  script_heuristic: 'object',
}
const quantiles: Fields = { ...formatted, ...keyed, hdr: 'object', tdigest: 'object' }
const grid: Fields = {
  ...values,
  ...script,
  precision: 'string or number',
  size: 'integer',
  shard_size: 'integer',
  bounds: 'object',
}

const fieldsOf: Readonly<Record<string, Fields>> = {
  avg: formatted,
  sum: formatted,
  min: formatted,
  max: formatted,
  stats: formatted,
  value_count: formatted,
  extended_stats: { ...formatted, sigma: 'number' },
  median_absolute_deviation: { ...formatted, compression: 'number' },
  cardinality: { ...formatted, precision_threshold: 'integer', execution_hint: 'string', rehash: 'integer' },
  percentiles: { ...quantiles, percents: 'number array' },
  percentile_ranks: { ...quantiles, values: 'number array' },
  geo_bounds: { ...values, ...script, wrap_longitude: 'flag' },
  geo_centroid: { ...values, ...script },
  geohash_grid: grid,
  geotile_grid: grid,
  weighted_avg: { value: 'object', weight: 'object', format: 'string', value_type: 'string' },
  scripted_metric: {
    init_script: 'object or string',
    map_script: 'object or string',
    combine_script: 'object or string',
    reduce_script: 'object or string',
    params: 'object',
  },
  terms: {
    ...formatted,
    ...sized,
    ...chosen,
    order: 'object array',
    collect_mode: 'string',
    execution_hint: 'string',
    show_term_doc_count_error: 'flag',
  },
  multi_terms: {
    ...sized,
    terms: 'object array',
    order: 'object array',
    collect_mode: 'string',
    show_term_doc_count_error: 'flag',
    format: 'string',
    value_type: 'string',
  },
  rare_terms: {
    ...values,
    ...script,
    format: 'string',
    ...chosen,
    max_doc_count: 'integer',
    precision: 'number',
  },
  significant_terms: { ...formatted, ...significance, execution_hint: 'string' },
  significant_text: {
    field: 'string',
    ...significance,
    source_fields: 'string array',
    filter_duplicate_text: 'flag',
  },
  histogram: { ...formatted, ...histogram, interval: 'number', offset: 'number' },
  date_histogram: {
    ...zoned,
    ...histogram,
    interval: 'string or number',
    calendar_interval: 'string',
    fixed_interval: 'string',
    offset: 'string or number',
  },
  auto_date_histogram: { ...zoned, buckets: 'integer', minimum_interval: 'string or null' },
  variable_width_histogram: {
    ...formatted,
    buckets: 'integer',
    shard_size: 'integer',
    initial_buffer: 'integer',
  },
  range: { ...formatted, ...ranges },
  date_range: { ...zoned, ...ranges },
  ip_range: { ...formatted, ...ranges },
  geo_distance: {
    ...formatted,
    ...ranges,
    origin: 'object, array or string',
    unit: 'string',
    distance_type: 'string',
  },
  missing: { ...values, ...script },
  diversified_sampler: {
    ...values,
    ...script,
    shard_size: 'integer',
    max_docs_per_value: 'integer',
    execution_hint: 'string',
  },
  adjacency_matrix: { separator: 'string', filters: 'object array', show_only_intersecting: 'flag' },
  composite: { sources: 'object array', size: 'integer', after: 'object' },
}

const rangeShape: ObjectShape = {
  parser: 'range',
  fields: { key: 'string or number', from: 'number, text or null', to: 'number, text or null' },
}

const configShape: ObjectShape = {
  parser: 'field_config',
  fields: { ...values, format: 'string', ...script, time_zone: 'string or number', filter: 'object' },
}

const sketchShapes: ReadonlyMap<string, ObjectShape> = new Map([
  ['hdr', { parser: 'hdr', fields: { number_of_significant_value_digits: 'integer' } }],
  ['tdigest', { parser: 'tdigest', fields: { compression: 'number' } }],
])

const rangeKinds = new Set(['range', 'date_range', 'geo_distance'])

/** Throws SearchError. */
export function checkAggregation(kind: string, json: JsonObject, places: SourcePlaces): void {
  const fields = Object.hasOwn(fieldsOf, kind) ? fieldsOf[kind] : undefined
  if (fields === undefined) return
  checkObject({ parser: kind, fields }, json, places, (name, value) => checkOption(kind, name, value, places))
}

function checkOption(kind: string, name: string, value: unknown, places: SourcePlaces): void {
  if (name === 'order') checkOrder(value, places)
  else if (name === 'background_filter') parseQuery(value, places)
  else if (name === 'script' || name.endsWith('_script')) checkScript(value, places)
  else if (name === 'ranges' && rangeKinds.has(kind)) checkEach(rangeShape, value, places)
  else if (name === 'ranges') checkIpRanges(value, places)
  else if (name === 'terms' && kind === 'multi_terms') checkEach(configShape, value, places)
  else if (kind === 'weighted_avg' && isObject(value)) checkObject(configShape, value, places)
  const sketch = sketchShapes.get(name)
  if (sketch !== undefined && isObject(value)) checkObject(sketch, value, places)
}

function checkEach(shape: ObjectShape, value: unknown, places: SourcePlaces): void {
  if (isObject(value)) return checkObject(shape, value, places)
  for (const [index, item] of (value as readonly unknown[]).entries()) {
    if (!isObject(item)) throw noObject(shape.parser, value, index, places)
    checkObject(shape, item, places)
  }
}

/** OpenSearch parses ranges of addresses with a loop over the tokens. */
function checkIpRanges(value: unknown, places: SourcePlaces): void {
  for (const [index, item] of (Array.isArray(value) ? value : [value]).entries()) {
    if (!isObject(item))
      throw refused(`[ranges] must contain objects, but hit a ${tokenKind(item)}`, places.of(value, index))
    for (const [name, given] of Object.entries(item)) {
      const isNull = given === null && (name === 'from' || name === 'to')
      const isKnown = ['key', 'mask', 'from', 'to'].includes(name) && scalarText(given) !== undefined
      if (!isKnown && !isNull)
        throw refused(`Unexpected ip range parameter: [${name}]`, places.of(item, name))
    }
  }
}

/** Each order names something and a direction. */
function checkOrder(value: unknown, places: SourcePlaces): void {
  for (const [index, item] of (Array.isArray(value) ? value : [value]).entries()) {
    if (!isObject(item)) {
      const isLast = index === (value as readonly unknown[]).length - 1
      const token = isLast ? 'END_ARRAY' : tokenKind((value as readonly unknown[])[index + 1])
      throw refused(`Unexpected token [${token}] for [order]`, places.after(value, index))
    }
    for (const [key, direction] of Object.entries(item)) {
      if (typeof direction !== 'string')
        throw refused(`Unexpected token [${tokenKind(direction)}] for [order]`, places.of(item, key))
      if (!/^(?:asc|desc)$/i.test(direction))
        throw refused(`Unknown order direction [${direction}]`, places.of(item, key))
    }
    if (Object.keys(item).length === 0)
      throw refused('Must specify at least one field for [order]', places.endOf(item))
  }
}

function refused(reason: string, { line, col }: Place): SearchError {
  return new SearchError('parsing_exception', reason, { details: { line, col } })
}
