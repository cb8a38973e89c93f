/**
 * Prints queries as `_validate/query` and `_explain` of OpenSearch 3 do. Beside what Lucene prints of our queries
 * (`Query.toString`) these show what OpenSearch adds: the doc values behind a number query, its approximation, and the
 * filter that keeps nested objects out where an index has some.
 */
import type { Mapping } from '../mapping/mapping.ts'
import { NumberQuery } from '../query/exec/columns/number-query.ts'
import { BoolQuery } from '../query/exec/compound/bool-query.ts'
import { DisMaxQuery } from '../query/exec/compound/dis-max-query.ts'
import { NestedQuery } from '../query/exec/compound/nested-query.ts'
import {
  BoostQuery,
  ConstantScoreQuery,
  MatchAllQuery,
  MatchNoneQuery,
} from '../query/exec/compound/simple-queries.ts'
import { type Explanation, explained, floatText, unmatched } from '../query/exec/explanation.ts'
import type { Query } from '../query/exec/query.ts'
import { MultiTermQuery } from '../query/exec/terms/multi-term-query.ts'
import { TermQuery } from '../query/exec/terms/term-query.ts'
import { javaDouble } from '../request/java-text.ts'
import { doubleBits, floatBits, halfBits } from './sortable-bits.ts'

/** Every document that is no nested object has this field. */
const rootFilter = 'FieldExistsQuery [field=_primary_term]'
const signs = { must: '+', filter: '#', should: '', mustNot: '-' } as const

export function luceneText(query: Query, mapping: Mapping, isRewritten = false): string {
  if (isRewritten && query instanceof MatchAllQuery && mapping.hasNested)
    return `ConstantScore(${rootFilter})`
  const text = printed(query, mapping)
  return isFiltered(query, mapping) ? `+${inClause(query, text)} #${rootFilter}` : text
}

/** The explanation of the whole query, with that of the filter for nested objects. */
export function withRootFilter(explanation: Explanation, query: Query, mapping: Mapping): Explanation {
  const plain = query instanceof BoostQuery ? query.inner : query
  if (plain instanceof MatchNoneQuery && replaced.test(plain.reason)) return unmatched(matchNone)
  if (!isFiltered(query, mapping))
    return plain instanceof NumberQuery ? approximated(explanation, plain) : explanation
  if (plain instanceof MatchAllQuery) {
    const boost = query instanceof BoostQuery ? `^${floatText(query.boost)}` : ''
    return explained(explanation.value, `ConstantScore(${rootFilter})${boost}`)
  }
  const filter = explained(0, 'match on required clause, product of:', [
    explained(0, '# clause'),
    explained(1, rootFilter),
  ])
  if (explanation.matched) return explained(explanation.value, 'sum of:', [explanation, filter])
  const reason = `no match on required clause (${inClause(query, printed(query, mapping))})`
  return unmatched('Failure to meet condition(s) of required/prohibited clause(s)', [
    unmatched(reason, [explanation]),
    filter,
  ])
}

/** A range is explained by its approximation. */
function approximated(explanation: Explanation, query: NumberQuery): Explanation {
  const [, text] = /approximationQuery=(Approximate\(.*\))\)$/.exec(numberText(query)) ?? []
  if (text === undefined) return explanation
  return { ...explanation, description: explanation.description.replace(query.toString(), () => text) }
}

function isFiltered(query: Query, mapping: Mapping): boolean {
  return mapping.hasNested && mayMatch(query, (field) => mapping.nestedPathOf(field) !== undefined)
}

/** A boolean query in a boolean query stands in brackets. */
function inClause(query: Query, text: string): string {
  return query instanceof BoolQuery && query.minimumShouldMatch === 0 ? `(${text})` : text
}

/** Whether documents of another level may match: `isOfLevel` tells it of fields, of most queries nothing is known. */
function mayMatch(query: Query, isOfLevel: (field: string) => boolean): boolean {
  if (query instanceof ConstantScoreQuery || query instanceof BoostQuery)
    return mayMatch(query.inner, isOfLevel)
  if (query instanceof MatchNoneQuery || query instanceof NestedQuery) return false
  if (query instanceof TermQuery) return isOfLevel(query.field)
  if (query instanceof NumberQuery) return query.isSet || isOfLevel(query.field)
  if (query instanceof MultiTermQuery) {
    const { terms, matcher, byColumn, field } = query.settings
    if (terms !== undefined && matcher === undefined && byColumn !== true) return isOfLevel(field)
  }
  if (!(query instanceof BoolQuery)) return true
  const required = query.clauses.filter(({ occur }) => occur === 'must' || occur === 'filter')
  if (required.length > 0) return required.every((clause) => mayMatch(clause.query, isOfLevel))
  return query.clauses.some(({ occur, query: one }) => occur === 'should' && mayMatch(one, isOfLevel))
}

/** Queries that OpenSearch replaces by `match_none` before they become one of Lucene's. */
const replaced = /^(?:unmapped field|Missing ids|No field found|The "terms" query was rewritten)/
const matchNone = 'User requested "match_none" query.'

function printed(query: Query, mapping: Mapping): string {
  if (query instanceof MatchNoneQuery && replaced.test(query.reason))
    return `MatchNoDocsQuery("${matchNone}")`
  if (query instanceof MatchAllQuery)
    return 'ApproximateScoreQuery(originalQuery=*:*, approximationQuery=Approximate(*:*))'
  if (query instanceof ConstantScoreQuery) return `ConstantScore(${inner(query.inner, mapping)})`
  if (query instanceof BoostQuery) return `(${inner(query.inner, mapping)})^${floatText(query.boost)}`
  if (query instanceof NumberQuery) return numberText(query)
  if (query instanceof BoolQuery) return boolText(query, mapping)
  if (query instanceof DisMaxQuery) {
    const tie = query.tieBreaker === 0 ? '' : `~${floatText(query.tieBreaker)}`
    return `(${query.queries.map((one) => inner(one, mapping)).join(' | ')})${tie}`
  }
  if (query instanceof NestedQuery) return `ToParentBlockJoinQuery (${nestedText(query, mapping)})`
  return query.toString()
}

/** Inside of other queries, match-all is no approximation. */
function inner(query: Query, mapping: Mapping): string {
  return query instanceof MatchAllQuery ? '*:*' : printed(query, mapping)
}

function boolText({ clauses, minimumShouldMatch }: BoolQuery, mapping: Mapping): string {
  const parts = clauses.map(({ occur, query }) => `${signs[occur]}${inClause(query, inner(query, mapping))}`)
  const joined = parts.join(' ')
  return minimumShouldMatch > 0 ? `(${joined})~${minimumShouldMatch}` : joined
}

function nestedText({ inner: query, path }: NestedQuery, mapping: Mapping): string {
  const text = printed(query, mapping)
  const isOfOthers = (field: string) => mapping.nestedPathOf(field) !== path
  return mayMatch(query, isOfOthers) ? `+${inClause(query, text)} #_nested_path:${path}` : text
}

const integers = new Set(['byte', 'short', 'integer', 'token_count'])
const isDate = (type: string | undefined) => type === 'date' || type === 'date_nanos'

/** The bounds of a type that has none, and how its doc values spell a number. */
function kindOf(type: string): {
  readonly min: string
  readonly max: string
  readonly text: (number: string) => string
  readonly stored: (number: string) => string
} {
  const same = (number: string) => number
  if (integers.has(type)) return { min: '-2147483648', max: '2147483647', text: same, stored: same }
  if (type === 'unsigned_long') return { min: '0', max: '18446744073709551615', text: same, stored: same }
  const bits = { float: floatBits, half_float: halfBits, double: doubleBits }[type]
  if (bits !== undefined) {
    const text = (number: string) => javaDouble(Number(number))
    return { min: '-Infinity', max: 'Infinity', text, stored: (number) => String(bits(Number(number))) }
  }
  return { min: '-9223372036854775808', max: '9223372036854775807', text: same, stored: same }
}

const maxLong = 2n ** 63n

function numberText(query: NumberQuery): string {
  const text = query.toString()
  const { field, type } = query
  const plain = text.slice(field.length + 1)
  if (type === undefined) return text
  const { min, max, text: spelled, stored } = kindOf(type)
  if (query.isSet) {
    const values = plain
      .slice(1, -1)
      .split(' ')
      .toSorted((one, other) => Number(one) - Number(other))
    const place = type === 'unsigned_long' ? '' : field
    return `IndexOrDocValuesQuery(indexQuery=${field}:{${values.map(spelled).join(' ')}}, dvQuery=${place}: [${values.map(stored).join(', ')}])`
  }
  const [, from = '*', to = '*'] = /^\[(\S+) TO (\S+)\]$/.exec(plain) ?? []
  const isOpen = (bound: string) =>
    bound === '*' || (/^-?\d{20,}$/.test(bound) && BigInt(bound) ** 2n > maxLong ** 2n)
  const isUnsigned = type === 'unsigned_long'
  const low = isOpen(from) && !(isUnsigned && from !== '*') ? min : from
  const high = isOpen(to) && !(isUnsigned && to !== '*') ? max : to
  if (low === min && high === max) return `ConstantScore(FieldExistsQuery [field=${field}])`
  const index = `${field}:[${spelled(low)} TO ${spelled(high)}]`
  const values = `${field}:[${stored(low)} TO ${stored(high)}]`
  const both = `IndexOrDocValuesQuery(indexQuery=${index}, dvQuery=${values})`
  const isTerm = low === high && !isDate(type)
  return isTerm
    ? both
    : `ApproximateScoreQuery(originalQuery=${both}, approximationQuery=Approximate(${index}))`
}
