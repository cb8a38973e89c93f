/** Parses a query with the table of all clause types, and compiles it. */
import { placesOf } from '../../request/request-source.ts'
import { SearchError } from '../../request/search-error.ts'
import type { SourcePlaces } from '../../request/source-place.ts'
import type { QueryContext } from '../binding/binding.ts'
import { type BoundQuery, CompiledQuery, type CompileSettings } from '../exec/compiled-query.ts'
import type { Clause, ParseClause } from './clause.ts'
import { combinedFieldsClause } from './combined-fields-clause.ts'
import { compoundClauses } from './compound-clauses.ts'
import { functionScoreClause } from './function-score-clause.ts'
import { geoClauses } from './geo-clauses.ts'
import { intervalsClause } from './intervals-clause.ts'
import { joinClauses } from './join-clauses.ts'
import { languageClauses } from './language-clauses.ts'
import { matchClauses } from './match-clauses.ts'
import { nestedClause } from './nested-clause.ts'
import { bindClause, QueryParser } from './parser.ts'
import { patternClauses } from './pattern-clauses.ts'
import { rangeClause } from './range-clause.ts'
import { refusedClauses } from './refused-clauses.ts'
import { spanClauses } from './span-clauses.ts'
import { distanceFeatureClause } from './specialized/distance-feature-clause.ts'
import { moreLikeThisClause } from './specialized/more-like-this-clause.ts'
import { percolateClause } from './specialized/percolate-clause.ts'
import { rankFeatureClause } from './specialized/rank-feature-clause.ts'
import { scriptClause, scriptScoreClause } from './specialized/script-clauses.ts'
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

/** Parsers that have parsed the lists of a long query, by its JSON. */
const begun = new WeakMap<object, QueryParser>()

/** Parses the lists of a long query in steps, so that others are served in between. Errors are left to `parseQuery`. */
export function* parseQueryLists(json: object, places: SourcePlaces): Generator<void, void, void> {
  const parser = new QueryParser(clauses, places)
  try {
    yield* parser.parseLists(json)
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    return
  }
  begun.set(json, parser)
}

/** `places` is that of the body that contains the query. Throws SearchError. */
export function parseQuery(json: unknown, places: SourcePlaces = placesOf(json)): Clause {
  const node = typeof json === 'object' && json !== null ? json : undefined
  const known = node && parsed.get(node)
  if (known !== undefined) return known
  const parser = (node && begun.get(node)) ?? new QueryParser(clauses, places)
  const clause = parser.parse(json)
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
