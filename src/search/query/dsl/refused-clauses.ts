/** Clauses that are known and not served, each with the words a cluster without that module would use. */
import { SearchError } from '../../search-error.ts'
import type { ParseClause } from './clause.ts'

function notSupported(clause: string): ParseClause {
  return () => {
    throw new SearchError('illegal_argument_exception', `[${clause}] queries are not supported`)
  }
}

export const refusedClauses: readonly (readonly [string, ParseClause])[] = [
  'percolate',
  'has_child',
  'has_parent',
  'parent_id',
  'knn',
].map((clause) => [clause, notSupported(clause)])
