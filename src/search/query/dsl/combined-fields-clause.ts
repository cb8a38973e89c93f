/** Parses `combined_fields`: a text searched in several text fields as if they were one (BM25F). */

import type { Analyzer } from '../../analysis/analyzer.ts'
import { illegalArgument } from '../../request/errors.ts'
import { javaText } from '../../request/java-text.ts'
import type { Binding } from '../binding/binding.ts'
import { positionsOf, withMinimum } from '../binding/text-query.ts'
import { BoolQuery } from '../exec/compound/bool-query.ts'
import { MatchAllQuery, MatchNoneQuery } from '../exec/compound/simple-queries.ts'
import type { Query } from '../exec/query.ts'
import { CombinedFieldsQuery } from '../exec/terms/combined-fields-query.ts'
import type { WeightedField } from '../exec/terms/cross-fields-query.ts'
import { type FieldBoost, readFieldBoost, withLastBoosts } from '../language/field-boost.ts'
import { tooManyClauses } from '../too-many-clauses.ts'
import type { ParseClause } from './clause.ts'
import { Options } from './options.ts'
import { tokenOf } from './parser.ts'

const known = [
  'query',
  'operator',
  'minimum_should_match',
  'auto_generate_synonyms_phrase_query',
  'zero_terms_query',
]

interface CombinedFields {
  readonly fields: readonly WeightedField[]
  readonly analyzer: Analyzer | undefined
}

/** Resolves the fields of an index; all must be text fields with the same analyzer. */
function resolve(binding: Binding, wanted: readonly FieldBoost[]): CombinedFields {
  const boosts = new Map<string, number>()
  let analyzer: Analyzer | undefined
  for (const { name, boost } of withLastBoosts(wanted)) {
    const isPattern = name.includes('*')
    const names = isPattern ? binding.context.fieldsMatching(name) : [name]
    for (const found of names) {
      const field = binding.field(found)
      if (field === undefined || (isPattern && field.family !== 'text')) continue
      if (field.family !== 'text') {
        throw illegalArgument(
          `Field [${field.name}] of type [${field.type}] does not support [combined_fields] queries`,
        )
      }
      if (analyzer !== undefined && analyzer !== field.searchAnalyzer) {
        throw illegalArgument('All fields in [combined_fields] query must have the same search analyzer')
      }
      analyzer = field.searchAnalyzer
      boosts.set(field.name, Math.fround((boosts.get(field.name) ?? 1) * boost))
    }
  }
  return { fields: Array.from(boosts, ([name, boost]) => ({ name, boost })), analyzer }
}

export const combinedFieldsClause: ParseClause = (body, parser, clause) => {
  const options = new Options(parser, clause, body, known, ['fields'])
  const value = options.scalar('query')
  if (value === undefined) throw illegalArgument('Required [query]')
  const given = options.get('fields')
  if (given === undefined || (Array.isArray(given) && given.length === 0)) {
    throw illegalArgument('[combined_fields] requires fields')
  }
  if (typeof given !== 'string' && !Array.isArray(given)) {
    throw parser.error(`[combined_fields] unknown token [${tokenOf(given)}] after [fields]`, body, 'fields')
  }
  const wanted = (typeof given === 'string' ? [given] : given).map((field) => readFieldBoost(String(field)))
  if (wanted.some(({ boost }) => boost < 1)) {
    throw illegalArgument('[combined_fields] requires field weights to be >= 1.0')
  }
  const occur = options.operator('operator') === 'and' ? 'must' : 'should'
  const minimum = options.text('minimum_should_match')
  const zeroTerms = options.choice('zero_terms_query', ['none', 'all'], (other) =>
    options.missing(`Unsupported zero_terms_query value [${other}]`),
  )
  return {
    boost: options.boost,
    name: options.name,
    bind(binding): Query {
      const { fields, analyzer } = resolve(binding, wanted)
      if (analyzer === undefined) return new MatchNoneQuery('No fields are mapped')
      const positions = positionsOf(analyzer, javaText(value))
      if (positions.length === 0) {
        return zeroTerms === 'all' ? new MatchAllQuery() : new MatchNoneQuery('No terms supplied')
      }
      const { maxClauses } = binding.context.limits
      if (positions.length > maxClauses) throw tooManyClauses(maxClauses)
      const queries = positions.map(({ terms }) => new CombinedFieldsQuery(fields, terms, occur === 'must'))
      const all = withMinimum(new BoolQuery(queries.map((query) => ({ occur, query }))), minimum)
      // A single word stands for itself, unless more words are required than there are.
      const isOne = queries.length === 1 && all instanceof BoolQuery && all.minimumShouldMatch <= 1
      return isOne ? queries[0]! : all
    },
  }
}
