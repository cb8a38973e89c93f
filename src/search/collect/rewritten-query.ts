/**
 * Queries as Lucene rewrites them before they run, for explanations: boolean queries lose clauses that change nothing,
 * take over those of inner ones, and queries of one clause become that clause. The filter for documents that are no
 * nested objects is one of the clauses.
 */

import { NumberQuery } from '../query/exec/columns/number-query.ts'
import { PredicateQuery } from '../query/exec/columns/predicate-query.ts'
import { type BoolClause, BoolQuery, type Occur } from '../query/exec/compound/bool-query.ts'
import { BoostingQuery, DisMaxQuery } from '../query/exec/compound/dis-max-query.ts'
import { FunctionScoreQuery } from '../query/exec/compound/function-score-query.ts'
import { NestedQuery, objectsOf } from '../query/exec/compound/nested-query.ts'
import {
  BoostQuery,
  boostedQuery,
  ConstantScoreQuery,
  MatchAllQuery,
  MatchNoneQuery,
} from '../query/exec/compound/simple-queries.ts'
import { DocSet } from '../query/exec/doc-set.ts'
import type { Query, SearchScope } from '../query/exec/query.ts'
import { matchNone } from './shard-query.ts'

/** Every document that is no nested object has this field. */
export const rootFilterText = 'FieldExistsQuery [field=_primary_term]'

/** Queries that OpenSearch replaces by `match_none` before they become one of Lucene's. */
const replaced =
  /^(?:unmapped field \[|Missing ids|No field found|The "terms" query was rewritten|The index does not match)/

/** The documents that are no objects of others, or the objects of a path. */
export function objectFilter(path?: string): Query {
  return new PredicateQuery(
    {
      cost: ({ segment }) => segment.docCount,
      // biome-ignore lint/correctness/useYield: the objects of a segment are known
      *find({ segment }) {
        const found = objectsOf(segment, path)
        return found === null ? DocSet.all(segment.docCount) : DocSet.ofBits(found)
      },
    },
    path === undefined ? rootFilterText : `_nested_path:${path}`,
  )
}

/** Rewriting ends long before; the number is a guard. */
const maxRounds = 16

export function rewrittenQuery(query: Query, isFiltered: boolean, scope: SearchScope): Query {
  const clauses: BoolClause[] = [
    { occur: 'must', query },
    { occur: 'filter', query: objectFilter() },
  ]
  let result: Query = isFiltered ? new BoolQuery(clauses) : query
  // A range that is the whole query stays an approximation, also one that is empty.
  if (result instanceof MatchNoneQuery && result.written instanceof NumberQuery) result = result.written
  if (result instanceof NumberQuery && result.approximation !== undefined) return result
  for (let round = 0; round < maxRounds; round++) {
    const next = rewrite(result, scope)
    if (next === result) break
    result = next
  }
  return result
}

/** One round; the query itself when nothing changes. */
function rewrite(query: Query, scope: SearchScope): Query {
  if (query instanceof MatchNoneQuery) return ofNone(query)
  if (query instanceof BoostQuery) return ofBoost(query, scope)
  if (query instanceof ConstantScoreQuery) return ofConstant(query, scope)
  if (query instanceof DisMaxQuery) return ofDisMax(query, scope)
  if (query instanceof BoolQuery) return ofBool(query, scope)
  if (query instanceof BoostingQuery) {
    const { negative, negativeBoost, negativeText } = query
    const positive = rewrite(query.positive, scope)
    if (positive instanceof MatchNoneQuery && positive.reason === matchNone) return positive
    return positive === query.positive
      ? query
      : new BoostingQuery(positive, negative, negativeBoost, negativeText)
  }
  if (query instanceof FunctionScoreQuery) {
    const inner = rewrite(query.settings.query, scope)
    if (inner instanceof MatchNoneQuery && inner.reason === matchNone) return inner
    const functions = query.settings.functions.map((one) =>
      one.filter === undefined ? one : { ...one, filter: rewrite(one.filter, scope) },
    )
    const isSame = functions.every(({ filter }, at) => filter === query.settings.functions[at]!.filter)
    if (isSame && inner === query.settings.query) return query
    return new FunctionScoreQuery({ ...query.settings, query: inner, functions })
  }
  if (query instanceof NestedQuery) {
    const inner = rewrite(query.inner, scope)
    return inner === query.inner
      ? query
      : new NestedQuery(query.path, query.parentPath, inner, query.scoreMode)
  }
  return query.rewritten(scope)
}

function ofNone(query: MatchNoneQuery): Query {
  if (query.written !== undefined) return query.written
  return replaced.test(query.reason) ? new MatchNoneQuery(matchNone) : query
}

function ofBoost(query: BoostQuery, scope: SearchScope): Query {
  const inner = rewrite(query.inner, scope)
  if (query.boost === 1 || inner instanceof MatchNoneQuery) return inner
  if (inner instanceof BoostQuery) return new BoostQuery(inner.inner, Math.fround(inner.boost * query.boost))
  if (query.boost === 0 && !(inner instanceof ConstantScoreQuery))
    return new BoostQuery(new ConstantScoreQuery(inner), 0)
  return inner === query.inner ? query : new BoostQuery(inner, query.boost)
}

/** Rewrites the query inside of a constant score, whose scores are not used. */
function ofConstant(query: ConstantScoreQuery, scope: SearchScope): Query {
  const inner = unscored(query.inner, scope)
  if (inner instanceof MatchNoneQuery) return inner
  return inner === query.inner ? query : new ConstantScoreQuery(inner)
}

function unscored(query: Query, scope: SearchScope): Query {
  return withoutScores(rewrite(query, scope))
}

/** A query whose scores do not count: without boosts, and filters instead of clauses that count. */
function withoutScores(query: Query): Query {
  let plain = query
  while ((plain instanceof ConstantScoreQuery && !isIds(plain)) || plain instanceof BoostQuery)
    plain = plain.inner
  if (!(plain instanceof BoolQuery)) return plain
  const { clauses, minimumShouldMatch } = plain
  const hasRequired = clauses.some(({ occur }) => occur === 'must' || occur === 'filter')
  const changed = clauses
    .filter(({ occur }) => occur !== 'should' || minimumShouldMatch > 0 || !hasRequired)
    .map((clause) => {
      const inner = withoutScores(clause.query)
      if (clause.occur === 'must') return { occur: 'filter' as const, query: inner }
      return inner === clause.query ? clause : { occur: clause.occur, query: inner }
    })
  const isSame = changed.length === clauses.length && changed.every((clause, at) => clause === clauses[at])
  return isSame ? plain : new BoolQuery(changed, minimumShouldMatch)
}

/** A query of ids scores constantly by itself: Lucene puts no ConstantScoreQuery around it. */
function isIds({ inner }: ConstantScoreQuery): boolean {
  return inner instanceof PredicateQuery && inner.lucene.startsWith('_id:(')
}

function ofDisMax(query: DisMaxQuery, scope: SearchScope): Query {
  if (query.queries.length === 1) return query.queries[0]!
  if (query.tieBreaker === 1 && query.queries.length > 1)
    return new BoolQuery(query.queries.map((one) => ({ occur: 'should', query: one })))
  const queries = query.queries
    .map((one) => rewrite(one, scope))
    .filter((one) => !(one instanceof MatchNoneQuery))
  const [only] = queries
  if (only === undefined) return new MatchNoneQuery('empty DisjunctionMaxQuery')
  if (queries.length === 1) return only
  const isSame =
    queries.length === query.queries.length && queries.every((one, at) => one === query.queries[at])
  return isSame ? query : new DisMaxQuery(queries, query.tieBreaker)
}

const countOf = (clauses: readonly BoolClause[], wanted: Occur) =>
  clauses.filter(({ occur }) => occur === wanted).length

function ofBool(query: BoolQuery, scope: SearchScope): Query {
  const { clauses, minimumShouldMatch } = query
  if (clauses.length === 0) return new MatchNoneQuery('empty BooleanQuery')
  if (countOf(clauses, 'mustNot') === clauses.length) return new MatchNoneQuery('pure negative BooleanQuery')
  const optional = countOf(clauses, 'should')
  if (optional < minimumShouldMatch)
    return new MatchNoneQuery('SHOULD clause count less than minimumNumberShouldMatch')
  if (clauses.length === 1) return ofSingle(clauses[0]!)
  const inside = rewrittenClauses(clauses, scope)
  if (inside instanceof MatchNoneQuery) return inside
  if (inside !== clauses) return new BoolQuery(inside, minimumShouldMatch)
  return merged(query) ?? withoutMatchAll(query) ?? inlined(query) ?? query
}

function ofSingle({ occur, query }: BoolClause): Query {
  if (occur === 'must' || occur === 'should') return query
  if (occur === 'filter') return new BoostQuery(new ConstantScoreQuery(query), 0)
  return new MatchNoneQuery('pure negative BooleanQuery')
}

function rewrittenClauses(
  clauses: readonly BoolClause[],
  scope: SearchScope,
): readonly BoolClause[] | MatchNoneQuery {
  const result: BoolClause[] = []
  let isChanged = false
  for (const clause of clauses) {
    const { occur } = clause
    const query =
      occur === 'filter' || occur === 'mustNot' ? unscored(clause.query, scope) : rewrite(clause.query, scope)
    if (query instanceof MatchNoneQuery) {
      if (occur === 'must' || occur === 'filter') return query
      isChanged = true
      continue
    }
    isChanged ||= query !== clause.query
    result.push(query === clause.query ? clause : { occur, query })
  }
  return isChanged ? result : clauses
}

/** Equal clauses that count are one with the sum of their boosts. */
function merged({ clauses, minimumShouldMatch }: BoolQuery): Query | undefined {
  for (const occur of ['should', 'must'] as const) {
    if (occur === 'should' && minimumShouldMatch > 1) continue
    const boosts = new Map<string, { query: Query; boost: number }>()
    for (const { query } of clauses.filter((clause) => clause.occur === occur)) {
      const plain = query instanceof BoostQuery ? query.inner : query
      const boost = query instanceof BoostQuery ? query.boost : 1
      const known = boosts.get(plain.lucene)
      if (known === undefined) boosts.set(plain.lucene, { query: plain, boost })
      else known.boost += boost
    }
    if (boosts.size === countOf(clauses, occur)) continue
    const others = clauses.filter((clause) => clause.occur !== occur)
    const sums = [...boosts.values()].map(({ query, boost }) => ({
      occur,
      query: boostedQuery(query, boost),
    }))
    return new BoolQuery([...others, ...sums], minimumShouldMatch)
  }
  return undefined
}

/** A match-all beside filters leaves only the filters, with a constant score. */
function withoutMatchAll({ clauses, minimumShouldMatch }: BoolQuery): Query | undefined {
  const required = clauses.filter(({ occur }) => occur === 'must' || occur === 'filter')
  const isAll = ({ occur, query }: BoolClause) => occur === 'filter' && query instanceof MatchAllQuery
  if (required.length > 1 && clauses.some(isAll))
    return new BoolQuery(
      clauses.filter((clause) => !isAll(clause)),
      minimumShouldMatch,
    )
  const musts = clauses.filter(({ occur }) => occur === 'must')
  const filters = clauses.filter(({ occur }) => occur === 'filter')
  const [only] = musts
  if (musts.length !== 1 || filters.length === 0 || countOf(clauses, 'should') > 0) return undefined
  const boost = only!.query instanceof BoostQuery ? only!.query.boost : 1
  const plain = only!.query instanceof BoostQuery ? only!.query.inner : only!.query
  if (!(plain instanceof MatchAllQuery)) return undefined
  const rest = clauses.filter(({ occur }) => occur !== 'must')
  const inside = rest.length === 1 ? rest[0]!.query : new BoolQuery(rest)
  return boostedQuery(new ConstantScoreQuery(inside), boost)
}

function isDisjunction(query: Query): query is BoolQuery {
  return query instanceof BoolQuery && query.clauses.every(({ occur }) => occur === 'should')
}

/** Takes over clauses of inner boolean queries. */
function inlined({ clauses, minimumShouldMatch }: BoolQuery): Query | undefined {
  const optional = countOf(clauses, 'should')
  if (optional > 0 && optional === minimumShouldMatch)
    return new BoolQuery(
      clauses.map((clause) => (clause.occur === 'should' ? { ...clause, occur: 'must' } : clause)),
    )
  const isInner = ({ occur, query }: BoolClause): boolean => {
    if (!(query instanceof BoolQuery)) return false
    if (occur === 'should')
      return minimumShouldMatch <= 1 && isDisjunction(query) && query.minimumShouldMatch <= 1
    const isRequired = occur === 'must' || occur === 'filter'
    return isRequired && countOf(query.clauses, 'should') === 0
  }
  if (clauses.some(isInner))
    return new BoolQuery(
      clauses.flatMap((clause) => {
        if (!isInner(clause)) return [clause]
        return (clause.query as BoolQuery).clauses.map(({ occur, query }) => ({
          occur: clause.occur === 'filter' && occur === 'must' ? ('filter' as const) : occur,
          query,
        }))
      }),
      minimumShouldMatch,
    )
  // The only required disjunction beside filters becomes the optional clauses.
  const musts = clauses.filter(({ occur }) => occur === 'must')
  const [only] = musts
  if (musts.length !== 1 || optional > 0 || !isDisjunction(only!.query)) return undefined
  const others = clauses.filter(({ occur }) => occur !== 'must')
  return new BoolQuery([...others, ...only!.query.clauses], Math.max(1, only!.query.minimumShouldMatch))
}
