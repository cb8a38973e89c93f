/** The refusal of a query with more clauses than `indices.query.bool.max_clause_count` allows. */
import { SearchError } from '../request/search-error.ts'

export function tooManyClauses(limit: number): SearchError {
  return new SearchError('too_many_clauses', `maxClauseCount is set to ${limit}`)
}
