/**
 * The query phase: a search bound to each index, run over each segment and ranked. It covers everything that
 * does not depend on `from`, `size` and the fetch options, so it can be cached and serve further pages over
 * the same segments.
 */

import type { AnswerBytes } from '../answer/answer-memory.ts'
import type { Clause } from '../query/dsl/clause.ts'
import { bindQuery, compileQuery, parseQuery } from '../query/dsl/parse-query.ts'
import type { BoundQuery, CompiledQuery } from '../query/exec/compiled-query.ts'
import { BoolQuery } from '../query/exec/compound/bool-query.ts'
import { MatchAllQuery } from '../query/exec/compound/simple-queries.ts'
import { DocSet } from '../query/exec/doc-set.ts'
import type { FilterCache } from '../query/exec/filter-cache.ts'
import { maxTopDocs } from '../query/exec/pruning/block-max-pruning.ts'
import { Statistics } from '../query/exec/statistics.ts'
import { SearchError } from '../request/search-error.ts'
import { simpleMatch } from '../request/simple-match.ts'
import { inRanges } from '../scheduling/step-size.ts'
import { retrySteps, type Steps } from '../scheduling/steps.ts'
import { legacyFactor } from '../scoring/bm25.ts'
import type { ShardReader } from '../segment/segment.ts'
import { type Guard, TimeOut } from './guard.ts'
import { MatchScores } from './match-scores.ts'
import { type LeafMatches, Ranking } from './paging/ranking.ts'
import { checkSlice, sliceDocs, sliceOfShard } from './paging/slices.ts'
import { checkRequest } from './request/index-checks.ts'
import type { SearchRequest } from './request/search-request.ts'
import { isByScoreAlone, type SortRequest } from './request/sort-request.ts'
import { rescored } from './rescore.ts'
import { bindJson, type SearchIndex } from './search-index.ts'
import { isOfRequest, type ShardFailure, searchFailed } from './shard-failures.ts'
import type { Scores, SearchLeaf, SortKey } from './sort/sort-key.ts'
import { bindSort, type IndexSort, sortKeys } from './sort/sort-keys.ts'

export interface PreparedShard {
  readonly number: number
  readonly index: SearchIndex
  readonly reader: ShardReader
  readonly query: CompiledQuery
  readonly leaves: readonly SearchLeaf[]
}

export interface PreparedSearch {
  readonly guard: Guard
  readonly shards: readonly PreparedShard[]
  /** The number of shards, including failed ones. */
  readonly shardCount: number
  readonly failures: readonly ShardFailure[]
  /** The matches before `post_filter`, which aggregations see. */
  readonly matches: readonly LeafMatches[]
  readonly hits: readonly LeafMatches[]
  readonly total: number
  readonly keys: readonly SortKey[]
  /** The sort keys whose values hits show; undefined when they show none. */
  readonly shownKeys: readonly SortKey[] | undefined
  /** The index of `_score` among the keys, or -1. */
  readonly scorePlace: number
  readonly scores: Scores
  readonly ranking: Ranking
  /** Computes in steps what the first page did not need, for readers of so many ranks. */
  complete(ranks: number): Steps<void>
  /** Undefined without `terminate_after`. */
  readonly terminatedEarly: boolean | undefined
  readonly timedOut: boolean
}

/** The aggregations as the query phase sees them. */
export interface Aggregations {
  /** Throws SearchError when the request is invalid. */
  read(json: unknown): void
  /** Throws SearchError when the index does not support the request. */
  check(json: unknown, index: SearchIndex): void
  /** Aggregates the matches before `post_filter`, one step per segment. */
  steps(
    json: unknown,
    search: PreparedSearch,
    request: SearchRequest,
    answer?: AnswerBytes,
  ): Steps<AggregationAnswer>
}

export interface AggregationAnswer {
  readonly json: Record<string, unknown> | undefined
  /** True when not all documents were aggregated. */
  readonly timedOut: boolean
  /** The `profile` of each shard. */
  readonly profile: readonly unknown[]
}

export interface PrepareContext {
  readonly aggregations?: Aggregations | undefined
  readonly node: string
  readonly filters?: FilterCache | undefined
  readonly scoreFactor?: number
  /** Allows to compute only the first ranks; `complete` computes the rest. */
  readonly firstRanks?: number | undefined
}

/** The shards of all indices in the order that breaks ties. */
export function orderedShards(
  indices: readonly SearchIndex[],
): { index: SearchIndex; reader: ShardReader }[] {
  return indices
    .flatMap((index) => index.shards.map((reader) => ({ index, reader })))
    .sort(
      (a, b) =>
        a.reader.shard - b.reader.shard ||
        compareText(a.index.name, b.index.name) ||
        compareText(a.index.uuid, b.index.uuid),
    )
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The sort with the tiebreaker that a point in time adds; undefined for a sort by score alone. */
export function effectiveSort(request: SearchRequest): readonly SortRequest[] | undefined {
  const { sort, pit } = request
  const isPlain = sort === undefined || isByScoreAlone(sort)
  if (pit !== undefined) {
    const keys: readonly SortRequest[] = sort === undefined || sort.length === 0 ? byScore : sort
    return keys.some(({ kind }) => kind === 'shard_doc')
      ? keys
      : [...keys, { kind: 'shard_doc', descending: false }]
  }
  return isPlain && request.searchAfter === undefined ? undefined : sort
}

/** True when the order of matches matters; totals and aggregations do not need it. */
export function isRanked({ size, collapse, searchAfter }: SearchRequest): boolean {
  return size > 0 || collapse !== undefined || searchAfter !== undefined
}

/** How many ranks the search reads when all it shows is hits within the top k, sorted by score; undefined otherwise. */
export function firstRanks(request: SearchRequest): number | undefined {
  const { from, size, minScore, postFilter, terminateAfter, slice, scroll, collapse, rescore } = request
  // The page looks one hit ahead.
  const ranks = from + size + 1
  const isFirstPage =
    size > 0 &&
    ranks <= maxTopDocs &&
    effectiveSort(request) === undefined &&
    [minScore, postFilter, slice, scroll, collapse, request.aggregations].every(
      (each) => each === undefined,
    ) &&
    terminateAfter === 0 &&
    rescore.length === 0
  return isFirstPage ? ranks : undefined
}

const byScore: readonly SortRequest[] = [{ kind: 'score', descending: true }]

interface BoundIndex {
  readonly query: BoundQuery
  readonly postFilter: BoundQuery | undefined
  readonly sort: IndexSort
}

/** Adds the named clauses of filters and rescores, which hits show too. */
function withNames(bound: BoundQuery, others: readonly BoundQuery[]): BoundQuery {
  if (others.length === 0) return bound
  return { ...bound, named: [...bound.named, ...others.flatMap(({ named }) => named)] }
}

/** The request's query combined with the filters of the aliases that name the index. */
export function bindFiltered(clause: Clause | undefined, index: SearchIndex): BoundQuery {
  const bound: BoundQuery =
    clause === undefined
      ? { query: new MatchAllQuery(), named: [], innerHits: [] }
      : bindQuery(clause, index.queries)
  if (index.filters === undefined || index.filters.length === 0) return bound
  const filters = index.filters.map((filter) => bindQuery(parseQuery(filter), index.queries).query)
  const filter =
    filters.length === 1 ? filters[0]! : new BoolQuery(filters.map((query) => ({ occur: 'should', query })))
  return {
    ...bound,
    query: new BoolQuery([
      { occur: 'must', query: bound.query },
      { occur: 'filter', query: filter },
    ]),
  }
}

/** Yields after every segment that is searched and every one that is ranked. */
export function* prepareSteps(
  indices: readonly SearchIndex[],
  request: SearchRequest,
  context: PrepareContext,
  guard: Guard,
): Steps<PreparedSearch> {
  const clause = request.query === undefined ? undefined : parseQuery(request.query)
  const postFilter = request.postFilter === undefined ? undefined : parseQuery(request.postFilter)
  yield
  const shownSort = effectiveSort(request)
  const sort = shownSort ?? byScore
  const bound = new Map<string, BoundIndex>()
  const refused = new Map<string, SearchError>()
  for (const index of indices) {
    try {
      // The order decides which of several errors is shown.
      const query = bindFiltered(clause, index)
      const filter = postFilter === undefined ? undefined : bindQuery(postFilter, index.queries)
      const indexSort = bindSort(sort, index)
      if (request.aggregations !== undefined) {
        context.aggregations?.check(request.aggregations, index)
        yield
      }
      const rescores = request.rescore.map(({ query }) => bindJson(index, query))
      checkRequest(request, index)
      if (request.slice !== undefined) checkSlice(request.slice, index)
      bound.set(index.name, {
        query: withNames(query, [...(filter === undefined ? [] : [filter]), ...rescores]),
        postFilter: filter,
        sort: indexSort,
      })
    } catch (error) {
      if (!(error instanceof SearchError)) throw error
      refused.set(index.name, error)
    }
    yield
  }
  const run = new Run(indices, request, context, guard, bound, refused)
  const indexSorts = new Map([...bound].map(([name, each]) => [name, each.sort]))
  let scores: Scores = run.scores
  const { timedOut, terminatedEarly } = yield* run.find()
  if (request.rescore.length > 0) scores = yield* rescored(request.rescore, run.shards, run.hits, scores)
  const keys = bound.size === 0 ? [] : sortKeys(sort, indexSorts, scores)
  const ranking =
    keys.length === 0 || !isRanked(request)
      ? new Ranking([], [nothing])
      : yield* ofShards(run, context.node, () => Ranking.steps(run.hits, keys as [SortKey, ...SortKey[]]))
  return {
    guard,
    shards: run.shards,
    shardCount: run.shardCount,
    failures: run.failures,
    matches: run.matches,
    hits: run.hits,
    total: run.hits.reduce((sum, { docs }) => sum + docs.count, 0),
    keys,
    shownKeys: shownSort === undefined ? undefined : keys,
    scorePlace: sort.findIndex(({ kind }) => kind === 'score'),
    scores,
    ranking,
    complete: (ranks) => run.scores.completeSteps(ranks),
    terminatedEarly,
    timedOut,
  }
}

/** Turns an error in ranking into a failure of each shard. */
export function* ofShards<Result>(
  { shards }: Pick<PreparedSearch, 'shards'>,
  node: string,
  work: () => Steps<Result>,
): Steps<Result> {
  try {
    return yield* work()
  } catch (error) {
    if (!(error instanceof SearchError) || isOfRequest(error)) throw error
    throw searchFailed(
      shards.map(({ index, reader }) => ({ shard: reader.shard, index: index.name, node, error })),
    )
  }
}

/** The sort key of a search all of whose indices failed. */
const nothing: SortKey = {
  descending: false,
  missingFirst: false,
  list: () => {
    throw new Error('nothing to sort')
  },
  value: () => null,
  show: () => null,
  parse: () => null,
}

/** Runs the query over all segments and collects the matches. */
class Run {
  readonly shards: PreparedShard[] = []
  readonly failures: ShardFailure[] = []
  readonly matches: LeafMatches[] = []
  readonly hits: LeafMatches[] = []
  readonly scores: MatchScores
  readonly shardCount: number
  readonly #request: SearchRequest
  readonly #guard: Guard
  readonly #needsScores: boolean
  readonly #firstRanks: number | undefined
  readonly #node: string
  readonly #postFilters = new Map<number, CompiledQuery>()

  constructor(
    indices: readonly SearchIndex[],
    request: SearchRequest,
    context: PrepareContext,
    guard: Guard,
    bound: ReadonlyMap<string, BoundIndex>,
    refused: ReadonlyMap<string, SearchError>,
  ) {
    this.#request = request
    this.#guard = guard
    this.#firstRanks = context.firstRanks
    this.#node = context.node
    const keys = effectiveSort(request) ?? byScore
    this.#needsScores =
      request.minScore !== undefined ||
      (isRanked(request) && (request.trackScores || keys[0]?.kind === 'score'))
    const ordered = orderedShards(indices)
    this.shardCount = ordered.length
    const statistics = request.isGlobal
      ? new Statistics(ordered.flatMap(({ reader }) => reader.leaves))
      : undefined
    const queries = new Map<number, CompiledQuery>()
    let leafNumber = 0
    ordered.forEach(({ index, reader }, number) => {
      const error = refused.get(index.name) ?? reader.failure
      if (error !== undefined) {
        this.failures.push({ shard: reader.shard, index: index.name, node: context.node, error })
        return
      }
      const { leaves } = reader
      const settings = {
        leaves,
        statistics: statistics ?? new Statistics(leaves),
        scoreFactor: context.scoreFactor ?? legacyFactor,
        filters: context.filters,
        check: guard.check,
      }
      const { query: boundQuery, postFilter } = bound.get(index.name)!
      const query = compileQuery(boundQuery, settings)
      queries.set(number, query)
      if (postFilter !== undefined) this.#postFilters.set(number, compileQuery(postFilter, settings))
      this.shards.push({
        number,
        index,
        reader,
        query,
        leaves: leaves.map((leaf) => ({
          number: leafNumber++,
          reader: leaf,
          shard: reader,
          shardNumber: number,
          index,
          scope: settings,
        })),
      })
    })
    this.scores = new MatchScores(queries, boostsOf(indices, request))
  }

  *find(): Steps<{ timedOut: boolean; terminatedEarly: boolean | undefined }> {
    const { terminateAfter } = this.#request
    let timedOut = false
    let terminatedEarly = terminateAfter > 0 ? false : undefined
    for (const shard of [...this.shards]) {
      let left = terminateAfter > 0 ? terminateAfter : Number.POSITIVE_INFINITY
      for (const leaf of shard.leaves) {
        if (timedOut || left === 0) break
        try {
          this.#guard.check()
          let docs = yield* retrySteps(() => this.#docsOf(shard, leaf))
          if (docs.count >= left) {
            if (docs.count > left) docs = DocSet.ofSorted(docs.size, docs.array().subarray(0, left))
            terminatedEarly = true
          }
          left -= docs.count
          yield* retrySteps(() => this.#add(leaf, docs))
          yield
        } catch (error) {
          if (error instanceof TimeOut) timedOut = true
          else if (error instanceof SearchError && !isOfRequest(error)) {
            this.#fail(shard, error)
            break
          } else throw error
        }
      }
    }
    return { timedOut, terminatedEarly }
  }

  /** Drops what a failed shard had found before. */
  #fail(shard: PreparedShard, error: SearchError): void {
    const { reader, index, number } = shard
    this.failures.push({ shard: reader.shard, index: index.name, node: this.#node, error })
    this.shards.splice(this.shards.indexOf(shard), 1)
    for (const found of [this.matches, this.hits]) {
      const kept = found.filter(({ leaf }) => leaf.shardNumber !== number)
      found.length = 0
      found.push(...kept)
    }
  }

  *#docsOf({ index, query, reader }: PreparedShard, leaf: SearchLeaf): Steps<DocSet> {
    const { slice, minScore } = this.#request
    let docs = this.#needsScores ? yield* this.scores.matchesBySteps(leaf, this.#firstRanks) : undefined
    docs ??= yield* query.matchingSteps(leaf.reader)
    if (slice !== undefined) {
      const part = sliceOfShard(slice, reader.shard, index.shardCount)
      if (part === undefined) return DocSet.none(docs.size)
      docs = sliceDocs(docs, leaf.reader, slice.field, part.part, part.parts, index)
    }
    return minScore === undefined ? docs : yield* this.#scoringAtLeast(minScore, leaf, docs)
  }

  *#scoringAtLeast(min: number, leaf: SearchLeaf, docs: DocSet): Steps<DocSet> {
    const constant = this.scores.constant(leaf)
    if (constant !== undefined) return constant >= min ? docs : DocSet.none(docs.size)
    const { docs: scored, scores } = this.scores.of(leaf, docs)
    const kept = new Uint32Array(scored.length)
    let count = 0
    yield* inRanges(scored.length, (from, to) => {
      for (let i = from; i < to; i++) if (scores[i]! >= min) kept[count++] = scored[i]!
    })
    return DocSet.ofSorted(docs.size, kept.subarray(0, count))
  }

  *#add(leaf: SearchLeaf, docs: DocSet): Steps<void> {
    const filter = this.#postFilters.get(leaf.shardNumber)
    const left = filter === undefined ? docs : docs.and(yield* filter.matchingSteps(leaf.reader))
    this.matches.push({ leaf, docs })
    this.hits.push({ leaf, docs: left })
  }
}

function boostsOf(indices: readonly SearchIndex[], { indicesBoost }: SearchRequest): Map<string, number> {
  const boosts = new Map<string, number>()
  for (const { name } of indices) {
    const found = indicesBoost.find(([pattern]) => simpleMatch(pattern, name))
    if (found !== undefined) boosts.set(name, Math.fround(found[1]))
  }
  return boosts
}
