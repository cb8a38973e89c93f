/**
 * What OpenSearch makes of a query on a shard before it becomes one of Lucene's: a `range` over dates is compared with
 * all dates of the shard, and becomes `exists` or `match_none` where that says the same.
 */
import { NumberQuery } from '../query/exec/columns/number-query.ts'
import { existsQuery } from '../query/exec/columns/predicate-query.ts'
import { BoolQuery } from '../query/exec/compound/bool-query.ts'
import { BoostingQuery, DisMaxQuery } from '../query/exec/compound/dis-max-query.ts'
import { FunctionScoreQuery } from '../query/exec/compound/function-score-query.ts'
import { NestedQuery } from '../query/exec/compound/nested-query.ts'
import { BoostQuery, ConstantScoreQuery, MatchNoneQuery } from '../query/exec/compound/simple-queries.ts'
import type { Query, SearchScope } from '../query/exec/query.ts'

export const matchNone = 'User requested "match_none" query.'

export function shardQuery(query: Query, scope: SearchScope, keepsDisjoint = false): Query {
  return changed(query, (one) => {
    if (one instanceof NumberQuery && one.isRelated) return related(one, scope, keepsDisjoint)
    const isEmpty =
      one instanceof MatchNoneQuery && one.written instanceof NumberQuery && one.written.isRelated
    return isEmpty && !keepsDisjoint ? new MatchNoneQuery(matchNone) : one
  })
}

/** The query with each query in it changed by a function, the innermost first. */
export function changed(query: Query, change: (query: Query) => Query): Query {
  return change(withChanged(query, (one) => changed(one, change)))
}

function withChanged(query: Query, inside: (query: Query) => Query): Query {
  if (query instanceof BoostQuery) {
    const inner = inside(query.inner)
    return inner === query.inner ? query : new BoostQuery(inner, query.boost)
  }
  if (query instanceof ConstantScoreQuery) {
    const inner = inside(query.inner)
    return inner === query.inner ? query : new ConstantScoreQuery(inner)
  }
  if (query instanceof DisMaxQuery) {
    const queries = query.queries.map(inside)
    return isSame(queries, query.queries) ? query : new DisMaxQuery(queries, query.tieBreaker)
  }
  if (query instanceof BoolQuery) {
    const queries = query.clauses.map((clause) => inside(clause.query))
    const before = query.clauses.map((clause) => clause.query)
    if (isSame(queries, before)) return query
    const clauses = query.clauses.map(({ occur }, at) => ({ occur, query: queries[at]! }))
    return new BoolQuery(clauses, query.minimumShouldMatch)
  }
  if (query instanceof BoostingQuery) {
    const [positive, negative] = [inside(query.positive), inside(query.negative)]
    if (positive === query.positive && negative === query.negative) return query
    return new BoostingQuery(positive, negative, query.negativeBoost)
  }
  if (query instanceof FunctionScoreQuery) {
    const inner = inside(query.settings.query)
    const functions = query.settings.functions.map((one) =>
      one.filter === undefined ? one : { ...one, filter: inside(one.filter) },
    )
    const isKept = functions.every(({ filter }, at) => filter === query.settings.functions[at]!.filter)
    if (isKept && inner === query.settings.query) return query
    return new FunctionScoreQuery({ ...query.settings, query: inner, functions })
  }
  if (query instanceof NestedQuery) {
    const inner = inside(query.inner)
    if (inner === query.inner) return query
    return new NestedQuery(query.path, query.parentPath, inner, query.scoreMode)
  }
  return query
}

function related(query: NumberQuery, scope: SearchScope, keepsDisjoint: boolean): Query {
  const relation = query.relation(scope)
  if (relation === 'intersects' || (relation === 'disjoint' && keepsDisjoint)) return query
  if (relation === 'disjoint') return new MatchNoneQuery(matchNone)
  return new ConstantScoreQuery(existsQuery([query.field], query.field))
}

function isSame(one: readonly Query[], other: readonly Query[]): boolean {
  return one.every((query, at) => query === other[at])
}
