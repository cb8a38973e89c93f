/** Parses and validates what `_reindex`, `_update_by_query` and `_delete_by_query` share. */

import type { ByQueryRequest } from '../../../search/index/documents/by-query.ts'
import { settingOf } from '../../../search/index/index-metadata.ts'
import type { SearchTarget } from '../../../search/index/search-calls.ts'
import { illegalArgument, numberFormat } from '../../../search/request/errors.ts'
import { isObject, type JsonObject, own } from '../../../search/request/json-object.ts'
import { plainText } from '../../../search/request/plain-text.ts'
import { SearchError } from '../../../search/request/search-error.ts'
import { checkSlices, defaultMaxSlices } from '../../../search/request/slice-limit.ts'
import type { Call } from '../call.ts'
import { writeOptions } from './documents.ts'

export const byQueryParameters =
  'refresh timeout wait_for_active_shards wait_for_completion requests_per_second scroll slices max_docs'

const maxAutomaticSlices = 20

export function requestsPerSecond(call: Call, isRequired = false): number {
  const text = call.text('requests_per_second')
  const refuse = () =>
    illegalArgument('[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.')
  if (text === undefined) {
    if (isRequired) throw illegalArgument('requests_per_second is a required parameter')
    return -1
  }
  const rate = text === '' ? Number.NaN : Number(text)
  if (rate === -1) return -1
  if (Number.isNaN(rate) || rate <= 0) throw refuse()
  return rate
}

export function slicesOf(call: Call, targets: () => readonly SearchTarget[]): number {
  const text = call.text('slices')
  if (text === undefined) return 1
  if (text === 'auto') {
    const counts = targets().map(({ shards }) => shards.length)
    return Math.min(maxAutomaticSlices, Math.max(1, Math.min(...(counts.length === 0 ? [1] : counts))))
  }
  const slices = /^\d+$/.test(text) ? Number(text) : 0
  if (slices < 1) throw illegalArgument('[slices] must be a positive integer or the string "auto"')
  // Each slice has a search and a part of the answer of its own, so that the limit is asked before there are any.
  const limits = targets().map(({ metadata }) => settingOf(metadata, 'index.max_slices_per_scroll'))
  const limit = Math.min(...limits.map((text) => Number(text ?? defaultMaxSlices)))
  checkSlices(slices, Number.isFinite(limit) ? limit : defaultMaxSlices)
  return slices
}

export function proceeds(text: unknown): boolean {
  if (text === undefined || text === 'abort') return false
  if (text === 'proceed') return true
  throw illegalArgument(`conflicts may only be "proceed" or "abort" but was [${plainText(text)}]`)
}

/** From the query string (`max_docs`, formerly `size`) and the body. */
export function maxDocsOf(call: Call, body: JsonObject): number | undefined {
  const given = [
    call.integer('max_docs'),
    call.integer('size'),
    bodyNumber(own(body, 'max_docs')),
    bodyNumber(own(body, 'size')),
  ]
  const values = given.filter((value) => value !== undefined)
  for (const value of values) {
    if (value < 0 && value !== -1)
      throw illegalArgument(`[max_docs] parameter cannot be negative, found [${value}]`)
  }
  const [first] = values
  const other = values.find((value) => value !== first)
  if (first !== undefined && other !== undefined)
    throw illegalArgument(
      `[max_docs] set to two different values [${Math.min(first, other)}] and [${Math.max(first, other)}]`,
    )
  return first === -1 ? undefined : first
}

function bodyNumber(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  const number = Number(value)
  if (Number.isNaN(number)) throw numberFormat(plainText(value))
  return number
}

export function batchSize(call: Call): number {
  const size = call.integer('scroll_size') ?? 1000
  if (size <= 0) throw illegalArgument(`[scroll_size] must be positive but was [${size}]`)
  return size
}

/** Refuses members of a search body that are not allowed here. */
export function checkSearchBody(body: JsonObject, allowed: readonly string[]): void {
  for (const name of Object.keys(body)) {
    if (allowed.includes(name)) continue
    if (name === 'from' || name === 'stored_fields' || name === 'fields')
      throw illegalArgument(`${name} is not supported in this context`)
    if (name === '_source') {
      if (own(body, name) === false) throw illegalArgument('_source:false is not supported in this context')
      continue
    }
    throw new SearchError(
      'parsing_exception',
      `Unknown key for a ${tokenName(own(body, name))} in [${name}].`,
      {
        details: { line: 1, col: 2 },
      },
    )
  }
}

function tokenName(value: unknown): string {
  if (value === null) return 'VALUE_NULL'
  if (isObject(value)) return 'START_OBJECT'
  return Array.isArray(value) ? 'START_ARRAY' : `VALUE_${(typeof value).toUpperCase()}`
}

/** Batches do not refresh; that happens once at the end. */
export function batchWrites(call: Call): ByQueryRequest['write'] {
  return { ...writeOptions(call), refresh: 'false' }
}

/** `q` and its companions as a query. */
export function urlQuery(call: Call): JsonObject | undefined {
  const q = call.text('q')
  if (q === undefined) return undefined
  const members = Object.entries({
    query: q,
    default_field: call.text('df'),
    analyzer: call.text('analyzer'),
    default_operator: call.text('default_operator'),
    ...(call.text('analyze_wildcard') !== undefined && { analyze_wildcard: call.flag('analyze_wildcard') }),
    ...(call.text('lenient') !== undefined && { lenient: call.flag('lenient') }),
  }).filter(([, value]) => value !== undefined)
  return { query_string: Object.fromEntries(members) }
}
