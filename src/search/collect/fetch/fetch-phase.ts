/**
 * The fetch phase: renders the hits of a page. Hits are visited in document order, so that sources in one compressed
 * block are read together, and are returned in the order of the page. A hit that fails is a failure of its shard.
 */
import { SearchError } from '../../request/search-error.ts'
import { NotReady } from '../../scheduling/not-ready.ts'
import { retrySteps, retryWork, type Steps } from '../../scheduling/steps.ts'
import { risingSteps } from '../../segment/encoding/radix-sort.ts'
import { rootOf } from '../../source/nested-identity.ts'
import type { SearchContext } from '../execute-search.ts'
import { searchHighlighter } from '../highlight/percolated.ts'
import type { PreparedSearch } from '../prepared-search.ts'
import type { SearchRequest } from '../request/search-request.ts'
import type { SearchIndex } from '../search-index.ts'
import { isOfRequest, searchFailed } from '../shard-failures.ts'
import type { SearchLeaf } from '../sort/sort-key.ts'
import { HitFetcher, type HitPlace } from './hit-fetcher.ts'
import { innerHitSteps } from './inner-hits.ts'

/** The maximum number of hits of a segment whose sources are decompressed together, before the next step. */
const maxReadAhead = 64

type Hit = Record<string, unknown>

/** Indexes of a page; null when they are its own order. */
type FetchOrder = Uint32Array | null

export class FetchPhase {
  readonly #search: PreparedSearch
  readonly #request: SearchRequest
  readonly #context: SearchContext
  readonly #page: readonly HitPlace[]
  readonly #hasInnerHits: boolean
  /** Fetchers by the name of their index. */
  readonly #fetchers = new Map<string, HitFetcher>()
  readonly #query: (leaf: SearchLeaf) => PreparedSearch['shards'][number]['query'] | undefined
  #order: FetchOrder = null

  constructor(
    search: PreparedSearch,
    request: SearchRequest,
    context: SearchContext,
    page: readonly HitPlace[],
  ) {
    this.#search = search
    this.#request = request
    this.#context = context
    this.#page = page
    const { shards } = search
    this.#hasInnerHits =
      request.collapse !== undefined || shards.some(({ query }) => query.innerHits.length > 0)
    const queries = new Map(shards.map(({ number, query }) => [number, query]))
    this.#query = (leaf) => queries.get(leaf.shardNumber)
  }

  *steps(): Steps<Hit[]> {
    const page = this.#page
    const shown = new Array<Hit>(page.length)
    const order = yield* fetchOrder(page)
    this.#order = order
    let ahead = 0
    for (let i = 0; i < page.length; i++) {
      yield
      this.#search.guard.check()
      const { leaf } = this.#inOrder(i)
      if (!this.#fetchers.has(leaf.index.name)) yield* this.#open(leaf)
      if (i === ahead) {
        ahead = this.#endOfLeaf(i)
        if (ahead - i > 1) yield* this.#readAhead(i, ahead)
      }
      const place = order === null ? i : order[i]!
      const hit = page[place]!
      shown[place] = (this.#hasInnerHits ? undefined : this.#showNow(hit)) ?? (yield* this.#show(hit))
    }
    return shown
  }

  #inOrder(i: number): HitPlace {
    return this.#page[this.#order === null ? i : this.#order[i]!]!
  }

  /** Returns where the hits of one segment end, or as many as are read ahead. */
  #endOfLeaf(from: number): number {
    const { leaf } = this.#inOrder(from)
    const max = Math.min(this.#page.length, from + maxReadAhead)
    let end = from + 1
    while (end < max && this.#inOrder(end).leaf === leaf) end++
    return end
  }

  /** Reads ahead the sources of hits of one segment. */
  *#readAhead(from: number, to: number): Steps<void> {
    const { index, reader } = this.#inOrder(from).leaf
    const { segment } = reader
    yield* retryWork(() => {
      if (!this.#fetcherOf(index).readsSource || !segment.readsAhead) return
      const docs: number[] = []
      for (let i = from; i < to; i++) docs.push(rootOf(segment, this.#inOrder(i).doc))
      segment.readAhead(docs)
    })
  }

  /** Binds the request to the index of a hit. A request that cannot be fetched is refused with its first hit. */
  *#open(leaf: SearchLeaf): Steps<void> {
    const { index } = leaf
    try {
      this.#fetchers.set(index.name, yield* retrySteps(() => this.#bound(index)))
    } catch (error) {
      throw this.#ofShard(error, leaf)
    }
  }

  *#bound(index: SearchIndex): Steps<HitFetcher> {
    const { highlight, namedQueriesScore } = this.#request
    const highlighter = searchHighlighter(highlight, index, this.#query)
    const { node, answer } = this.#context
    const context = { node, query: this.#query, namedQueriesScore, answer }
    return yield* HitFetcher.steps(this.#request, index, context, highlighter)
  }

  #fetcherOf(index: SearchIndex): HitFetcher {
    return this.#fetchers.get(index.name)!
  }

  /** Undefined when something is not ready. */
  #showNow(hit: HitPlace): Hit | undefined {
    try {
      return this.#fetcherOf(hit.leaf.index).show(hit)
    } catch (error) {
      if (error instanceof NotReady) return undefined
      throw this.#ofShard(error, hit.leaf)
    }
  }

  *#show(hit: HitPlace): Steps<Hit> {
    const { index } = hit.leaf
    try {
      const innerHits = this.#hasInnerHits
        ? yield* innerHitSteps(hit, this.#search, this.#request, this.#context)
        : undefined
      const place = innerHits === undefined ? hit : { ...hit, innerHits }
      return yield* retryWork(() => this.#fetcherOf(index).show(place))
    } catch (error) {
      throw this.#ofShard(error, hit.leaf)
    }
  }

  /** An error in fetching a hit is a failure of its shard. */
  #ofShard(error: unknown, leaf: SearchLeaf): unknown {
    if (!(error instanceof SearchError) || isOfRequest(error)) return error
    return searchFailed(
      [{ shard: leaf.shard.shard, index: leaf.index.name, node: this.#context.node, error }],
      // A single shard runs query and fetch in one phase.
      this.#search.shards.length === 1 ? 'query' : 'fetch',
    )
  }
}

/** Returns the indexes of the page in document order. */
function* fetchOrder(page: readonly HitPlace[]): Steps<FetchOrder> {
  const documents = new Float64Array(page.length)
  for (let place = 0; place < page.length; place++) {
    const { leaf, doc } = page[place]!
    documents[place] = leaf.number * 2 ** 32 + doc
  }
  return yield* risingSteps(documents)
}
