/**
 * The search service of this node: parses requests, binds them to mappings, runs them and keeps search contexts
 * (src/search/collect).
 */
import { aggregations, defaultMaxBuckets } from '../aggs/aggregate.ts'
import type { AnswerBytes } from '../answer/answer-memory.ts'
import { type ContextLimits, defaultContextLimits, SearchContexts } from '../collect/contexts.ts'
import { countSteps, explainSteps, validateSteps } from '../collect/count.ts'
import { type SearchContext, searchSteps } from '../collect/execute-search.ts'
import { Guard, ofSignal } from '../collect/guard.ts'
import type { Ranking } from '../collect/paging/ranking.ts'
import { type Aggregations, bindFiltered, prepareSteps } from '../collect/prepared-search.ts'
import { isLongSearch } from '../collect/request/expected-length.ts'
import { parseSearchRequest, prepareQuery } from '../collect/request/parse-request.ts'
import type { SearchRequest } from '../collect/request/search-request.ts'
import type { CheckSection } from '../collect/request/section-checks.ts'
import { suggestOnly } from '../collect/request/suggest-only.ts'
import { nextScroll, openScroll, searchPit } from '../collect/scroll-search.ts'
import { SearchCache } from '../collect/search-cache.ts'
import { openLimits, type SearchIndex } from '../collect/search-index.ts'
import { searchFailed } from '../collect/shard-failures.ts'
import type { ParsedDocument } from '../mapping/documents/document-parser.ts'
import { compileQuery, parseQuery } from '../query/dsl/parse-query.ts'
import type { BoundQuery } from '../query/exec/compiled-query.ts'
import { FilterCache } from '../query/exec/filter-cache.ts'
import { checkStored } from '../query/percolator/check-stored.ts'
import { parseExactJson } from '../request/json-literals.ts'
import { type JsonObject, own, textList } from '../request/json-object.ts'
import { rejectedExecution } from '../request/memory-refused.ts'
import { parseTime } from '../request/units/units.ts'
import type { FairScheduler } from '../scheduling/fair-scheduler.ts'
import { retrySteps, retryWork, type Steps } from '../scheduling/steps.ts'
import { writeBuffers } from '../shard/write-buffers.ts'
import { suggest } from '../suggest/suggest.ts'
import { checkSuggest } from '../suggest/suggest-request.ts'
import { termVectorSteps } from '../term-vectors/term-vectors.ts'
import type { VectorsRequest } from '../term-vectors/vectors-request.ts'
import type { Cluster } from './cluster.ts'
import { getDocument } from './documents/document-reads.ts'
import { openOptions } from './index-expressions.ts'
import type { IndexMetadata } from './index-metadata.ts'
import { estimatedBytes } from './memory-estimate.ts'
import type { OpenPit, Scan, ScanHit, ScanRequest, SearchCall, SearchTarget } from './search-calls.ts'
import { type SearchEnvironment, searchIndexOf } from './search-environment.ts'
import type { SearchReaders } from './search-readers.ts'
import { ThreadLoad } from './thread-load.ts'

const noSource = new Uint8Array(0)

export interface EmbeddedSearchOptions {
  readonly cluster: Cluster
  readonly node: string
  /** Applies Elasticsearch's default limits and `track_total_hits`. */
  readonly strict?: boolean
  readonly aggregations?: SearchContext['aggregations']
  readonly suggest?: SearchContext['suggest']
  /** Threads that search beside this one. */
  readonly readers?: SearchReaders | undefined
}

function maxBucketsOf(cluster: Cluster): number {
  return Number(cluster.setting('search.max_buckets') ?? defaultMaxBuckets)
}

export class EmbeddedSearch {
  readonly #options: EmbeddedSearchOptions
  readonly #contexts: SearchContexts
  readonly #cache = new SearchCache()
  readonly #filters = new FilterCache()
  readonly #aggregations: Aggregations
  readonly #scheduler: FairScheduler
  readonly #sections: ReadonlyMap<string, CheckSection>
  /** The requests of calls that were checked. */
  readonly #checked = new WeakMap<SearchCall, SearchRequest>()
  readonly #reaper: NodeJS.Timeout
  /** Searches that run in this thread. */
  readonly #load = new ThreadLoad(() => writeBuffers.isBusy)

  constructor(options: EmbeddedSearchOptions) {
    this.#options = options
    const { cluster, node } = options
    this.#aggregations =
      options.aggregations ??
      aggregations({
        node,
        maxBuckets: () => maxBucketsOf(cluster),
        quantileMethod: cluster.compat.isOpenSearch ? 'nearest' : 'interpolated',
        answerBytes: () => cluster.answerBytes(),
      })
    const checkAggs: CheckSection = (json) => void this.#aggregations.read(json)
    this.#sections = new Map([
      ['aggs', checkAggs],
      ['aggregations', checkAggs],
      ['suggest', checkSuggest],
    ])
    this.#scheduler = options.cluster.scheduler
    this.#contexts = new SearchContexts({ clock: cluster.now, limits: () => contextLimits(cluster) })
    this.#reaper = setInterval(() => this.#contexts.reap(), 60_000)
    this.#reaper.unref()
  }

  /** `answer` is released by its creator. */
  #context(signal: AbortSignal, answer?: AnswerBytes): SearchContext {
    const { node, suggest: suggester = suggest, cluster } = this.#options
    return {
      node,
      filters: this.#filters,
      cache: this.#cache,
      cancellation: ofSignal(signal),
      answer,
      aggregations: this.#aggregations,
      suggest: suggester,
      scoreFactor: cluster.compat.isOpenSearch ? 1 : 2.2,
      prepared: new Map(),
    }
  }

  #environment(): SearchEnvironment {
    const { cluster, strict = false } = this.#options
    return {
      now: cluster.now(),
      maxClauses: Number(cluster.setting('indices.query.bool.max_clause_count') ?? 1024),
      allowExpensive: cluster.setting('search.allow_expensive_queries') !== 'false',
      isOpenSearch: cluster.compat.isOpenSearch,
      isStrict: strict,
    }
  }

  #index({ metadata, store, shards, filters, mayLookUp }: SearchTarget): SearchIndex {
    const { cluster } = this.#options
    return searchIndexOf(
      {
        metadata,
        mapping: store.mapping,
        shards: shards.map((number) => store.shards[number]!.reader()),
        filters,
        scripts: cluster.state.scripts,
        lookUp: ({ index, id, routing }) => {
          mayLookUp?.(index)
          const { document } = getDocument(cluster, { index, id, routing })
          return document === undefined ? undefined : parseExactJson(document.source)
        },
      },
      this.#environment(),
    )
  }

  /** Parses a long request in steps, before it is checked; undefined for a short one. */
  prepareSearch({ body, bodyText, signal }: SearchCall): Promise<void> | undefined {
    const steps = body === undefined ? undefined : prepareQuery(body, bodyText)
    return steps && this.#run(() => steps, signal, true)
  }

  /** Throws for a search that cannot be read, before its indices are looked for. */
  checkSearch(call: SearchCall): void {
    const { body, bodyText: text, parameters, namesIndices } = call
    const { strict = false } = this.#options
    const request = parseSearchRequest(body, parameters, {
      strict,
      text,
      namesIndices,
      sections: this.#sections,
    })
    this.#checked.set(call, request)
  }

  /** Returns a response body ready to be serialised (json-text.ts). */
  async search(targets: readonly SearchTarget[], call: SearchCall): Promise<JsonObject> {
    const { parameters } = call
    const { cluster } = this.#options
    if (!this.#checked.has(call)) this.checkSearch(call)
    const request = this.#boosted(suggestOnly(this.#checked.get(call)!), parameters)
    const isLong = isLongSearch(request)
    const expected = estimatedBytes(request, targets, call.bodyText.length, isLong)
    await this.#admit(expected, targets)
    const answer = call.answer ?? cluster.answerBytes()
    try {
      return await this.#admitted(targets, call, request, answer, isLong)
    } finally {
      if (answer !== call.answer) answer.release()
      cluster.memory.searches.leave(expected)
    }
  }

  /** Admission control: waits for memory; throws when the queue is full or the wait too long. */
  async #admit(bytes: number, targets: readonly SearchTarget[]): Promise<void> {
    const { cluster, node } = this.#options
    const { searches } = cluster.memory
    const entered = searches.enter(bytes)
    const verdict = typeof entered === 'string' ? entered : await entered
    if (verdict === 'admitted') return
    const { active, waiting, completed, maxWaiting } = searches
    const state = { node, pool: 'search', queueCapacity: maxWaiting, active, queued: waiting, completed }
    const error = rejectedExecution(state, cluster.compat.isOpenSearch)
    const failures = targets.flatMap(({ metadata: { name: index }, shards }) =>
      shards.map((shard) => ({ shard, index, node, error })),
    )
    throw failures.length === 0 ? error : searchFailed(failures)
  }

  async #admitted(
    targets: readonly SearchTarget[],
    call: SearchCall,
    request: SearchRequest,
    answer: AnswerBytes,
    isLong: boolean,
  ): Promise<JsonObject> {
    const { body } = call
    const { cluster } = this.#options
    const context = this.#context(call.signal, answer)
    const run = <Result>(begin: () => Steps<Result>) => this.#run(answer.counting(begin), call.signal, isLong)
    if (request.pit !== undefined) return run(() => searchPit(request, context, this.#contexts))
    const indices = targets.map((target) => this.#index(target))
    const groups = textList(body === undefined ? undefined : own(body, 'stats'))
    for (const { metadata, shards } of targets) cluster.usage.searched(metadata.uuid, shards.length, groups)
    return this.#counted(targets, request, async () => {
      if (request.scroll !== undefined)
        return run(() => openScroll(indices, request, context, this.#contexts))
      if (request.indicesBoost.length === 0) {
        const found = await this.#readElsewhere('search', targets, indices, call, isLong)
        if (found !== undefined) return found
      }
      const { response } = await this.#load.during(
        run(() => searchSteps(indices, request, context)),
        isLong,
      )
      return response
    })
  }

  /** Searches in a thread of its own while this one has other work; undefined when it has to be done here. */
  async #readElsewhere(
    kind: 'search' | 'count',
    targets: readonly SearchTarget[],
    indices: readonly SearchIndex[],
    call: SearchCall,
    isLong: boolean,
  ): Promise<JsonObject | undefined> {
    const { readers, cluster, node } = this.#options
    if (readers === undefined) return undefined
    const { maxBytes } = call.answer ?? cluster.answerBytes()
    return readers.read(
      {
        kind,
        call,
        node,
        indices: indices.map((index, i) => ({ metadata: targets[i]!.metadata, index })),
        environment: this.#environment(),
        scripts: cluster.state.scripts,
        dialect: cluster.compat.json,
        maxBuckets: maxBucketsOf(cluster),
        maxAnswerBytes: maxBytes,
      },
      this.#load.before(isLong),
    )
  }

  /** Records statistics of a search for its indices. */
  async #counted(
    targets: readonly SearchTarget[],
    { size, scroll, suggest: suggested }: SearchRequest,
    answer: () => Promise<JsonObject>,
  ): Promise<JsonObject> {
    const { usage } = this.#options.cluster
    const all = targets.map(({ metadata }) => usage.of(metadata.uuid))
    const started = performance.now()
    usage.totals.searches += 1
    for (const one of all) {
      one.running += 1
      if (size > 0) one.fetches += 1
      if (scroll !== undefined) one.scrolls += 1
      if (suggested !== undefined) one.suggests += 1
    }
    try {
      return await answer()
    } finally {
      const millis = performance.now() - started
      for (const one of all) {
        one.running -= 1
        one.queryMillis += millis / all.length
      }
    }
  }

  #run<Result>(begin: () => Steps<Result>, signal: AbortSignal, isLong: boolean): Promise<Result> {
    return this.#scheduler.runWithRetries(begin, ofSignal(signal).check, isLong)
  }

  /** Names under `indices_boost` may be aliases; an unknown one is an error. */
  #boosted(request: SearchRequest, parameters: SearchCall['parameters']): SearchRequest {
    if (request.indicesBoost.length === 0) return request
    const options = { ...openOptions, ignoreUnavailable: parameters.get('ignore_unavailable') === 'true' }
    const indicesBoost = request.indicesBoost.flatMap(([name, boost]) =>
      this.#options.cluster
        .resolve([name], { ...options, forbidClosed: false })
        .map(({ index }): [string, number] => [index.name, boost]),
    )
    return { ...request, indicesBoost }
  }

  async count(targets: readonly SearchTarget[], call: SearchCall): Promise<JsonObject> {
    const { body, parameters, signal } = call
    const indices = targets.map((target) => this.#index(target))
    const found = await this.#readElsewhere('count', targets, indices, call, false)
    if (found !== undefined) return found
    const context = { node: this.#options.node, cancellation: ofSignal(signal) }
    const count = this.#run(() => countSteps(indices, body, parameters, context), signal, false)
    return this.#load.during(count, false)
  }

  async validate(
    targets: readonly SearchTarget[],
    { body, parameters, signal }: SearchCall,
  ): Promise<JsonObject> {
    const indices = targets.map((target) => this.#index(target))
    return this.#run(() => validateSteps(indices, body, parameters), signal, false)
  }

  async explain(
    target: SearchTarget,
    id: string,
    { body, parameters, signal }: SearchCall,
  ): Promise<JsonObject> {
    const index = this.#index(target)
    return this.#run(() => explainSteps(index, id, body, parameters), signal, false)
  }

  /** Returns the term vectors of a document by field. `source` is its JSON; only its shard is consulted. */
  async termVectors(
    target: SearchTarget,
    request: VectorsRequest,
    source: Uint8Array,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, unknown>> {
    const index = this.#index(target)
    const document = request.doc ?? (source.length === 0 ? {} : parseExactJson(source))
    return this.#run(() => termVectorSteps(index, request, document), signal, false)
  }

  /** Throws SearchError when a query of a document cannot be stored. */
  checkQueries({ queries, source, mapping }: ParsedDocument, text: string, metadata: IndexMetadata): void {
    const { scripts } = this.#options.cluster.state
    const index = { metadata, mapping, shards: [], filters: undefined, scripts, lookUp: () => undefined }
    checkStored({ queries, source, text }, searchIndexOf(index, this.#environment()).queries)
  }

  /** Throws for a query that cannot be parsed. */
  checkQuery(query: unknown): void {
    parseQuery(query)
  }

  /** Returns whether some document of the target could match, for `index_filter`. */
  async canMatch(target: SearchTarget, query: unknown, signal: AbortSignal): Promise<boolean> {
    const index = this.#index(target)
    const bound = bindFiltered(parseQuery(query), index)
    if (index.shards.every(({ liveCount }) => liveCount === 0)) return false
    return this.#run(() => matchSteps(index, bound), signal, false)
  }

  async scan(targets: readonly SearchTarget[], request: ScanRequest): Promise<Scan> {
    const indices = targets.map((target) => this.#index({ ...target }))
    const { query, size, sort = ['_doc'], slice, signal } = request
    const body = { query, sort, size, track_total_hits: true, _source: false }
    const parsed = parseSearchRequest(body, new Map(), { strict: false })
    const guard = new Guard()
    guard.begin(ofSignal(signal), undefined)
    const withSource = new Set(
      targets.filter(({ store }) => store.keepsSource).map(({ metadata }) => metadata.name),
    )
    const sliced = slice === undefined ? parsed : { ...parsed, slice: { field: '_id', ...slice } }
    const open = indices.map((index) => ({ ...index, limits: openLimits }))
    const context = this.#context(signal)
    const search = await this.#run(() => prepareSteps(open, sliced, context, guard), signal, true)
    if (search.failures.length > 0) throw searchFailed(search.failures, 'query', 'Partial shards failure')
    let at = 0
    return {
      total: search.total,
      next: async () => {
        const hits = await this.#run(() => scanSteps(search.ranking, at, size, withSource), signal, true)
        at += hits.length
        return hits
      },
      close: () => {},
    }
  }

  async scroll(id: string, keepAliveMillis: number | undefined, call: SearchCall): Promise<JsonObject> {
    const asInt = call.parameters.get('rest_total_hits_as_int')
    const totalAsNumber = asInt === '' || asInt === 'true'
    const answer = this.#options.cluster.answerBytes()
    const context = this.#context(call.signal, answer)
    try {
      const next = () => nextScroll(id, keepAliveMillis, totalAsNumber, context, this.#contexts)
      return await this.#run(answer.counting(next), call.signal, true)
    } finally {
      answer.release()
    }
  }

  /** Returns how many contexts were freed. */
  clearScrolls(ids: readonly string[] | 'all'): number {
    if (ids === 'all') return this.#contexts.closeAll('scroll').length
    return ids.filter((id) => this.#contexts.closeScroll(id)).length
  }

  openPit(targets: readonly SearchTarget[], keepAliveMillis: number): OpenPit {
    const { id, created } = this.#contexts.openPit(
      targets.map((target) => this.#index(target)),
      keepAliveMillis,
    )
    for (const { metadata } of targets) this.#options.cluster.usage.of(metadata.uuid).pits += 1
    return { id, creationTime: created, keepAliveMillis }
  }

  closePits(ids: readonly string[] | 'all'): readonly { readonly id: string; readonly found: boolean }[] {
    if (ids === 'all') return this.#contexts.closeAll('pit').map((id) => ({ id, found: true }))
    return ids.map((id) => ({ id, found: this.#contexts.closePit(id) }))
  }

  pits(): readonly OpenPit[] {
    return this.#contexts.pits().map(({ id, created, keepAlive }) => ({
      id,
      creationTime: created,
      keepAliveMillis: keepAlive,
    }))
  }

  openContexts(index: string): number {
    return this.#contexts.countOf(index)
  }

  close(): void {
    clearInterval(this.#reaper)
    this.#contexts.close()
  }
}

function* matchSteps({ shards }: SearchIndex, bound: BoundQuery): Steps<boolean> {
  for (const { leaves } of shards) {
    const compiled = compileQuery(bound, { leaves })
    for (const leaf of leaves) if ((yield* retrySteps(() => compiled.countSteps(leaf))) > 0) return true
  }
  return false
}

/** Reads documents of a snapshot from a rank on; sources only of indices that store them. */
function* scanSteps(
  ranking: Ranking,
  from: number,
  size: number,
  withSource: ReadonlySet<string>,
): Steps<ScanHit[]> {
  const hits: ScanHit[] = []
  for (const { leaf, doc } of yield* ranking.pageSteps(from, size)) {
    yield
    const { segment } = leaf.reader
    const { name } = leaf.index
    hits.push(
      yield* retryWork(() => ({
        index: name,
        id: segment.id(doc),
        routing: segment.routing(doc),
        source: withSource.has(name) ? segment.source(doc) : noSource,
        version: segment.versions[doc]!,
        seqNo: segment.seqNos[doc]!,
        primaryTerm: segment.primaryTerms[doc]!,
      })),
    )
  }
  return hits
}

function contextLimits(cluster: Cluster): ContextLimits {
  const { maxScrolls, maxPits, maxKeepAlive } = defaultContextLimits
  const keepAlive = cluster.setting('search.max_keep_alive')
  return {
    maxScrolls: Number(cluster.setting('search.max_open_scroll_context') ?? maxScrolls),
    maxPits: Number(cluster.setting('search.max_open_pit_context') ?? maxPits),
    maxKeepAlive: keepAlive === undefined ? maxKeepAlive : parseTime(keepAlive, 'search.max_keep_alive'),
  }
}
