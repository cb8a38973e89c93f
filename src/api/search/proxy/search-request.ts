/**
 * A search as its address and body say it together: what is in the address counts more. Only what decides about pages
 * and totals is read; everything else goes to the cluster as it is.
 */

import { parseExactJson } from '../../../search/request/json-literals.ts'
import { isObject, type JsonObject, own } from '../../../search/request/json-object.ts'
import { sortOfText } from './sort-keys.ts'

export interface SearchRequest {
  /** `/logs-*`, or empty for all indices. */
  readonly target: string
  readonly parameters: URLSearchParams
  readonly body: JsonObject
  readonly from: number
  readonly size: number
  readonly sort: unknown
}

const searchPath = /^(\/[^/]+)?\/_search\/?$/
const defaultSize = 10

export function isSearch(method: string, path: string): boolean {
  return (method === 'GET' || method === 'POST') && targetOf(path) !== undefined
}

/** Names with a leading underscore are no indices, but `_all` is. */
function targetOf(path: string): string | undefined {
  const match = searchPath.exec(path)
  if (match === null) return undefined
  const [, target = ''] = match
  return target.startsWith('/_') && target !== '/_all' ? undefined : target
}

/** Undefined for what only the cluster can say something about, such as a body that is no JSON. */
export function searchRequest(
  path: string,
  parameters: URLSearchParams,
  bytes: Buffer,
): SearchRequest | undefined {
  const source = bytes.length === 0 ? parameters.get('source') : null
  const body = parsed(source === null ? bytes.toString('utf8') : source)
  if (body === undefined) return undefined
  const from = numberOf(parameters.get('from') ?? own(body, 'from') ?? 0)
  const size = numberOf(parameters.get('size') ?? own(body, 'size') ?? defaultSize)
  if (from === undefined || size === undefined) return undefined
  const sortText = parameters.get('sort')
  const sort = sortText === null ? own(body, 'sort') : sortOfText(sortText)
  return { target: targetOf(path) ?? '', parameters, body, from, size, sort }
}

function parsed(text: string): JsonObject | undefined {
  if (text.trim() === '') return {}
  try {
    JSON.parse(text)
    const value = parseExactJson(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

/** Returns whether the request leaves `track_total_hits` at its default. */
export function hasDefaultTotal({ parameters, body }: SearchRequest): boolean {
  const named = ['track_total_hits', 'terminate_after']
  if (named.some((name) => parameters.has(name) || own(body, name) !== undefined)) return false
  return !parameters.has('scroll')
}

/** The query of `q` and its companions. */
export function queryOf({ parameters, body }: SearchRequest): unknown {
  const q = parameters.get('q')
  if (q === null) return own(body, 'query')
  const options: Record<string, string> = { query: q }
  const names = { df: 'default_field', analyzer: 'analyzer', analyze_wildcard: 'analyze_wildcard' }
  const more = { default_operator: 'default_operator', lenient: 'lenient' }
  for (const [name, option] of Object.entries({ ...names, ...more })) {
    const value = parameters.get(name)
    if (value !== null) options[option] = value
  }
  return { query_string: options }
}
