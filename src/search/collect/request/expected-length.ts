/** Guesses from the request whether a search will take long; the guess only affects scheduling. */
import type { SearchRequest } from './search-request.ts'

/** Clauses that visit many terms, or test every match one by one. */
const longClauses: ReadonlySet<string> = new Set(
  (
    'regexp wildcard fuzzy prefix query_string simple_query_string function_score script_score more_like_this ' +
    'match_phrase_prefix match_bool_prefix nested intervals has_child has_parent percolate'
  ).split(' '),
)
/** Sources of so many hits take several times as long to read as a first page takes to find. */
const minLongPage = 500

export function isLongSearch(request: SearchRequest): boolean {
  const { aggregations, size, suggest, rescore, collapse, sort = [], query, postFilter } = request
  if (aggregations !== undefined || suggest !== undefined || collapse !== undefined) return true
  if (size >= minLongPage || rescore.length > 0 || sort.length > 2) return true
  return hasLongClause(query) || hasLongClause(postFilter)
}

function hasLongClause(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return false
  if (Array.isArray(json)) return json.some(hasLongClause)
  return Object.entries(json).some(([name, inner]) => longClauses.has(name) || hasLongClause(inner))
}
