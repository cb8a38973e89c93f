/** The `exists` query for a field, a pattern of fields or an object. */
import { TextField } from '../../mapping/fields/text-field.ts'
import { simpleMatch } from '../../request/simple-match.ts'
import { existsQuery, existsUnderQuery } from '../exec/columns/predicate-query.ts'
import { ConstantScoreQuery, MatchAllQuery, MatchNoneQuery } from '../exec/compound/simple-queries.ts'
import type { Query } from '../exec/query.ts'
import type { Binding, QueryContext } from './binding.ts'
import { isMetadata, metadataExists } from './metadata-queries.ts'

/** The queries of a request by their patterns: a thousand clauses may have one pattern for thousands of fields. */
const madeFor = new WeakMap<QueryContext, Map<string, Query>>()

export function fieldExists(binding: Binding, pattern: string): Query {
  let made = madeFor.get(binding.context)
  if (made === undefined) madeFor.set(binding.context, (made = new Map()))
  let query = made.get(pattern)
  if (query === undefined) made.set(pattern, (query = makeQuery(binding, pattern)))
  return query
}

function makeQuery(binding: Binding, pattern: string): Query {
  if (isMetadata(pattern)) return metadataExists(binding, pattern)
  const { context } = binding
  const names = pattern.includes('*')
    ? context.fieldsMatching(pattern)
    : context.field(pattern) !== undefined
      ? [context.field(pattern)!.name]
      : context.fieldsUnder(pattern)
  if (names.length === 1 && isFlattenedKey(binding, names[0]!)) {
    return new ConstantScoreQuery(existsUnderQuery(names[0]!))
  }
  if (names.length === 0) return new MatchNoneQuery(`No field found for the pattern [${pattern}]`)
  for (const name of names) {
    if (context.field(name)?.type === 'constant_keyword' && simpleMatch(pattern, name)) {
      return new ConstantScoreQuery(new MatchAllQuery())
    }
  }
  // Fields without norms and doc values are looked for in the field of names.
  const isNamed = (name: string) => {
    const field = context.field(name)
    if (field === undefined) return false
    if (field instanceof TextField) return !field.hasNorms
    return !field.hasDocValues && !alwaysKept.has(field.type)
  }
  return new ConstantScoreQuery(existsQuery(names, names.join(' '), new Set(names.filter(isNamed))))
}

/** Types with columns that no parameter turns off. */
const alwaysKept = new Set(['wildcard', 'rank_feature', 'rank_features', 'constant_keyword'])

function isFlattenedKey({ context }: Binding, name: string): boolean {
  const type = context.field(name)?.type
  return type === 'flattened' || type === 'flat_object'
}
