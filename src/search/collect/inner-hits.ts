/**
 * `inner_hits`: of a nested query the objects that matched, of a collapsed hit the matches of its group. Each is
 * a small search of its own, with its own order, page and selection of what is shown.
 */

import type { InnerHitsQuery } from '../query/exec/compiled-query.ts'
import { DocSet } from '../query/exec/doc-set.ts'
import { shortestFloat } from '../scoring/float-text.ts'
import { columnValues } from './fetch-fields.ts'
import { readFetchKey } from './fetch-readers.ts'
import { highlighterOf } from './highlight/field-highlighter.ts'
import { HitFetcher, type HitPlace } from './hit-fetcher.ts'
import { scoreIn } from './match-scores.ts'
import type { PreparedSearch } from './prepared-search.ts'
import { type LeafMatches, type RankedHit, Ranking } from './ranking.ts'
import {
  bodyFlag,
  bodyInt,
  illegalArgument,
  isObject,
  type JsonObject,
  scalarText,
} from './request-values.ts'
import type { SearchIndex } from './search-index.ts'
import { type CollapseRequest, emptyDraft, type SearchRequest } from './search-request.ts'
import type { Scores, SearchLeaf, SortKey } from './sort-key.ts'
import { bindSort, sortKeys } from './sort-keys.ts'
import { parseSort, type SortRequest } from './sort-request.ts'

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
    else if (key === 'sort') draft.sort = parseSort(value)
    else if (key === 'track_scores') draft.trackScores = bodyFlag(value)
    else if (key === 'collapse') draft.collapse = innerCollapse(value)
    else if (key !== 'ignore_unmapped') {
      throw illegalArgument(`[inner_hits] unknown field [${key}]`)
    }
  }
  const request = { ...draft, name }
  read.set(options, request)
  return request
}

/** Groups within a group; theirs cannot be taken apart further. */
function innerCollapse(value: unknown): CollapseRequest {
  const field = isObject(value) ? scalarText(value['field']) : undefined
  if (!isObject(value) || field === undefined) throw illegalArgument('Required [field]')
  if (value['inner_hits'] !== undefined) {
    throw illegalArgument('cannot use [inner_hits] in the [collapse] of inner hits')
  }
  return { field, innerHits: [] }
}

/** The first of each value, in the order of the ranking. */
function headsIn(ranking: Ranking, field: string, most: number): RankedHit[] {
  const seen = new Set<GroupKey>()
  const heads: RankedHit[] = []
  const step = 1000
  for (let from = 0; from < ranking.total && heads.length < most; from += step) {
    for (const hit of ranking.page(from, step)) {
      const key = keyOf(hit.leaf, hit.doc, field)
      if (seen.has(key)) continue
      seen.add(key)
      heads.push(hit)
    }
  }
  return heads
}

function checkWindow({ from, size }: InnerRequest, name: string, { limits }: SearchIndex): void {
  if (from + size <= limits.maxInnerResultWindow) return
  throw illegalArgument(
    `Inner result window is too large, the inner hit definition's [${name}]'s from + size must be less than or equal to: [${limits.maxInnerResultWindow}] but was [${from + size}]. This limit can be set by changing the [index.max_inner_result_window] index level setting.`,
  )
}

export interface InnerContext {
  readonly node: string
}

/** Undefined when the search asks for none. */
export function innerHitsOf(
  hit: HitPlace,
  search: PreparedSearch,
  request: SearchRequest,
  context: InnerContext,
): JsonObject | undefined {
  const shard = search.shards.find(({ number }) => number === hit.leaf.shardNumber)
  const nested = shard?.query.innerHits ?? []
  const collapsed = request.collapse?.innerHits ?? []
  if (nested.length === 0 && collapsed.length === 0) return undefined
  const found: Record<string, unknown> = {}
  for (const inner of nested) {
    const own = { ...requestOf(inner.options), totalAsNumber: request.totalAsNumber }
    checkWindow(own, inner.name, hit.leaf.index)
    put(found, inner.name, nestedHits(inner, hit, search, own, context))
  }
  for (const options of collapsed) {
    const own = { ...requestOf(options), totalAsNumber: request.totalAsNumber }
    const name = own.name ?? request.collapse!.field
    checkWindow(own, name, hit.leaf.index)
    const group = groupsOf(search, request.collapse!.field).get(
      keyOf(hit.leaf, hit.doc, request.collapse!.field),
    )
    put(found, name, page(group ?? [], search.scores, search, own, context, undefined))
  }
  return found
}

function put(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}

function nestedHits(
  inner: InnerHitsQuery,
  { leaf, doc }: HitPlace,
  search: PreparedSearch,
  request: InnerRequest,
  context: InnerContext,
): JsonObject {
  const { query } = search.shards.find(({ number }) => number === leaf.shardNumber)!
  const scored = query.innerMatches(inner, leaf.reader, doc)
  const scores: Scores = {
    constant: () => undefined,
    of: (_leaf, docs) => {
      const list = docs.array()
      return { docs: list, scores: Float32Array.from(list, (each) => scoreIn(scored, each)) }
    },
    at: (_leaf, each) => scoreIn(scored, each),
  }
  const docs = DocSet.ofSorted(leaf.reader.segment.docCount, scored.docs)
  return page([{ leaf, docs }], scores, search, request, context, inner)
}

const byScore: readonly SortRequest[] = [{ kind: 'score', descending: true }]

function page(
  matches: readonly LeafMatches[],
  scores: Scores,
  search: PreparedSearch,
  request: InnerRequest,
  context: InnerContext,
  inner: InnerHitsQuery | undefined,
): JsonObject {
  const indices = new Map(matches.map(({ leaf }) => [leaf.index.name, leaf.index]))
  const sort = request.sort ?? byScore
  const bound = new Map([...indices].map(([name, index]) => [name, bindSort(sort, index)]))
  const keys = sortKeys(sort, bound, scores) as [SortKey, ...SortKey[]]
  const ranking = new Ranking(matches, keys)
  const isScored =
    request.sort === undefined || request.trackScores || sort.some(({ kind }) => kind === 'score')
  const queries = new Map(search.shards.map((shard) => [shard.number, shard.query]))
  const fetchers = new Map<string, HitFetcher>()
  const { collapse, from, size } = request
  const chosen =
    collapse === undefined || inner !== undefined
      ? ranking.page(from, size)
      : headsIn(ranking, collapse.field, from + size).slice(from, from + size)
  const hits = chosen.map(({ leaf, doc }) => {
    let fetcher = fetchers.get(leaf.index.name)
    if (fetcher === undefined) {
      const highlighter = highlighterOf(
        request.highlight,
        leaf.index,
        (each: SearchLeaf) => queries.get(each.shardNumber),
        inner?.query,
      )
      const query = (each: SearchLeaf) => (inner === undefined ? queries.get(each.shardNumber) : undefined)
      const own = { node: context.node, query, namedQueriesScore: request.namedQueriesScore }
      fetcher = new HitFetcher(request, leaf.index, own, highlighter)
      fetchers.set(leaf.index.name, fetcher)
    }
    const hit: HitPlace = {
      leaf,
      doc,
      score: isScored ? scores.at(leaf, doc) : undefined,
      sort: request.sort === undefined ? undefined : keys.map((key) => key.show(leaf, key.value(leaf, doc))),
      collapsed: collapse === undefined ? undefined : collapsedValues(leaf, doc, collapse.field),
    }
    const isRoot = leaf.reader.segment.nestedPath(doc) === undefined
    const innerHits = isRoot
      ? innerHitsOf(hit, search, { ...request, collapse: undefined }, context)
      : undefined
    return fetcher.show(innerHits === undefined ? hit : { ...hit, innerHits })
  })
  const [best] = request.sort === undefined ? ranking.page(0, 1) : []
  return {
    hits: {
      total: request.totalAsNumber ? ranking.total : { value: ranking.total, relation: 'eq' },
      max_score: best === undefined ? null : shortestFloat(scores.at(best.leaf, best.doc)),
      hits,
    },
  }
}

export interface TopHitsContext extends InnerContext {
  readonly totalAsNumber?: boolean
}

/** The first of some matches, with options as `inner_hits` has them; for `top_hits`. Nested objects are allowed. */
export function topHits(
  matches: readonly LeafMatches[],
  options: JsonObject,
  search: PreparedSearch,
  context: TopHitsContext,
): JsonObject {
  const request = { ...requestOf(options), totalAsNumber: context.totalAsNumber ?? false }
  return page(matches, search.scores, search, request, context, undefined)
}

type GroupKey = string | number | bigint | undefined

function keyOf(leaf: SearchLeaf, doc: number, field: string): GroupKey {
  const mapped = leaf.index.mapping.field(field)
  return mapped === undefined ? undefined : (columnValues(leaf.reader.segment, mapped, doc)[0] as GroupKey)
}

function collapsedValues(leaf: SearchLeaf, doc: number, field: string): HitPlace['collapsed'] {
  const mapped = leaf.index.mapping.field(field)
  const key = keyOf(leaf, doc, field)
  return { field, values: [mapped === undefined || key === undefined ? null : mapped.printer()(key)] }
}

const groups = new WeakMap<PreparedSearch, Map<string, Map<GroupKey, LeafMatches[]>>>()

/** All matches by the value of a field. */
function groupsOf(search: PreparedSearch, field: string): Map<GroupKey, LeafMatches[]> {
  let known = groups.get(search)
  if (known === undefined) {
    known = new Map()
    groups.set(search, known)
  }
  const found = known.get(field)
  if (found !== undefined) return found
  const made = new Map<GroupKey, LeafMatches[]>()
  for (const { leaf, docs } of search.hits) {
    search.guard.check()
    const inLeaf = new Map<GroupKey, number[]>()
    for (const doc of docs.array()) {
      const key = keyOf(leaf, doc, field)
      const list = inLeaf.get(key)
      if (list === undefined) inLeaf.set(key, [doc])
      else list.push(doc)
    }
    for (const [key, list] of inLeaf) {
      const matches = { leaf, docs: DocSet.ofSorted(docs.size, Uint32Array.from(list)) }
      const group = made.get(key)
      if (group === undefined) made.set(key, [matches])
      else group.push(matches)
    }
  }
  known.set(field, made)
  return made
}
