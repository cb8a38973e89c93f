/**
 * Shards that are counted as skipped when `pre_filter_shard_size` asks for a look ahead: those without a match,
 * where the bounds of their fields are enough to know that. One shard always answers.
 */

import { isObject } from '../request/request-values.ts'
import type { PreparedSearch } from './prepared-search.ts'
import type { SearchRequest } from './request/search-request.ts'

export function skippedShards(search: PreparedSearch, request: SearchRequest): number {
  const { prefilter, query, aggregations } = request
  if (prefilter === undefined || prefilter >= search.shardCount || !isDecided(query)) return 0
  if (aggregations !== undefined && seesAll(aggregations)) return 0
  const matched = new Set<number>()
  for (const { leaf, docs } of search.matches) if (!docs.isEmpty) matched.add(leaf.shardNumber)
  return Math.min(search.shards.length - matched.size, search.shardCount - 1)
}

/** Whether a query that matches nothing in a shard shows it by the bounds of a field. */
function isDecided(query: unknown): boolean {
  if (!isObject(query)) return false
  const [name] = Object.keys(query)
  const body = name === undefined ? undefined : query[name]
  if (name === 'range' || name === 'match_none') return true
  if (!isObject(body)) return false
  if (name === 'constant_score') return isDecided(body['filter'])
  if (name !== 'bool') return false
  return [body['must'], body['filter']].flat().some(isDecided)
}

/** Aggregations that have buckets for what does not match. */
function seesAll(aggregations: unknown): boolean {
  return /"global":|"min_doc_count":"?0\b/.test(JSON.stringify(aggregations) ?? '')
}
