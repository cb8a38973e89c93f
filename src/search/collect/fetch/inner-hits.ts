/**
 * `inner_hits`: the matching objects of a nested query, or the group of a collapsed hit. Each is a small
 * search with its own sort, page and fetch options.
 */

import type { AnswerBytes } from '../../answer/answer-memory.ts'
import type { CompiledQuery, InnerHitsQuery } from '../../query/exec/compiled-query.ts'
import { DocSet } from '../../query/exec/doc-set.ts'
import type { ScoredDocs } from '../../query/exec/query.ts'
import { illegalArgument } from '../../request/errors.ts'
import { shortestFloat } from '../../request/float-text.ts'
import { put } from '../../request/json-object.ts'
import { bodyFlag, bodyInt, isObject, type JsonObject, scalarText } from '../../request/request-values.ts'
import { retrySteps, retryWork, type Steps } from '../../scheduling/steps.ts'
import { rootOf } from '../../source/nested-identity.ts'
import { highlighterOf } from '../highlight/field-highlighter.ts'
import { scoreIn } from '../match-scores.ts'
import { type LeafMatches, type RankedHit, Ranking } from '../paging/ranking.ts'
import type { PreparedSearch } from '../prepared-search.ts'
import { readFetchKey } from '../request/fetch-readers.ts'
import { type CollapseRequest, emptyDraft, type SearchRequest } from '../request/search-request.ts'
import { isByScoreAlone, parseSort, type SortRequest } from '../request/sort-request.ts'
import type { SearchIndex } from '../search-index.ts'
import type { Scores, SearchLeaf, SortKey } from '../sort/sort-key.ts'
import { bindSort, sortKeys } from '../sort/sort-keys.ts'
import { HitFetcher, type HitPlace } from './hit-fetcher.ts'
import { collapsedValues, groupsOf, headsIn, keyOf } from './inner-groups.ts'

interface InnerRequest extends Omit<SearchRequest, 'sort'> {
  readonly name: string | undefined
  readonly sort: readonly SortRequest[] | undefined
}

const read = new WeakMap<object, InnerRequest>()

function requestOf(options: JsonObject): InnerRequest {
  const known = read.get(options)
  if (known !== undefined) return known
  const draft = emptyDraft(false)
  draft.size = 3
  let name: string | undefined
  for (const [key, value] of Object.entries(options)) {
    if (readFetchKey(draft, key, value)) continue
    if (key === 'name') name = scalarText(value)
    else if (key === 'from') draft.from = bodyInt(value)
    else if (key === 'size') draft.size = bodyInt(value)
    else if (key === 'sort') {
      const sort = parseSort(value)
      draft.sort = isByScoreAlone(sort) ? undefined : sort
    } else if (key === 'track_scores') draft.trackScores = bodyFlag(value)
    else if (key === 'collapse') draft.collapse = innerCollapse(value)
    else if (key !== 'ignore_unmapped') {
      throw illegalArgument(`[inner_hits] unknown field [${key}]`)
    }
  }
  const request = { ...draft, name }
  read.set(options, request)
  return request
}

/** The second-level collapse of a group, which cannot have groups of its own. */
function innerCollapse(value: unknown): CollapseRequest {
  const field = isObject(value) ? scalarText(value['field']) : undefined
  if (!isObject(value) || field === undefined) throw illegalArgument('Required [field]')
  if (value['inner_hits'] !== undefined) {
    throw illegalArgument('cannot use [inner_hits] in the [collapse] of inner hits')
  }
  return { field, innerHits: [] }
}

function checkWindow({ from, size }: InnerRequest, name: string, { limits }: SearchIndex): void {
  if (from + size <= limits.maxInnerResultWindow) return
  throw illegalArgument(
    `Inner result window is too large, the inner hit definition's [${name}]'s from + size must be less than or equal to: [${limits.maxInnerResultWindow}] but was [${from + size}]. This limit can be set by changing the [index.max_inner_result_window] index level setting.`,
  )
}

interface InnerContext {
  readonly node: string
  readonly answer?: AnswerBytes | undefined
}

/** Undefined when the search has no inner hits. */
export function* innerHitSteps(
  hit: HitPlace,
  search: PreparedSearch,
  request: SearchRequest,
  context: InnerContext,
): Steps<JsonObject | undefined> {
  const shard = search.shards.find(({ number }) => number === hit.leaf.shardNumber)
  const inner = shard?.query.innerHits ?? []
  const collapsed = request.collapse?.innerHits ?? []
  if (inner.length === 0 && collapsed.length === 0) return undefined
  const found = yield* queryHits(inner, hit, search, request, context)
  for (const options of collapsed) {
    const { field } = request.collapse!
    const own = { ...requestOf(options), totalAsNumber: request.totalAsNumber }
    const name = own.name ?? field
    checkWindow(own, name, hit.leaf.index)
    const groups = yield* groupsOf(search, field)
    const group = groups.get(yield* retryWork(() => keyOf(hit.leaf, hit.doc, field))) ?? []
    // The group is looked for by a filter, which scores nothing, beside the query.
    const scores = request.query === undefined ? unscored : search.scores
    const page = yield* new InnerSearch(search, own, context, 'group').page(group, scores)
    put(found, name, yield* page.steps())
  }
  return found
}

/** The inner hits that queries ask for. */
function* queryHits(
  all: readonly InnerHitsQuery[],
  hit: HitPlace,
  search: PreparedSearch,
  { totalAsNumber }: Pick<SearchRequest, 'totalAsNumber'>,
  context: InnerContext,
): Steps<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const inner of all) {
    const own = { ...requestOf(inner.options), totalAsNumber }
    checkWindow(own, inner.name, hit.leaf.index)
    const hits = inner.sides === undefined ? nestedHits : joinedHits
    put(found, inner.name, yield* hits(inner, hit, new InnerSearch(search, own, context, inner)))
  }
  return found
}

type HitsOf = (inner: InnerHitsQuery, hit: HitPlace, search: InnerSearch) => Steps<JsonObject>

const nestedHits: HitsOf = function* (inner, { leaf, doc }, search) {
  const { query } = search.shardOf(leaf)
  const scored = yield* retryWork(() => query.innerMatches(inner, leaf.reader, doc))
  const docs = DocSet.ofSorted(leaf.reader.segment.docCount, scored.docs)
  const page = yield* search.page(
    [{ leaf, docs }],
    scoresOf(() => scored),
  )
  return yield* page.steps()
}

/** The scores of matches that were scored before. */
function scoresOf(scoredIn: (leaf: SearchLeaf) => ScoredDocs): Scores {
  return {
    constant: () => undefined,
    of: (leaf, docs) => {
      const list = docs.array()
      const scored = scoredIn(leaf)
      return { docs: list, scores: Float32Array.from(list, (doc) => scoreIn(scored, doc)) }
    },
    at: (leaf, doc) => scoreIn(scoredIn(leaf), doc),
  }
}

const unscored: Scores = {
  constant: () => 0,
  of: (_, docs) => {
    const list = docs.array()
    return { docs: list, scores: new Float32Array(list.length) }
  },
  at: () => 0,
}

/** Nested objects have the score of the document they are in. */
function scoresOfRoots(scores: Scores): Scores {
  const at = (leaf: SearchLeaf, doc: number) => scores.at(leaf, rootOf(leaf.reader.segment, doc))
  return {
    constant: (leaf) => scores.constant(leaf),
    of: (leaf, docs) => {
      const { segment } = leaf.reader
      const list = docs.array()
      if (segment.roots === null || list.every((doc) => rootOf(segment, doc) === doc))
        return scores.of(leaf, docs)
      return { docs: list, scores: Float32Array.from(list, (doc) => at(leaf, doc)) }
    },
    at,
  }
}

/** The documents that a hit was joined with may be in any segment of its shard. */
const joinedHits: HitsOf = function* (inner, { leaf, doc }, search) {
  const { query, leaves } = search.shardOf(leaf)
  const joined = yield* query.joinedMatches(inner, inner.sides!, leaf.reader, doc)
  const byReader = new Map(joined.map(({ leaf: reader, scored }) => [reader, scored]))
  const matches: LeafMatches[] = []
  for (const each of leaves) {
    const scored = byReader.get(each.reader)
    if (scored !== undefined)
      matches.push({ leaf: each, docs: DocSet.ofSorted(each.reader.segment.docCount, scored.docs) })
  }
  const page = yield* search.page(
    matches,
    scoresOf((each) => byReader.get(each.reader)!),
  )
  return yield* page.steps()
}

const byScore: readonly SortRequest[] = [{ kind: 'score', descending: true }]

/** What all inner hits of one request share. */
class InnerSearch {
  readonly search: PreparedSearch
  readonly request: InnerRequest
  readonly context: InnerContext
  /** Undefined for groups of collapsed hits and for `top_hits`. */
  readonly inner: InnerHitsQuery | undefined
  /** The group of a collapsed hit is a search of its own; the others are collected while another runs. */
  readonly isGroup: boolean
  readonly #queries: ReadonlyMap<number, CompiledQuery>
  readonly #fetchers = new Map<string, HitFetcher>()

  constructor(
    search: PreparedSearch,
    request: InnerRequest,
    context: InnerContext,
    role: InnerHitsQuery | 'group' | 'top hits',
  ) {
    this.search = search
    this.request = request
    this.context = context
    this.inner = typeof role === 'string' ? undefined : role
    this.isGroup = role === 'group'
    this.#queries = new Map(search.shards.map((shard) => [shard.number, shard.query]))
  }

  /** False when the hits are sorted by other things than their scores. */
  get readsScores(): boolean {
    return this.request.sort?.some(({ kind }) => kind === 'score') ?? true
  }

  /** True for a group that is sorted by falling score first, whose best score is that of its first hit. */
  get isByScoreFirst(): boolean {
    const [first] = this.request.sort ?? []
    return this.isGroup && first?.kind === 'score' && first.descending
  }

  shardOf({ shardNumber }: SearchLeaf): PreparedSearch['shards'][number] {
    return this.search.shards.find(({ number }) => number === shardNumber)!
  }

  /** Undefined before `open`. */
  fetcher({ index }: SearchLeaf): HitFetcher | undefined {
    return this.#fetchers.get(index.name)
  }

  /** Binds the request to the index of a hit. */
  *open({ index }: SearchLeaf): Steps<HitFetcher> {
    const { highlight, namedQueriesScore } = this.request
    const { inner } = this
    const query = (each: SearchLeaf) => this.#queries.get(each.shardNumber)
    const highlighter = highlighterOf(highlight, index, query, inner?.query)
    const { node, answer } = this.context
    const own = { node, query: inner === undefined ? query : () => undefined, namedQueriesScore, answer }
    const fetcher = yield* HitFetcher.steps(this.request, index, own, highlighter)
    this.#fetchers.set(index.name, fetcher)
    return fetcher
  }

  *page(matches: readonly LeafMatches[], computed: Scores): Steps<InnerPage> {
    const { collapse, from, size, sort } = this.request
    const scores = this.inner !== undefined && !this.readsScores ? unscored : computed
    const indices = new Map(matches.map(({ leaf }) => [leaf.index.name, leaf.index]))
    const order = sort ?? byScore
    const bound = new Map([...indices].map(([name, index]) => [name, bindSort(order, index)]))
    const keys = sortKeys(order, bound, scores) as [SortKey, ...SortKey[]]
    const ranking = yield* Ranking.steps(matches, keys)
    const hits =
      collapse === undefined || this.inner !== undefined
        ? yield* ranking.pageSteps(from, size)
        : (yield* headsIn(ranking, collapse.field, from + size)).slice(from, from + size)
    const maxScore = yield* this.#maxScore(matches, ranking, scores)
    return new InnerPage(this, hits, ranking.total, maxScore, keys, scores)
  }

  /** Null where no scores are shown. */
  *#maxScore(matches: readonly LeafMatches[], ranking: Ranking, scores: Scores): Steps<number | null> {
    const { size, sort, trackScores } = this.request
    const isByScore = sort === undefined || trackScores || this.isByScoreFirst
    if (!isByScore || (size === 0 && (this.isGroup || this.inner !== undefined))) return null
    const byBest =
      sort === undefined
        ? ranking
        : yield* Ranking.steps(matches, sortKeys(byScore, new Map(), scores) as [SortKey, ...SortKey[]])
    const [best] = yield* byBest.pageSteps(0, 1)
    return yield* retryWork(() => (best === undefined ? null : shortestFloat(scores.at(best.leaf, best.doc))))
  }
}

/** The hits of one page of inner hits, each of which can be rendered independently. */
export class InnerPage {
  readonly hits: readonly RankedHit[]
  readonly #search: InnerSearch
  readonly #total: number
  readonly #maxScore: number | null
  readonly #keys: readonly SortKey[]
  readonly #scores: Scores

  constructor(
    search: InnerSearch,
    hits: readonly RankedHit[],
    total: number,
    maxScore: number | null,
    keys: readonly SortKey[],
    scores: Scores,
  ) {
    this.hits = hits
    this.#search = search
    this.#total = total
    this.#maxScore = maxScore
    this.#keys = keys
    this.#scores = scores
  }

  /** Renders all hits, one per step. */
  *steps(): Steps<JsonObject> {
    const shown: JsonObject[] = []
    for (const hit of this.hits) {
      shown.push(yield* this.show(hit))
      yield
    }
    return this.answer(shown)
  }

  *show({ leaf, doc }: RankedHit): Steps<JsonObject> {
    const hit = yield* retryWork(() => this.#place(leaf, doc))
    const innerHits = yield* this.#innerHits(hit)
    const fetcher = this.#search.fetcher(leaf) ?? (yield* retrySteps(() => this.#search.open(leaf)))
    return yield* retryWork(() => fetcher.show(innerHits === undefined ? hit : { ...hit, innerHits }))
  }

  *#innerHits(hit: HitPlace): Steps<JsonObject | undefined> {
    const { search, request, context, inner } = this.#search
    if (inner?.sides !== undefined) {
      const { children = [] } = inner
      return children.length === 0 ? undefined : yield* queryHits(children, hit, search, request, context)
    }
    const isRoot = hit.leaf.reader.segment.nestedPath(hit.doc) === undefined
    return isRoot
      ? yield* innerHitSteps(hit, search, { ...request, collapse: undefined }, context)
      : undefined
  }

  #place(leaf: SearchLeaf, doc: number): HitPlace {
    const { inner, isGroup, readsScores, request } = this.#search
    const { sort, trackScores, collapse } = request
    const isTracked = trackScores && inner === undefined
    const isScored = sort === undefined || isTracked || (isGroup && readsScores)
    return {
      leaf,
      doc,
      score: isScored ? this.#scores.at(leaf, doc) : undefined,
      sort: sort === undefined ? undefined : this.#keys.map((key) => key.show(leaf, key.value(leaf, doc))),
      collapsed: collapse === undefined ? undefined : collapsedValues(leaf, doc, collapse.field),
    }
  }

  /** `shown` contains the rendered hits in order. */
  answer(shown: readonly JsonObject[]): JsonObject {
    const { totalAsNumber } = this.#search.request
    return {
      hits: {
        total: totalAsNumber ? this.#total : { value: this.#total, relation: 'eq' },
        max_score: this.#maxScore,
        hits: shown,
      },
    }
  }
}

interface TopHitsContext extends InnerContext {
  readonly totalAsNumber?: boolean
}

/**
 * Serves the `top_hits` aggregation, with the same options as `inner_hits`. Matches may be nested objects.
 */
export function topHits(options: JsonObject, search: PreparedSearch, context: TopHitsContext) {
  let inner: InnerSearch | undefined
  return (matches: readonly LeafMatches[]): Steps<InnerPage> => {
    const totalAsNumber = context.totalAsNumber ?? false
    inner ??= new InnerSearch(search, { ...requestOf(options), totalAsNumber }, context, 'top hits')
    return inner.page(matches, scoresOfRoots(search.scores))
  }
}
