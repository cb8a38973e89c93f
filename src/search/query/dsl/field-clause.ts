/** Clauses about one field, which an index may have or not: that is known when the clause is bound. */
import type { MappedField } from '../../mapping/mapped-field.ts'
import { type Binding, unmapped } from '../binding/binding.ts'
import type { Query } from '../exec/query.ts'
import type { ParseClause } from './clause.ts'
import type { FieldBody } from './options.ts'

/** `ofOther` is for names that are not mapped and still mean something, such as metadata fields. */
export function fieldClause(
  { field, options }: FieldBody,
  ofMapped: (binding: Binding, field: MappedField) => Query,
  ofOther?: (binding: Binding) => Query | undefined,
): ReturnType<ParseClause> {
  return {
    boost: options.boost,
    name: options.name,
    bind(binding): Query {
      const mapped = binding.field(field)
      if (mapped !== undefined) return ofMapped(binding, mapped)
      return ofOther?.(binding) ?? unmapped(field)
    },
  }
}
