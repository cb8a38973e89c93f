/**
 * `multi_match`: one text on several fields, combined as best_fields, most_fields, cross_fields and so on.
 */
import { DisMaxQuery } from '../exec/compound/dis-max-query.ts'
import { boostedQuery, MatchAllQuery, MatchNoneQuery } from '../exec/compound/simple-queries.ts'
import type { Query } from '../exec/query.ts'
import type { FieldBoost } from '../language/field-boost.ts'
import type { MatchType } from '../language/option-readers.ts'
import { type Binding, unmapped } from './binding.ts'
import { crossFields } from './cross-fields.ts'
import { isMetadata, metadataTerms } from './metadata-queries.ts'
import { type MatchKind, optionalTextQuery, type TextOptions } from './text-query.ts'

const kinds: Readonly<Record<MatchType, MatchKind>> = {
  best_fields: 'boolean',
  most_fields: 'boolean',
  cross_fields: 'boolean',
  phrase: 'phrase',
  phrase_prefix: 'phrase_prefix',
  bool_prefix: 'boolean_prefix',
}

interface MultiMatchOptions extends Omit<TextOptions, 'kind'> {
  readonly type: MatchType
  readonly tieBreaker?: number | undefined
}

/** Undefined when analysis leaves no token in any field. */
export function multiMatch(
  binding: Binding,
  fields: readonly FieldBoost[],
  value: unknown,
  options: MultiMatchOptions,
): Query | undefined {
  const { type } = options
  const tieBreaker = options.tieBreaker ?? (type === 'most_fields' || type === 'bool_prefix' ? 1 : 0)
  if (fields.length === 0) return new MatchNoneQuery('No fields to search')
  const queries =
    type === 'cross_fields'
      ? crossFields(binding, fields, value, { ...options, kind: 'boolean' }, tieBreaker, oneField)
      : fields.map((field) => oneField(binding, field, value, { ...options, kind: kinds[type] }))
  const { zeroTerms } = options
  const found =
    zeroTerms === undefined
      ? queries.filter((query) => query !== undefined)
      : queries.map((query) => query ?? zeroTermsQuery(zeroTerms))
  if (found.length === 0) return undefined
  return found.length === 1 ? found[0] : new DisMaxQuery(found, tieBreaker)
}

function oneField(
  binding: Binding,
  { name, boost }: FieldBoost,
  value: unknown,
  options: TextOptions,
): Query | undefined {
  if (isMetadata(name)) return boostedQuery(metadataTerms(binding, name, [value]), boost)
  const field = binding.field(name)
  if (field === undefined) return unmapped(name)
  const query = optionalTextQuery(binding, field, value, options)
  return query === undefined ? undefined : boostedQuery(query, boost)
}

/** The query of a `multi_match`; when no token is left, what `zero_terms_query` says. */
export function multiMatchQuery(
  binding: Binding,
  fields: readonly FieldBoost[],
  value: unknown,
  options: MultiMatchOptions,
): Query {
  const { zeroTerms = 'none' } = options
  return multiMatch(binding, fields, value, { ...options, zeroTerms }) ?? zeroTermsQuery(zeroTerms)
}

/** What a field stands for in which analysis leaves no token. */
function zeroTermsQuery(choice: 'none' | 'all'): Query {
  return choice === 'all'
    ? new MatchAllQuery(true)
    : new MatchNoneQuery('Matching no documents because no terms present')
}
