/**
 * Prints queries as `_validate/query` and `_explain` of OpenSearch 3 do. Beside what Lucene prints of our queries
 * (`Query.toString`) these show what OpenSearch adds: the doc values behind a number query, its approximation, and the
 * filter that keeps nested objects out where an index has some.
 */
import type { Mapping } from '../mapping/mapping.ts'
import { NumberQuery } from '../query/exec/columns/number-query.ts'
import { PredicateQuery } from '../query/exec/columns/predicate-query.ts'
import { BoolQuery } from '../query/exec/compound/bool-query.ts'
import { BoostingQuery, DisMaxQuery } from '../query/exec/compound/dis-max-query.ts'
import { FunctionScoreQuery } from '../query/exec/compound/function-score-query.ts'
import { NestedQuery } from '../query/exec/compound/nested-query.ts'
import {
  BoostQuery,
  ConstantScoreQuery,
  MatchAllQuery,
  MatchNoneQuery,
} from '../query/exec/compound/simple-queries.ts'
import { type Explanation, floatText } from '../query/exec/explanation.ts'
import type { Query, SearchScope } from '../query/exec/query.ts'
import { CombinedFieldsQuery } from '../query/exec/terms/combined-fields-query.ts'
import { MultiTermQuery } from '../query/exec/terms/multi-term-query.ts'
import { TermQuery } from '../query/exec/terms/term-query.ts'
import { objectFilter, rewrittenQuery, rootFilterText } from './rewritten-query.ts'
import { changed, matchNone, shardQuery } from './shard-query.ts'

const signs = { must: '+', filter: '#', should: '', mustNot: '-' } as const

/** Prints what `explainedQuery` made of a query. One that matches nothing is shown as it was before. */
export function rewrittenText(query: Query, rewritten: Query, mapping: Mapping): string {
  if (rewritten instanceof MatchNoneQuery) return printed(changed(query, withoutNone), mapping)
  if (rewritten instanceof NumberQuery && rewritten.approximation !== undefined)
    return rewritten.approximation
  return rewritten.lucene
}

export function luceneText(asked: Query, mapping: Mapping): string {
  const query = changed(asked, withoutNone)
  const text = printed(query, mapping)
  return isFiltered(query, mapping) ? `+${inClause(query, text)} #${rootFilterText}` : text
}

/** OpenSearch replaces these by the `match_none` inside of them. */
function withoutNone(query: Query): Query {
  return neededBy(query).find((one) => one instanceof MatchNoneQuery && isReplaced(one)) ?? query
}

/** The queries without which a query cannot match, where OpenSearch looks at them. */
function neededBy(query: Query): readonly Query[] {
  if (query instanceof BoostingQuery) return [query.positive]
  if (query instanceof FunctionScoreQuery) return [query.settings.query]
  if (query instanceof ConstantScoreQuery || query instanceof BoostQuery) return [query.inner]
  if (!(query instanceof BoolQuery)) return []
  return query.clauses
    .filter(({ occur }) => occur === 'must' || occur === 'filter')
    .map((clause) => clause.query)
}

/** The query whose explanation is shown: rewritten, with the filter for nested objects. */
export function explainedQuery(query: Query, mapping: Mapping, scope: SearchScope): Query {
  const ofShard = changed(shardQuery(query, scope), (one) => filledIn(one, mapping))
  return rewrittenQuery(ofShard, isFiltered(ofShard, mapping), scope)
}

/** Objects inside get their own filter; what lowers scores in `boosting` stays as it is. */
function filledIn(query: Query, mapping: Mapping): Query {
  if (query instanceof BoostingQuery) {
    const { positive, negative, negativeBoost } = query
    return new BoostingQuery(positive, negative, negativeBoost, printed(negative, mapping))
  }
  if (!(query instanceof NestedQuery)) return query
  const { inner, path } = query
  if (!mayMatch(inner, (field) => mapping.nestedPathOf(field) !== path)) return query
  const filtered = new BoolQuery([
    { occur: 'must', query: inner },
    { occur: 'filter', query: objectFilter(path) },
  ])
  return new NestedQuery(path, query.parentPath, filtered, query.scoreMode)
}

/** A range that is the whole query is explained by its approximation. */
export function wholeExplanation(explanation: Explanation, query: Query): Explanation {
  return query instanceof NumberQuery ? approximated(explanation, query) : explanation
}

/** A range is explained by its approximation. */
function approximated(explanation: Explanation, query: NumberQuery): Explanation {
  const [, text] = /approximationQuery=(Approximate\(.*\))\)$/.exec(query.approximation ?? '') ?? []
  if (text === undefined) return explanation
  return { ...explanation, description: explanation.description.replace(query.described, () => text) }
}

function isFiltered(query: Query, mapping: Mapping): boolean {
  return mapping.hasNested && mayMatch(query, (field) => mapping.nestedPathOf(field) !== undefined)
}

/** A boolean query in a boolean query stands in brackets. */
function inClause(query: Query, text: string): string {
  const shown = query instanceof MatchNoneQuery ? (query.written ?? query) : query
  return shown instanceof BoolQuery ? `(${text})` : text
}

/** Whether documents of another level may match: `isOfLevel` tells it of fields, of most queries nothing is known. */
function mayMatch(query: Query, isOfLevel: (field: string) => boolean): boolean {
  if (query instanceof ConstantScoreQuery || query instanceof BoostQuery)
    return mayMatch(query.inner, isOfLevel)
  if ((query instanceof MatchNoneQuery && query.written === undefined) || query instanceof NestedQuery)
    return false
  if (query instanceof PredicateQuery && query.texts?.isRange === true) return false
  if (query instanceof MatchNoneQuery && query.written !== undefined)
    return mayMatch(query.written, isOfLevel)
  if (query instanceof TermQuery) return isOfLevel(query.field)
  if (query instanceof NumberQuery)
    return query.isSet || isOfLevel(query.field) || query.lucene.startsWith('ConstantScore(FieldExists')
  if (query instanceof MultiTermQuery) {
    const { terms, matcher, isQuoted, isColumnRange, field, points } = query.settings
    if (points !== undefined) return isOfLevel(field)
    const isTerms = terms !== undefined && matcher === undefined
    if (isTerms && isQuoted !== true && isColumnRange !== true) return isOfLevel(field)
  }
  if (!(query instanceof BoolQuery)) return true
  const required = query.clauses.filter(({ occur }) => occur === 'must' || occur === 'filter')
  if (required.length > 0) return required.every((clause) => mayMatch(clause.query, isOfLevel))
  return query.clauses.some(({ occur, query: one }) => occur === 'should' && mayMatch(one, isOfLevel))
}

/** Queries that OpenSearch replaces by `match_none` before they become one of Lucene's. */
const replaced =
  /^(?:unmapped field \[|Missing ids|No field found|The "terms" query was rewritten|The index does not match)/

function isReplaced({ reason }: MatchNoneQuery): boolean {
  return reason === matchNone || replaced.test(reason)
}

function printed(query: Query, mapping: Mapping): string {
  if (query instanceof MatchNoneQuery && isReplaced(query)) return `MatchNoDocsQuery("${matchNone}")`
  if (query instanceof MatchAllQuery && !query.isPlain)
    return 'ApproximateScoreQuery(originalQuery=*:*, approximationQuery=Approximate(*:*))'
  if (query instanceof MatchNoneQuery && query.written !== undefined) return printed(query.written, mapping)
  if (query instanceof PredicateQuery && query.texts !== undefined) return query.lucene
  if (query instanceof BoostingQuery) {
    const [positive, negative] = [printed(query.positive, mapping), printed(query.negative, mapping)]
    return `FunctionScoreQuery(${positive}, scored by boost(queryboost(score(${negative}))^${floatText(query.negativeBoost)}))`
  }
  if (query instanceof FunctionScoreQuery) return query.printed((one) => printed(one, mapping))
  if (query instanceof MultiTermQuery)
    return query.settings.isDoubled === true
      ? `IndexOrDocValuesQuery(indexQuery=${query}, dvQuery=${query})`
      : query.lucene
  // Combined fields are a boolean query of one clause.
  if (query instanceof CombinedFieldsQuery) return `(${query.isRequired ? '+' : ''}${query})`
  if (query instanceof ConstantScoreQuery) {
    const plain = query.inner
    // A query of ids scores constantly by itself, without a ConstantScoreQuery.
    if (plain instanceof PredicateQuery && plain.lucene.startsWith('_id:')) return plain.lucene
    return `ConstantScore(${printed(plain, mapping)})`
  }
  if (query instanceof BoostQuery) return `(${printed(query.inner, mapping)})^${floatText(query.boost)}`
  if (query instanceof NumberQuery) return query.approximation ?? query.lucene
  if (query instanceof BoolQuery) return boolText(query, mapping)
  if (query instanceof DisMaxQuery) {
    const tie = query.tieBreaker === 0 ? '' : `~${floatText(query.tieBreaker)}`
    return `(${query.queries.map((one) => inClause(one, printed(one, mapping))).join(' | ')})${tie}`
  }
  if (query instanceof NestedQuery) return `ToParentBlockJoinQuery (${nestedText(query, mapping)})`
  return query.toString()
}

function boolText({ clauses, minimumShouldMatch }: BoolQuery, mapping: Mapping): string {
  const parts = clauses.map(
    ({ occur, query }) => `${signs[occur]}${inClause(query, printed(query, mapping))}`,
  )
  const joined = parts.join(' ')
  return minimumShouldMatch > 0 ? `(${joined})~${minimumShouldMatch}` : joined
}

function nestedText({ inner: query, path }: NestedQuery, mapping: Mapping): string {
  const text = printed(query, mapping)
  const isOfOthers = (field: string) => mapping.nestedPathOf(field) !== path
  return mayMatch(query, isOfOthers) ? `+${inClause(query, text)} #_nested_path:${path}` : text
}
