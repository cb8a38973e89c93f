/**
 * Runs a search from request to answer: query phase, page, fetch phase, and the response body as
 * Elasticsearch writes it.
 */

import type { AnswerBytes } from '../answer/answer-memory.ts'
import { illegalArgument } from '../request/errors.ts'
import { shortestFloat } from '../request/float-text.ts'
import { SearchError } from '../request/search-error.ts'
import { finish, type Steps } from '../scheduling/steps.ts'
import { collapseSteps, rankingForMaxScore } from './collapse.ts'
import { FetchPhase } from './fetch/fetch-phase.ts'
import type { HitPlace } from './fetch/hit-fetcher.ts'
import { type Cancellation, Guard } from './guard.ts'
import { placeOf, placesOf } from './paging/page.ts'
import type { RankedHit } from './paging/ranking.ts'
import {
  type AggregationAnswer,
  firstRanks,
  ofShards,
  type PrepareContext,
  type PreparedSearch,
  prepareSteps,
} from './prepared-search.ts'
import { profileOf } from './profile.ts'
import { reducePhases } from './reduce-phases.ts'
import { checkRequest } from './request/index-checks.ts'
import type { SearchRequest } from './request/search-request.ts'
import type { SearchCache } from './search-cache.ts'
import type { SearchIndex } from './search-index.ts'
import { groupedFailures, isFoundByShards, type ShardFailure, searchFailed } from './shard-failures.ts'
import { skippedShards } from './skipped-shards.ts'

export interface SearchContext extends PrepareContext {
  readonly cancellation?: Cancellation | undefined
  readonly cache?: SearchCache | undefined
  readonly answer?: AnswerBytes | undefined
  /** Prepared searches of this request, reused when it has to start over. */
  readonly prepared?: Map<SearchRequest, PreparedSearch> | undefined
  readonly suggest?:
    | ((json: unknown, indices: readonly SearchIndex[], request: SearchRequest) => Steps<unknown>)
    | undefined
}

export interface SearchPage {
  readonly response: Record<string, unknown>
  readonly search: PreparedSearch
  /** The hits of the page, in order. */
  readonly hits: readonly RankedHit[]
}

export function executeSearch(
  indices: readonly SearchIndex[],
  request: SearchRequest,
  context: SearchContext,
): Record<string, unknown> {
  return searchPage(indices, request, context).response
}

function* preparedOf(
  indices: readonly SearchIndex[],
  request: SearchRequest,
  context: SearchContext,
): Steps<PreparedSearch> {
  const before = context.prepared?.get(request)
  if (before !== undefined) return before
  const key = context.cache?.keyOf(indices, request)
  const known = key === undefined ? undefined : context.cache!.get(key)
  yield
  const ranks = firstRanks(request)
  if (known !== undefined && (yield* isAllowed(indices, request, context))) {
    yield* known.complete(ranks ?? Number.POSITIVE_INFINITY)
    return known
  }
  const guard = new Guard()
  guard.begin(context.cancellation, request.timeout)
  const prepared = yield* prepareSteps(indices, request, { ...context, firstRanks: ranks }, guard)
  context.prepared?.set(request, prepared)
  if (key !== undefined && prepared.failures.length === 0) {
    guard.release()
    context.cache!.put(key, prepared)
  }
  return prepared
}

/** Checks the limits that concern parts of the request outside the cache key, as the result window. */
function* isAllowed(
  indices: readonly SearchIndex[],
  request: SearchRequest,
  { aggregations }: SearchContext,
): Steps<boolean> {
  for (const index of indices) {
    try {
      checkRequest(request, index)
      if (request.aggregations !== undefined) aggregations?.check(request.aggregations, index)
    } catch (error) {
      // The search runs again, without the cache, and is refused there.
      if (error instanceof SearchError) return false
      throw error
    }
    yield
  }
  return true
}

export function searchPage(
  indices: readonly SearchIndex[],
  request: SearchRequest,
  context: SearchContext,
): SearchPage {
  return finish(searchSteps(indices, request, context))
}

export function* searchSteps(
  indices: readonly SearchIndex[],
  request: SearchRequest,
  context: SearchContext,
): Steps<SearchPage> {
  const started = performance.now()
  if (request.aggregations !== undefined) {
    context.aggregations?.read(request.aggregations)
    yield
  }
  const search = yield* preparedOf(indices, request, context)
  const { failures, shardCount } = search
  if (failures.length > 0 && (failures.length === shardCount || !request.allowPartial)) {
    throw searchFailed(
      failures,
      'query',
      failures.length === shardCount ? 'all shards failed' : 'Partial shards failure',
    )
  }
  const page = yield* pageOf(search, request, context)
  const shown = yield* new FetchPhase(search, request, context, page).steps()
  const aggregations =
    request.aggregations === undefined ? undefined : yield* aggregate(request, search, context)
  const isAsked = request.suggest !== undefined && Object.keys(request.suggest as object).length > 0
  const suggest = isAsked ? yield* suggestions(request, indices, context) : undefined
  const maxScore = yield* maxScoreOf(search, request, page)
  const took = Math.floor(performance.now() - started)
  const response = {
    took,
    timed_out: search.timedOut || aggregations?.timedOut === true,
    terminated_early: search.terminatedEarly,
    num_reduce_phases: reducePhases(shardCount, request),
    _shards: shardsJson(shardCount, failures, skippedShards(search, request)),
    hits: {
      total: totalOf(search, request),
      max_score: maxScore,
      hits: shown,
    },
    aggregations: aggregations?.json,
    suggest,
    profile: request.profile
      ? profileOf(search, context.node, performance.now() - started, aggregations?.profile)
      : undefined,
  }
  return { response: withoutUndefined(response), search, hits: page }
}

function withoutUndefined(object: Record<string, unknown>): Record<string, unknown> {
  for (const name of Object.keys(object)) if (object[name] === undefined) delete object[name]
  const hits = object['hits'] as Record<string, unknown>
  if (hits['total'] === undefined) delete hits['total']
  return object
}

export function shardsJson(
  total: number,
  failures: readonly ShardFailure[],
  skipped = 0,
): Record<string, unknown> {
  const shards = { total, successful: total - failures.length, skipped, failed: failures.length }
  return failures.length === 0 ? shards : { ...shards, failures: groupedFailures(failures) }
}

/** The approximate size of a hit before its source is read. */
const placeBytes = 128

function pageOf(
  search: PreparedSearch,
  request: SearchRequest,
  { node, answer }: SearchContext,
): Steps<HitPlace[]> {
  return ofShards(search, node, () => {
    if (request.collapse !== undefined) return collapseSteps(search, request)
    answer?.expect(placeBytes * Math.min(request.size, search.ranking.total))
    return placesOf(search, request, search.ranking, (hit) => placeOf(search, request, hit))
  })
}

/** Undefined when hits are not counted. */
export function totalOf(
  { total }: Pick<PreparedSearch, 'total'>,
  { trackTotalHits, totalAsNumber }: SearchRequest,
): unknown {
  if (trackTotalHits === false) return totalAsNumber ? -1 : undefined
  if (totalAsNumber) return total
  if (typeof trackTotalHits === 'number' && total > trackTotalHits) {
    return { value: trackTotalHits, relation: 'gte' }
  }
  return { value: total, relation: 'eq' }
}

/** `max_score`, when hits are sorted by score or scores are tracked. */
function* maxScoreOf(
  search: PreparedSearch,
  request: SearchRequest,
  page: readonly HitPlace[],
): Steps<number | null> {
  const { size, trackScores, searchAfter, from, collapse } = request
  if (search.shardCount === 0) return 0
  if (size === 0 || search.total === 0) return null
  const { keys, scorePlace, scores, hits } = search
  if (scorePlace === 0 && keys[0]!.descending) {
    // What comes before the place where the page begins is not seen.
    if (searchAfter !== undefined && from === 0) {
      const first = page[0]
      return first === undefined ? null : shortestFloat(scores.at(first.leaf, first.doc))
    }
    const ranking =
      collapse === undefined ? search.ranking : yield* rankingForMaxScore(search, collapse.field)
    const { firstValue } = ranking
    return typeof firstValue === 'number' ? shortestFloat(firstValue) : null
  }
  if (!trackScores) return null
  let max = Number.NEGATIVE_INFINITY
  for (const { leaf, docs } of hits) {
    if (docs.isEmpty) continue
    yield
    const constant = scores.constant(leaf)
    if (constant !== undefined) max = Math.max(max, constant)
    else for (const score of scores.of(leaf, docs).scores) if (score > max) max = score
  }
  return shortestFloat(max)
}

function* aggregate(
  request: SearchRequest,
  search: PreparedSearch,
  { aggregations, answer }: SearchContext,
): Steps<AggregationAnswer> {
  if (aggregations === undefined) throw illegalArgument('aggregations are not available')
  return yield* aggregations.steps(request.aggregations, search, request, answer)
}

/** Some of what a suggester refuses is found by the shards. */
function* suggestions(
  request: SearchRequest,
  indices: readonly SearchIndex[],
  context: SearchContext,
): Steps<unknown> {
  const { suggest, node } = context
  if (suggest === undefined) throw illegalArgument('[suggest] is not supported')
  try {
    return yield* suggest(request.suggest, indices, request)
  } catch (error) {
    if (!isFoundByShards(error)) throw error
    const failures = indices.flatMap(({ name: index, shards }) =>
      shards.map((_, shard) => ({ shard, index, node, error })),
    )
    throw failures.length === 0 ? error : searchFailed(failures)
  }
}
