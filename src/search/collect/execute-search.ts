/**
 * Runs a search from request to answer: query phase, page, fetch phase, and the response body as
 * Elasticsearch writes it.
 */

import type { AnswerBytes } from '../answer/answer-memory.ts'
import { illegalArgument } from '../request/errors.ts'
import { shortestFloat } from '../request/float-text.ts'
import { SearchError } from '../request/search-error.ts'
import { NotReady } from '../scheduling/not-ready.ts'
import { finish, onceReady, type Steps } from '../scheduling/steps.ts'
import { risingSteps } from '../segment/encoding/radix-sort.ts'
import { rootOf } from '../source/nested-identity.ts'
import { collapseSteps, rankingWithBest } from './collapse.ts'
import { HitFetcher, type HitPlace } from './fetch/hit-fetcher.ts'
import { innerHitSteps } from './fetch/inner-hits.ts'
import { type Cancellation, Guard } from './guard.ts'
import { searchHighlighter } from './highlight/percolated.ts'
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
import {
  groupedFailures,
  isFoundByShards,
  isOfRequest,
  type ShardFailure,
  searchFailed,
} from './shard-failures.ts'
import { skippedShards } from './skipped-shards.ts'
import type { SearchLeaf } from './sort/sort-key.ts'

/** The most hits of a segment whose sources are decompressed together, before the next step. */
const maxReadAhead = 64

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
    } catch {
      return false
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
      request.allowPartial ? 'all shards failed' : 'Partial shards failure',
    )
  }
  const page = yield* pageOf(search, request, context)
  const shown = yield* fetchSteps(search, request, context, page)
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

function* fetchSteps(
  search: PreparedSearch,
  request: SearchRequest,
  context: SearchContext,
  page: readonly HitPlace[],
): Steps<Record<string, unknown>[]> {
  const queries = new Map(search.shards.map((shard) => [shard.number, shard.query]))
  const query = (leaf: SearchLeaf) => queries.get(leaf.shardNumber)
  const hasInnerHits =
    request.collapse !== undefined || search.shards.some((shard) => shard.query.innerHits.length > 0)
  const fetchers = new Map<string, HitFetcher>()
  const { namedQueriesScore } = request
  const shown = new Array<Record<string, unknown>>(page.length)
  const order = yield* fetchOrder(page)
  let ahead = 0
  for (let i = 0; i < page.length; i++) {
    yield
    search.guard.check()
    if (i === ahead) {
      ahead = endOfLeaf(page, order, i)
      if (ahead - i > 1) yield* readAhead(i, ahead)
    }
    const place = order === null ? i : order[i]!
    const hit = page[place]!
    shown[place] = (hasInnerHits ? undefined : shownNow(hit)) ?? (yield* show(hit))
  }
  return shown

  /** Undefined when something is not ready. */
  function shownNow(hit: HitPlace): Record<string, unknown> | undefined {
    try {
      return fetcherOf(hit.leaf.index).show(hit)
    } catch (error) {
      if (error instanceof NotReady) return undefined
      throw ofShard(error, hit)
    }
  }

  /** Reads ahead the sources of hits of one segment. */
  function* readAhead(from: number, to: number): Steps<void> {
    const { index, reader } = inOrder(page, order, from).leaf
    const { segment } = reader
    yield* onceReady(() => {
      if (!readsSource(index) || !segment.readsAhead) return
      const docs: number[] = []
      for (let i = from; i < to; i++) docs.push(rootOf(segment, inOrder(page, order, i).doc))
      segment.readAhead(docs)
    })
  }

  /** A request that cannot be fetched is refused with its first hit. */
  function readsSource(index: SearchIndex): boolean {
    try {
      return fetcherOf(index).readsSource
    } catch (error) {
      if (error instanceof SearchError) return false
      throw error
    }
  }

  function fetcherOf(index: SearchIndex): HitFetcher {
    let fetcher = fetchers.get(index.name)
    if (fetcher === undefined) {
      const highlighter = searchHighlighter(request.highlight, index, query)
      const { node, answer } = context
      fetcher = new HitFetcher(request, index, { node, query, namedQueriesScore, answer }, highlighter)
      fetchers.set(index.name, fetcher)
    }
    return fetcher
  }

  function* show(hit: HitPlace): Steps<Record<string, unknown>> {
    const { index } = hit.leaf
    try {
      const innerHits = hasInnerHits ? yield* innerHitSteps(hit, search, request, context) : undefined
      const place = innerHits === undefined ? hit : { ...hit, innerHits }
      return yield* onceReady(() => fetcherOf(index).show(place))
    } catch (error) {
      throw ofShard(error, hit)
    }
  }

  /** An error in fetching a hit is a failure of its shard. */
  function ofShard(error: unknown, { leaf }: HitPlace): unknown {
    if (!(error instanceof SearchError) || isOfRequest(error)) return error
    return searchFailed(
      [{ shard: leaf.shard.shard, index: leaf.index.name, node: context.node, error }],
      // A single shard runs query and fetch in one phase.
      search.shards.length === 1 ? 'query' : 'fetch',
    )
  }
}

/** Returns where the hits of one segment end, or as many as are read ahead. */
function endOfLeaf(page: readonly HitPlace[], order: FetchOrder, from: number): number {
  const { leaf } = inOrder(page, order, from)
  let end = from + 1
  while (end < page.length && end - from < maxReadAhead && inOrder(page, order, end).leaf === leaf) end++
  return end
}

/** Indexes of a page; null when they are its own order. */
type FetchOrder = Uint32Array | null

function inOrder(page: readonly HitPlace[], order: FetchOrder, i: number): HitPlace {
  return page[order === null ? i : order[i]!]!
}

/**
 * Returns the indexes of the page in document order, so that sources in one compressed block are read
 * together.
 */
function* fetchOrder(page: readonly HitPlace[]): Steps<FetchOrder> {
  const documents = new Float64Array(page.length)
  for (let place = 0; place < page.length; place++) {
    const { leaf, doc } = page[place]!
    documents[place] = leaf.number * 2 ** 32 + doc
  }
  return yield* risingSteps(documents)
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
    const ranking = collapse === undefined ? search.ranking : yield* rankingWithBest(search, collapse.field)
    const { firstValue } = ranking
    return typeof firstValue === 'number' ? shortestFloat(firstValue) : null
  }
  if (!trackScores) return null
  let most = Number.NEGATIVE_INFINITY
  for (const { leaf, docs } of hits) {
    if (docs.isEmpty) continue
    yield
    const constant = scores.constant(leaf)
    if (constant !== undefined) most = Math.max(most, constant)
    else for (const score of scores.of(leaf, docs).scores) if (score > most) most = score
  }
  return shortestFloat(most)
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
