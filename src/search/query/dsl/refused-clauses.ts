/**
 * Clauses that are known but not supported. Where an index has nothing that they could ask for, they are refused as a
 * cluster does; otherwise with the word that they are not supported.
 */
import { illegalArgument } from '../../request/errors.ts'
import { scalarText } from '../../request/request-values.ts'
import { unmapped } from '../binding/binding.ts'
import type { ParseClause } from './clause.ts'

function notSupported(clause: string): ParseClause {
  return () => {
    throw illegalArgument(`[${clause}] queries are not supported`)
  }
}

/** `has_child`, `has_parent` and `parent_id` need a `join` field. */
function join(clause: string): ParseClause {
  return (body, parser) => {
    if (body['query'] !== undefined) parser.parse(body['query'], body, 'query')
    return {
      bind(binding) {
        const hasJoin = binding.context
          .fieldsMatching('*')
          .some((name) => binding.field(name)?.type === 'join')
        if (hasJoin) throw illegalArgument(`[${clause}] queries are not supported`)
        if (body['ignore_unmapped'] === true) return unmapped(clause)
        throw binding.refusal(`[${clause}] no join field has been configured`)
      },
    }
  }
}

const percolate: ParseClause = (body) => {
  const field = scalarText(body['field']) ?? ''
  return {
    bind(binding) {
      if (binding.field(field) === undefined) throw binding.refusal(`field [${field}] does not exist`)
      throw illegalArgument('[percolate] queries are not supported')
    },
  }
}

export const refusedClauses: readonly (readonly [string, ParseClause])[] = [
  ['percolate', percolate],
  ['has_child', join('has_child')],
  ['has_parent', join('has_parent')],
  ['parent_id', join('parent_id')],
  ['knn', notSupported('knn')],
]
