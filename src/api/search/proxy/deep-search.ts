/**
 * The answer to a search whose page lies behind the cluster's `index.max_result_window`, in the shape in which the
 * cluster would give it: total, best score and aggregations are asked for once, the page is found by deep-page.ts.
 */
import type { ClusterClient } from '../../../cluster/cluster-client.ts'
import { isObject, type JsonObject, own } from '../../../search/request/json-object.ts'
import { deepPage, PageOutOfReach } from './deep-page.ts'
import { type KeyRange, keyRange } from './key-range.ts'
import {
  ClusterRefusal,
  type Hit,
  PinnedSearch,
  parsedAnswer,
  type SearchResult,
  totalOf,
} from './pinned-search.ts'
import type { Product } from './product.ts'
import { FieldRanking, nextFloat, type Ranking, ScoreRanking } from './ranking.ts'
import { queryOf, type SearchRequest } from './search-request.ts'
import { clauseOf, plainKey, type SortKey, sortKeys } from './sort-keys.ts'

interface DeepSearchOptions {
  readonly client: ClusterClient
  readonly product: Product
  readonly headers: Readonly<Record<string, string>>
  readonly window: number
  readonly signal: AbortSignal
}

/** Options that change the order of hits or drop some, so that the sort alone does not determine a page. */
const otherOrders = [
  ...['collapse', 'rescore', 'search_after', 'pit', 'slice', 'knn', 'rank', 'retriever', 'sub_searches'],
  ...['profile', 'terminate_after', 'search_pipeline'],
]
/** What belongs to the query, and to every search of it. */
const ofQuery = ['post_filter', 'min_score', 'indices_boost', 'runtime_mappings', 'derived', 'timeout']
/** What is asked for once. */
const ofSummary = ['aggs', 'aggregations', 'suggest']
const ofPage = ['from', 'size', 'sort', 'query', 'track_total_hits']
const ofTarget = ['routing', 'preference', 'expand_wildcards', 'ignore_unavailable']
/** Parameters of an address that say how hits are shown, which a body says, too. */
const shownByName = ['version', 'explain', 'seq_no_primary_term', 'track_scores']
const shownAsList = ['stored_fields', 'docvalue_fields']
const understood = new Set([
  ...['from', 'size', 'sort', 'q', 'df', 'analyzer', 'analyze_wildcard', 'default_operator', 'lenient'],
  ...[...ofTarget, ...shownByName, ...shownAsList, '_source', '_source_includes', '_source_excludes'],
  ...['track_total_hits', 'timeout', 'request_cache', 'allow_partial_search_results', 'typed_keys'],
  ...['rest_total_hits_as_int', 'pretty', 'human', 'filter_path', 'error_trace', 'source'],
  ...['source_content_type', 'batched_reduce_size', 'max_concurrent_shard_requests', 'pre_filter_shard_size'],
  ...['ccs_minimize_roundtrips', 'search_type', 'allow_no_indices'],
])

/** Undefined when only the cluster can answer: its refusal of the page, or of the whole request. */
export async function deepSearch(
  request: SearchRequest,
  options: DeepSearchOptions,
): Promise<JsonObject | undefined> {
  const { body, parameters } = request
  const keys = sortKeys(request.sort)
  if (keys === undefined || !options.product.hasPointInTime) return undefined
  if (otherOrders.some((name) => own(body, name) !== undefined)) return undefined
  if ([...parameters.keys()].some((name) => !understood.has(name))) return undefined
  if (keys.some(({ name }) => name === '_shard_doc')) return undefined
  const base = { ...chosen(body, ofQuery), ...queryMember(request), ...timeoutMember(parameters) }
  const { client, product, headers, signal } = options
  const { target } = request
  const opening = { client, product, target, parameters: targetParameters(parameters), headers, base, signal }
  const search = await PinnedSearch.open(opening)
  const began = performance.now()
  try {
    return await answered(request, keys, search, options, began)
  } catch (error) {
    if (error instanceof PageOutOfReach) return undefined
    throw error
  } finally {
    void search.close()
  }
}

async function answered(
  request: SearchRequest,
  keys: readonly SortKey[],
  search: PinnedSearch,
  options: DeepSearchOptions,
  began: number,
): Promise<JsonObject> {
  const { body, parameters, from, size } = request
  const shown = shownOf(request)
  const typed = parameters.has('typed_keys') ? `&typed_keys=${parameters.get('typed_keys')}` : ''
  const summaryBody = {
    ...chosen(body, ofSummary),
    ...chosen(shown, ['track_scores']),
    sort: keys.map(clauseOf),
    size: Math.min(size, 1),
    _source: false,
    track_total_hits: true,
  }
  const summary = await search.search(summaryBody, {}, typed)
  const total = totalOf(summary.hits)
  const ranking = await rankingOf(request, keys, search, summary, options)
  const hits = await deepPage(search, ranking, {
    from,
    size,
    total,
    window: options.window,
    keys,
    shown,
    hasShardDoc: options.product.hasShardDoc && !keys.some((key) => plainKey(key) !== key),
  })
  // A sort by nothing but the score is none, and hits then show no sort values.
  const isByScore = keys.length === 1 && keys[0]!.name === '_score' && !keys[0]!.isAscending
  const { took: _, hits: summaryHits, ...rest } = summary
  const { total: _total, hits: _hits, ...bestOf } = summaryHits
  const counted = shownTotal(total, request)
  return {
    took: Math.round(performance.now() - began),
    ...rest,
    hits: {
      ...(counted !== undefined && { total: counted }),
      ...bestOf,
      hits: hits.map((hit) => withoutTie(hit, isByScore ? 0 : keys.length)),
    },
  }
}

async function rankingOf(
  request: SearchRequest,
  keys: readonly SortKey[],
  search: PinnedSearch,
  summary: SearchResult,
  options: DeepSearchOptions,
): Promise<Ranking> {
  const [first, ...behind] = keys
  if (first?.name !== '_score') return new FieldRanking(search, keys, await rangesOf(keys, request, options))
  const total = totalOf(summary.hits)
  const ranges = await rangesOf(behind, request, options)
  const best = summary.hits.hits[0]?.sort?.[0] ?? summary.hits.hits[0]?.['_score']
  if (best === undefined || (await isConstant(search, Number(best), first.isAscending, total)))
    return new FieldRanking(search, behind, ranges)
  // Where a score begins can only be told to the cluster together with all keys behind it.
  if (ranges.length < behind.length || !options.product.hasShardDoc) return new FieldRanking(search, [], [])
  return new ScoreRanking(search, keys, ranges, total)
}

/** Returns whether every document has the score of the first one. */
async function isConstant(
  search: PinnedSearch,
  score: number,
  isAscending: boolean,
  total: number,
): Promise<boolean> {
  if (isAscending) return (await search.count([], nextFloat(Math.fround(score)))) === 0
  return (await search.count([], Math.fround(score))) === total
}

/** Returns ranges for the leading keys, up to the first one that no range query follows. */
async function rangesOf(
  keys: readonly SortKey[],
  { target, parameters }: SearchRequest,
  { client, headers, signal }: DeepSearchOptions,
): Promise<readonly KeyRange[]> {
  const names = keys.map(({ name }) => name).filter((name) => !name.startsWith('_'))
  if (names.length === 0) return []
  const asked = new URLSearchParams({ fields: names.join(',') })
  for (const name of ['expand_wildcards', 'ignore_unavailable', 'allow_no_indices'])
    if (parameters.has(name)) asked.set(name, parameters.get(name)!)
  const path = `${target}/_field_caps?${asked}`
  const { status, body } = await client.ask({ method: 'GET', path, headers, signal }, maxCapsBytes)
  if (status !== 200) throw new ClusterRefusal(status, body.toString('utf8'))
  const caps = parsedAnswer(body)
  if (!isObject(caps)) throw new ClusterRefusal(502, caps)
  const fields = isObject(caps['fields']) ? caps['fields'] : {}
  const ranges: KeyRange[] = []
  for (const key of keys) {
    const field = own(fields, key.name)
    const types = isObject(field) ? Object.keys(field).filter((type) => type !== 'unmapped') : []
    // Indices that have another type for the field may compare, and show, its values otherwise.
    const range = types.length === 1 ? keyRange(key, types[0]) : undefined
    if (range === undefined) break
    ranges.push(range)
  }
  return ranges
}

const maxCapsBytes = 16 * 1024 * 1024

function chosen(body: JsonObject, names: readonly string[]): JsonObject {
  const entries = names.filter((name) => own(body, name) !== undefined).map((name) => [name, body[name]])
  return Object.fromEntries(entries)
}

function queryMember(request: SearchRequest): JsonObject {
  const query = queryOf(request)
  return query === undefined || query === null ? {} : { query }
}

function timeoutMember(parameters: URLSearchParams): JsonObject {
  const timeout = parameters.get('timeout')
  return timeout === null ? {} : { timeout }
}

function targetParameters(parameters: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...parameters].filter(([name]) => ofTarget.includes(name)))
}

/** How hits are shown: what is left of the body, and what the address says about it. */
function shownOf({ body, parameters }: SearchRequest): JsonObject {
  const elsewhere = new Set([...ofQuery, ...ofSummary, ...ofPage])
  const shown = Object.fromEntries(Object.entries(body).filter(([name]) => !elsewhere.has(name)))
  for (const name of shownByName) if (parameters.has(name)) shown[name] = parameters.get(name) !== 'false'
  for (const name of shownAsList) if (parameters.has(name)) shown[name] = parameters.get(name)!.split(',')
  const source = parameters.get('_source')
  const includes = parameters.get('_source_includes')
  const excludes = parameters.get('_source_excludes')
  if (source === 'true' || source === 'false') shown['_source'] = source === 'true'
  else if (source !== null) shown['_source'] = source.split(',')
  if (includes !== null || excludes !== null)
    shown['_source'] = { includes: includes?.split(',') ?? [], excludes: excludes?.split(',') ?? [] }
  return shown
}

/** Exact, unless the request says how exact it has to be. */
function shownTotal(total: number, { parameters, body }: SearchRequest): unknown {
  const given = String(parameters.get('track_total_hits') ?? own(body, 'track_total_hits') ?? 'true')
  if (given === 'false') return undefined
  const limit = given === 'true' ? Number.POSITIVE_INFINITY : Number(given)
  const isOver = total > limit
  if (parameters.has('rest_total_hits_as_int') && parameters.get('rest_total_hits_as_int') !== 'false')
    return total
  return { value: isOver ? limit : total, relation: isOver ? 'gte' : 'eq' }
}

/** Takes out what was added to the sort. */
function withoutTie(hit: Hit, keys: number): JsonObject {
  const { sort, ...rest } = hit
  if (sort === undefined || keys === 0) return rest
  return { ...rest, sort: sort.slice(0, keys) }
}
