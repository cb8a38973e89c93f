/** Whether a search will take long, as far as its request tells; a guess that only decides who goes first. */
import type { SearchRequest } from './search-request.ts'

/** Clauses that look at many terms or at every match one by one. */
const longClauses =
  /"(?:regexp|wildcard|fuzzy|prefix|query_string|simple_query_string|function_score|script_score|more_like_this|match_phrase_prefix|match_bool_prefix|nested|intervals)"\s*:/
const manyHits = 1000

export function isLongSearch(request: SearchRequest): boolean {
  const { aggregations, size, suggest, rescore, collapse, sort = [], query, postFilter } = request
  if (aggregations !== undefined || suggest !== undefined || collapse !== undefined) return true
  if (size > manyHits || rescore.length > 0 || sort.length > 2) return true
  return longClauses.test(JSON.stringify([query ?? null, postFilter ?? null]))
}
