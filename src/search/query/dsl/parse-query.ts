/** Parses a query with the table of all clause types, and compiles it. */
import { placesOf } from '../../request/request-source.ts'
import type { SourcePlaces } from '../../request/source-place.ts'
import type { QueryContext } from '../binding/binding.ts'
import { type BoundQuery, CompiledQuery, type CompileSettings } from '../exec/compiled-query.ts'
import type { Clause, ParseClause } from './clause.ts'
import { combinedFieldsClause } from './combined-fields-clause.ts'
import { compoundClauses } from './compound-clauses.ts'
import { distanceFeatureClause } from './distance-feature-clause.ts'
import { functionScoreClause } from './function-score-clause.ts'
import { geoClauses } from './geo-clauses.ts'
import { intervalsClause } from './intervals-clause.ts'
import { joinClauses } from './join-clauses.ts'
import { languageClauses } from './language-clauses.ts'
import { matchClauses } from './match-clauses.ts'
import { moreLikeThisClause } from './more-like-this-clause.ts'
import { nestedClause } from './nested-clause.ts'
import { bindClause, QueryParser } from './parser.ts'
import { patternClauses } from './pattern-clauses.ts'
import { percolateClause } from './percolate-clause.ts'
import { rangeClause } from './range-clause.ts'
import { rankFeatureClause } from './rank-feature-clause.ts'
import { refusedClauses } from './refused-clauses.ts'
import { scriptClause, scriptScoreClause } from './script-clauses.ts'
import { spanClauses } from './span-clauses.ts'
import { termClauses } from './term-clauses.ts'

const clauses: ReadonlyMap<string, ParseClause> = new Map([
  ...compoundClauses,
  ...matchClauses,
  ...termClauses,
  ...patternClauses,
  ...languageClauses,
  ...geoClauses,
  ['range', rangeClause],
  ['nested', nestedClause],
  ...joinClauses,
  ['percolate', percolateClause],
  ['function_score', functionScoreClause],
  ['combined_fields', combinedFieldsClause],
  ['more_like_this', moreLikeThisClause],
  ...spanClauses,
  ['intervals', intervalsClause],
  ['distance_feature', distanceFeatureClause],
  ['rank_feature', rankFeatureClause],
  ['script', scriptClause],
  ['script_score', scriptScoreClause],
  ...refusedClauses,
])

/** Queries that were parsed already, by their JSON: a request is checked before it is run. */
const parsed = new WeakMap<object, Clause>()

/** `places` is that of the body that contains the query. Throws SearchError. */
export function parseQuery(json: unknown, places: SourcePlaces = placesOf(json)): Clause {
  const known = typeof json === 'object' && json !== null ? parsed.get(json) : undefined
  if (known !== undefined) return known
  const clause = new QueryParser(clauses, places).parse(json)
  parsed.set(json as object, clause)
  return clause
}

/** Throws SearchError in the form that shards report. */
export function bindQuery(clause: Clause, context: QueryContext): BoundQuery {
  return { ...bindClause(clause, context), scoreFactor: context.scoreFactor }
}

export function compileQuery(bound: BoundQuery, settings: CompileSettings): CompiledQuery {
  return new CompiledQuery(bound, settings)
}
