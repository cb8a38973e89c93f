/** Clauses that are known but not supported. */
import { illegalArgument } from '../../request/errors.ts'
import type { ParseClause } from './clause.ts'

function notSupported(clause: string): ParseClause {
  return () => {
    throw illegalArgument(`[${clause}] queries are not supported`)
  }
}

export const refusedClauses: readonly (readonly [string, ParseClause])[] = [['knn', notSupported('knn')]]
