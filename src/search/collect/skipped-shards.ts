/**
 * The number of shards that `pre_filter_shard_size` counts as skipped: those without a match, when the bounds
 * of their fields suffice to know that (Elasticsearch's can_match phase). One shard always answers.
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

/** True when the bounds of a field suffice to tell that the query matches nothing in a shard. */
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

/** True for aggregations that also count documents outside of the query. */
function seesAll(aggregations: unknown): boolean {
  return /"global":|"min_doc_count":"?0\b/.test(JSON.stringify(aggregations) ?? '')
}
