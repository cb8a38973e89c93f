/** Clauses that are known but not supported, refused with the text of a cluster without that module. */
import { illegalArgument } from '../../request/errors.ts'
import type { ParseClause } from './clause.ts'

function notSupported(clause: string): ParseClause {
  return () => {
    throw illegalArgument(`[${clause}] queries are not supported`)
  }
}

export const refusedClauses: readonly (readonly [string, ParseClause])[] = [
  'percolate',
  'has_child',
  'has_parent',
  'parent_id',
  'knn',
].map((clause) => [clause, notSupported(clause)])
