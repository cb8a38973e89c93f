/**
 * Reads the body of one aggregation option by option. Options that were never read are unknown to the
 * aggregation, and `done` refuses them with Elasticsearch's texts.
 */

import { didYouMean } from '../request/did-you-mean.ts'
import { asSearchError, contentError, illegalArgument } from '../request/errors.ts'
import { JsonNumber } from '../request/json-literals.ts'
import { bodyFlag, isObject, type JsonObject, scalarText, tokenKind } from '../request/request-values.ts'
import { SearchError, type SearchErrorOptions } from '../request/search-error.ts'
import { SourcePlaces } from '../request/source-place.ts'

/** Positions of the aggregations in the request text, for errors. */
export class AggPlaces {
  readonly #places: SourcePlaces

  constructor(body: unknown, text?: string | (() => string)) {
    this.#places = new SourcePlaces(body, text)
  }

  get source(): SourcePlaces {
    return this.#places
  }

  text(node: unknown, key?: string): string {
    const { line, col } = this.#places.of(node, key)
    return `${line}:${col}`
  }

  endText(node: unknown): string {
    const { line, col } = this.#places.endOf(node)
    return `${line}:${col}`
  }

  nameText(node: unknown, name: string): string {
    const { line, col } = this.#places.ofName(node, name)
    return `${line}:${col}`
  }

  error(reason: string, node: unknown, key?: string, options: SearchErrorOptions = {}): SearchError {
    const { line, col } = this.#places.of(node, key)
    return new SearchError('parsing_exception', reason, { ...options, details: { line, col } })
  }

  /** An error that is found at the end of an object. */
  errorAfter(reason: string, node: unknown): SearchError {
    const { line, col } = this.#places.endOf(node)
    return new SearchError('parsing_exception', reason, { details: { line, col } })
  }
}

export class AggOptions {
  /** The name of the aggregation, for errors. */
  readonly aggregation: string
  readonly kind: string
  readonly json: JsonObject
  readonly places: AggPlaces
  readonly #asked: string[] = []

  constructor(aggregation: string, kind: string, json: JsonObject, places: AggPlaces) {
    this.aggregation = aggregation
    this.kind = kind
    this.json = json
    this.places = places
  }

  /** Undefined when absent or null. */
  raw(name: string): unknown {
    this.#asked.push(name)
    const value = Object.hasOwn(this.json, name) ? this.json[name] : undefined
    return value === null ? undefined : value
  }

  /** Undefined when absent; null is refused. */
  #value(name: string): unknown {
    const value = this.raw(name)
    if (value === undefined && Object.hasOwn(this.json, name)) throw this.#wrongType(name, null)
    return value
  }

  #wrongType(name: string, value: unknown): SearchError {
    return this.xContent(`[${this.kind}] ${name} doesn't support values of type: ${tokenKind(value)}`, name)
  }

  xContent(reason: string, key?: string, cause?: Error): SearchError {
    const place = this.places.text(this.json, key)
    return contentError(`[${place}] ${reason}`, cause)
  }

  failed(name: string, cause?: Error): SearchError {
    return this.xContent(`[${this.kind}] failed to parse field [${name}]`, name, cause)
  }

  /** The error of a value that is not allowed, wrapped with the name of the option when it was given. */
  refused(name: string, reason: string): SearchError {
    const error = illegalArgument(reason)
    return Object.hasOwn(this.json, name) ? this.failed(name, error) : error
  }

  /** Runs a reader of an option's value; what it throws is wrapped with the name of the option. */
  within<T>(name: string, read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw error instanceof SearchError ? this.failed(name, error) : error
    }
  }

  /** The error of a whole that cannot be made of its options. */
  unbuildable(reason: string): SearchError {
    return contentError(
      `Failed to build [${this.kind}] after last required field arrived`,
      illegalArgument(reason),
    )
  }

  /** Like `failed`, at the end of the value. */
  failedAfter(name: string, cause: Error): SearchError {
    const place = this.places.endText(this.json[name])
    return contentError(`[${place}] [${this.kind}] failed to parse field [${name}]`, cause)
  }

  text(name: string): string | undefined {
    const value = this.#value(name)
    if (value === undefined) return undefined
    const text = scalarText(value)
    if (text === undefined) throw this.#wrongType(name, value)
    return text
  }

  number(name: string): number | undefined {
    const value = this.#value(name)
    if (value === undefined) return undefined
    if (typeof value === 'number') return value
    if (value instanceof JsonNumber) return value.value
    if (typeof value !== 'string') throw this.#wrongType(name, value)
    const number = value.trim() === '' ? Number.NaN : Number(value)
    if (Number.isNaN(number)) {
      const cause = new SearchError('number_format_exception', `For input string: "${value}"`)
      throw this.failed(name, cause)
    }
    return number
  }

  int(name: string): number | undefined {
    const number = this.number(name)
    return number === undefined ? undefined : Math.trunc(number)
  }

  flag(name: string): boolean | undefined {
    const value = this.#value(name)
    if (value === undefined) return undefined
    try {
      return bodyFlag(value)
    } catch (error) {
      throw this.failed(name, asSearchError(error))
    }
  }

  object(name: string): JsonObject | undefined {
    const value = this.#value(name)
    if (value === undefined) return undefined
    if (!isObject(value)) throw this.#wrongType(name, value)
    return value
  }

  list(name: string): readonly unknown[] | undefined {
    const value = this.#value(name)
    if (value === undefined) return undefined
    return Array.isArray(value) ? (value as unknown[]) : [value]
  }

  /** Reads a nested body in the same way. */
  inner(json: JsonObject, kind = this.kind): AggOptions {
    return new AggOptions(this.aggregation, kind, json, this.places)
  }

  /** Missing options are noticed at the end of a body, unknown ones before: the first of those, else the error. */
  unknownBefore(error: unknown): unknown {
    const known = optionNames.get(this.kind)
    if (known === undefined || !isMissing(error)) return error
    const names = [...known, ...this.#asked]
    const name = Object.keys(this.json).find((one) => !names.includes(one))
    if (name === undefined) return error
    const place = this.places.nameText(this.json, name)
    return contentError(
      `[${place}] [${this.kind}] unknown field [${name}]${didYouMean(name, new Set(names))}`,
    )
  }

  /** Throws when an option was not read. */
  done(): void {
    for (const name of Object.keys(this.json)) {
      if (this.#asked.includes(name)) continue
      const place = this.places.nameText(this.json, name)
      throw contentError(
        `[${place}] [${this.kind}] unknown field [${name}]${didYouMean(name, new Set(this.#asked))}`,
      )
    }
  }
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof SearchError &&
    (error.type === 'illegal_argument_exception' || error.type === 'illegal_state_exception')
  )
}

const valueNames = ['field', 'missing', 'format', 'script', 'value_type']

/** The options of aggregations that are refused for something missing before all of their options are read. */
const optionNames: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    terms:
      'size shard_size min_doc_count shard_min_doc_count order include exclude collect_mode execution_hint show_term_doc_count_error',
    histogram: 'interval offset keyed min_doc_count order extended_bounds hard_bounds',
    date_histogram:
      'calendar_interval fixed_interval interval offset keyed min_doc_count order extended_bounds hard_bounds time_zone',
    range: 'ranges keyed',
    date_range: 'ranges keyed time_zone',
    ip_range: 'ranges keyed',
    geo_distance: 'origin ranges keyed unit distance_type',
    geo_bounds: 'wrap_longitude',
    geo_centroid: '',
    geohash_grid: 'precision size shard_size bounds',
    geotile_grid: 'precision size shard_size bounds',
    percentiles: 'percents keyed tdigest hdr',
    percentile_ranks: 'values keyed tdigest hdr',
    scripted_metric: 'init_script map_script combine_script reduce_script params',
    weighted_avg: 'value weight',
    nested: 'path',
    reverse_nested: 'path',
    sampler: 'shard_size',
    diversified_sampler: 'shard_size max_docs_per_value execution_hint',
    auto_date_histogram: 'buckets minimum_interval time_zone',
    variable_width_histogram: 'buckets shard_size initial_buffer',
    rare_terms: 'max_doc_count precision include exclude',
    multi_terms:
      'terms size shard_size min_doc_count shard_min_doc_count order collect_mode show_term_doc_count_error',
    significant_text:
      'size shard_size min_doc_count include exclude background_filter filter_duplicate_text source_fields',
    significant_terms: 'size shard_size min_doc_count include exclude background_filter execution_hint',
    cardinality: 'precision_threshold rehash execution_hint',
    matrix_stats: 'fields mode',
    missing: '',
    avg: '',
    sum: '',
    min: '',
    max: '',
    stats: '',
    extended_stats: 'sigma',
    value_count: '',
    median_absolute_deviation: 'compression',
  }).map(([kind, names]) => [kind, [...valueNames, ...names.split(' ')]]),
)

/** The error of an aggregation that takes no script. */
export function noScripts(): SearchError {
  return illegalArgument('script_lang not supported [painless]')
}
