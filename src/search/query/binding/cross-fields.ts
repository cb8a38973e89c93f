/**
 * `cross_fields`: fields with the same analyzer are searched as one. Terms of theirs that are scored are blended, other
 * queries stand beside them; the groups are combined by dis_max.
 */
import type { Analyzer } from '../../analysis/analyzer.ts'
import { PrefixField } from '../../mapping/fields/as-you-type-fields.ts'
import type { MappedField } from '../../mapping/mapped-field.ts'
import { javaText } from '../../request/java-text.ts'
import { SearchError } from '../../request/search-error.ts'
import { BoolQuery } from '../exec/compound/bool-query.ts'
import { DisMaxQuery } from '../exec/compound/dis-max-query.ts'
import { boostedQuery, MatchNoneQuery } from '../exec/compound/simple-queries.ts'
import type { Query } from '../exec/query.ts'
import { CrossFieldsTermQuery, type WeightedField } from '../exec/terms/cross-fields-query.ts'
import { TermQuery } from '../exec/terms/term-query.ts'
import type { FieldBoost } from '../language/field-boost.ts'
import { type Binding, lenientReason } from './binding.ts'
import { termQuery } from './field-queries.ts'
import { positionsOf, type TextOptions, withMinimum } from './text-query.ts'

interface GroupedField {
  readonly field: MappedField
  readonly asked: FieldBoost
}

/** What all fields have in common whose values are not analyzed. */
const wholeValue = Symbol('whole value')

/** Queries a single field. */
type OneField = (
  binding: Binding,
  field: FieldBoost,
  value: unknown,
  options: TextOptions,
) => Query | undefined

export function crossFields(
  binding: Binding,
  fields: readonly FieldBoost[],
  value: unknown,
  options: TextOptions,
  tieBreaker: number,
  oneField: OneField,
): (Query | undefined)[] {
  const groups = new Map<Analyzer | typeof wholeValue, GroupedField[]>()
  const queries: (Query | undefined)[] = []
  for (const asked of fields) {
    const field = binding.field(asked.name)
    if (field === undefined) {
      queries.push(oneField(binding, asked, value, options))
      continue
    }
    const analyzer = analyzerFor(rootOf(binding, field), options)
    const group = groups.get(analyzer)
    if (group === undefined) groups.set(analyzer, [{ field, asked }])
    else group.push({ field, asked })
  }
  for (const [analyzer, group] of groups)
    queries.push(
      group.length === 1
        ? oneField(binding, group[0]!.asked, value, options)
        : blended(binding, group, termsOf(analyzer, value), options, tieBreaker),
    )
  return queries
}

/** Fields that `search_as_you_type` adds have the analyzer of their field here. */
function rootOf(binding: Binding, field: MappedField): MappedField {
  const isPart = field.type === 'search_as_you_type' || field instanceof PrefixField
  return (isPart ? binding.field(field.name.replace(/\._(?:\dgram|index_prefix)$/, '')) : undefined) ?? field
}

function analyzerFor(field: MappedField, { analyzer }: TextOptions): Analyzer | typeof wholeValue {
  if (analyzer !== undefined) return analyzer
  if (field.family === 'text') return field.searchAnalyzer ?? wholeValue
  return (field.family === 'keyword' ? field.normalizer : undefined) ?? wholeValue
}

function termsOf(analyzer: Analyzer | typeof wholeValue, value: unknown): readonly string[] {
  if (analyzer === wholeValue) return [javaText(value)]
  return positionsOf(analyzer, javaText(value)).flatMap(({ terms }) => terms)
}

function blended(
  binding: Binding,
  group: readonly GroupedField[],
  terms: readonly string[],
  options: TextOptions,
  tieBreaker: number,
): Query | undefined {
  if (terms.length === 0) return undefined
  const occur = options.operator === 'and' ? 'must' : 'should'
  const clauses = terms.map(
    (term) => ({ occur, query: ofTerm(binding, group, term, options, tieBreaker) }) as const,
  )
  if (clauses.length === 1) return clauses[0]!.query
  return withMinimum(new BoolQuery(clauses), options.minimumShouldMatch)
}

/** One term in all fields of a group. */
function ofTerm(
  binding: Binding,
  group: readonly GroupedField[],
  term: string,
  options: TextOptions,
  tieBreaker: number,
): Query {
  const scored: WeightedField[] = []
  const others: Query[] = []
  for (const { field, asked } of group) {
    const query = ofField(binding, field, term, options.lenient === true)
    if (query instanceof TermQuery) scored.push({ name: query.field, boost: asked.boost })
    else others.push(query instanceof MatchNoneQuery ? query : boostedQuery(query, asked.boost))
  }
  if (scored.length > 0) others.push(new CrossFieldsTermQuery(scored, term, tieBreaker))
  return others.length === 1 ? others[0]! : new DisMaxQuery(others, tieBreaker)
}

function ofField(binding: Binding, field: MappedField, term: string, isLenient: boolean): Query {
  try {
    return termQuery(binding, field, term)
  } catch (error) {
    if (!isLenient || !(error instanceof SearchError)) throw error
    return new MatchNoneQuery(`failed [${field.name}] query, caused by ${lenientReason(binding, error)}`)
  }
}
