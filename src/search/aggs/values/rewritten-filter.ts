/**
 * Finds out whether OpenSearch rewrites the query of a filter aggregation on a shard. Clients can see it: the rewritten
 * aggregation, and those around it, print an empty `meta` where the request has none.
 */
import type { SearchIndex } from '../../collect/search-index.ts'
import { shardQuery } from '../../collect/shard-query.ts'
import type { Query } from '../../query/exec/query.ts'
import { isObject } from '../../request/request-values.ts'
import type { AggContext } from '../aggregator.ts'

/** Queries of one field that find nothing where it is not mapped. */
const fieldQueries = new Set(['term', 'terms', 'range', 'prefix', 'wildcard', 'fuzzy'])
/** The options of compound queries that hold other queries. */
const innerQueries: ReadonlyMap<string, readonly string[]> = new Map([
  ['bool', ['must', 'filter', 'should', 'must_not']],
  ['constant_score', ['filter']],
  ['nested', ['query']],
  ['dis_max', ['queries']],
  ['boosting', ['positive', 'negative']],
])
/** Options of `terms` beside its field. */
const notFields = new Set(['boost', '_name', 'value_type'])

export function isRewritten(json: unknown, query: Query, index: SearchIndex, context: AggContext): boolean {
  if (isRewrittenJson(json, index)) return true
  const shard = context.search.shards.find((each) => each.index === index)
  const scope = shard?.leaves[0]?.scope
  return scope !== undefined && shardQuery(query, scope) !== query
}

function isRewrittenJson(json: unknown, index: SearchIndex): boolean {
  const { queries } = index
  if (!isObject(json)) return false
  const [kind, body] = Object.entries(json)[0] ?? []
  if (kind === undefined || !isObject(body)) return false
  const inside = innerQueries.get(kind)?.flatMap((name) => body[name] ?? [])
  if (inside !== undefined)
    return (kind === 'bool' && inside.length === 0) || inside.some((one) => isRewrittenJson(one, index))
  if (kind === 'ids') return Array.isArray(body['values']) && body['values'].length === 0
  if (kind === 'exists') return isNothing(String(body['field']), queries)
  if (!fieldQueries.has(kind)) return false
  const field = Object.keys(body).find((name) => !notFields.has(name))
  if (field === undefined) return false
  const value = body[field]
  if (kind === 'terms' && (isObject(value) || (Array.isArray(value) && value.length === 0))) return true
  return field === '_index' || (!field.startsWith('_') && queries.field(field) === undefined)
}

function isNothing(pattern: string, queries: SearchIndex['queries']): boolean {
  if (pattern.startsWith('_')) return false
  const isKnown =
    queries.field(pattern) !== undefined ||
    queries.fieldsMatching(pattern).length > 0 ||
    queries.fieldsUnder(pattern).length > 0
  return !isKnown
}
