/** Refusals of queries with more clauses than `indices.query.bool.max_clause_count` allows. */
import { SearchError } from '../request/search-error.ts'

export function tooManyClauses(limit: number): SearchError {
  return new SearchError('too_many_clauses', `maxClauseCount is set to ${limit}`)
}

/** Refuses a query tree with too many leaves, as Lucene's IndexSearcher does. */
export function tooManyNestedClauses(limit: number): SearchError {
  const reason = `Query contains too many nested clauses; maxClauseCount is set to ${limit}`
  return new SearchError('too_many_nested_clauses', reason)
}
