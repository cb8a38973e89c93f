/**
 * Searches over one point in time of a cluster. Paths and names are those of the product: Elasticsearch has `_pit`,
 * OpenSearch `_search/point_in_time`. Only whole results count: a shard that fails fails the search.
 */
import type { ClusterClient } from '../../../cluster/cluster-client.ts'
import { writeJson } from '../../../search/answer/json-text.ts'
import { parseExactJson } from '../../../search/request/json-literals.ts'
import { isObject, type JsonObject } from '../../../search/request/json-object.ts'
import type { Query, SortValue } from './key-range.ts'
import type { Product } from './product.ts'

/** An answer of the cluster that is no result; it is passed on as it is. */
export class ClusterRefusal extends Error {
  override readonly name = 'ClusterRefusal'
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    super(`the cluster answered ${status}`)
    this.status = status
    this.body = body
  }
}

export interface Hit extends JsonObject {
  readonly sort?: readonly SortValue[]
}

export interface SearchResult extends JsonObject {
  readonly hits: JsonObject & { readonly hits: readonly Hit[] }
}

interface PinnedSearchOptions {
  readonly client: ClusterClient
  readonly product: Product
  /** The index expression of the path with `/` in front; empty for all indices. */
  readonly target: string
  /** Which shards and indices: `routing`, `preference`, `expand_wildcards`. */
  readonly parameters: URLSearchParams
  readonly headers: Readonly<Record<string, string>>
  /** What all searches have: the query and what belongs to it. */
  readonly base: JsonObject
  readonly signal: AbortSignal
}

/** How long the cluster keeps the point in time after each search. */
const keepAlive = '1m'
/** The maximum bytes of all answers for one page together. */
const maxAnswerBytes = 128 * 1024 * 1024

export class PinnedSearch {
  readonly #options: PinnedSearchOptions
  #id: string
  #bytes = 0

  private constructor(options: PinnedSearchOptions, id: string) {
    this.#options = options
    this.#id = id
  }

  static async open(options: PinnedSearchOptions): Promise<PinnedSearch> {
    const { product, target, parameters } = options
    const asked = new URLSearchParams(parameters)
    asked.set('keep_alive', keepAlive)
    const place = product.isOpenSearch ? '_search/point_in_time' : '_pit'
    // A point in time is always of named indices.
    const path = `${target === '' ? '/_all' : target}/${place}?${asked}`
    const answer = await send(options, 'POST', path, undefined)
    const id = product.isOpenSearch ? answer['pit_id'] : answer['id']
    if (typeof id !== 'string') throw new ClusterRefusal(502, answer)
    return new PinnedSearch(options, id)
  }

  /** `filters` and `without` narrow the query, without a part in scores. */
  async search(
    body: JsonObject,
    { filters = [], without = [] }: { filters?: readonly Query[]; without?: readonly Query[] } = {},
    parameters = '',
  ): Promise<SearchResult> {
    const { base } = this.#options
    const { query = { match_all: {} } } = base
    const isNarrowed = filters.length + without.length > 0
    const narrowed = { bool: { must: [query], filter: filters, must_not: without } }
    const path = `/_search?allow_partial_search_results=false${parameters}`
    const result = await send(
      this.#options,
      'POST',
      path,
      {
        ...base,
        query: isNarrowed ? narrowed : query,
        ...body,
        pit: { id: this.#id, keep_alive: keepAlive },
      },
      maxAnswerBytes - this.#bytes,
      (bytes) => {
        this.#bytes += bytes
      },
    )
    const { pit_id: id, ...rest } = result
    if (typeof id === 'string') this.#id = id
    return rest as SearchResult
  }

  /** How many documents match. */
  async count(filters: readonly Query[], minScore?: number): Promise<number> {
    const { min_score: own } = this.#options.base
    const limit = Math.max(minScore ?? -Infinity, own === undefined ? -Infinity : Number(own))
    const { hits } = await this.search(
      { size: 0, track_total_hits: true, ...(Number.isFinite(limit) && { min_score: limit }) },
      { filters },
    )
    return totalOf(hits)
  }

  /** Closes the point in time. When that fails, its keep-alive ends it. */
  async close(): Promise<void> {
    const { product } = this.#options
    const path = product.isOpenSearch ? '/_search/point_in_time' : '/_pit'
    const body = product.isOpenSearch ? { pit_id: [this.#id] } : { id: this.#id }
    const options = { ...this.#options, signal: AbortSignal.timeout(10_000) }
    await send(options, 'DELETE', path, body).catch(() => undefined)
  }
}

export function totalOf(hits: JsonObject): number {
  const { total } = hits
  return isObject(total) ? Number(total['value']) : Number(total)
}

async function send(
  { client, headers, signal }: PinnedSearchOptions,
  method: string,
  path: string,
  body: JsonObject | undefined,
  maxBytes = maxAnswerBytes,
  received: (bytes: number) => void = () => {},
): Promise<JsonObject> {
  const bytes = body === undefined ? undefined : Buffer.from(writeJson(body))
  const type = bytes === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await client.ask(
    { method, path, body: bytes, headers: { ...headers, ...type }, isRepeatable: true, signal },
    maxBytes,
  )
  received(answer.body.length)
  const value = parsedAnswer(answer.body)
  if (answer.status !== 200) throw new ClusterRefusal(answer.status, value)
  if (!isObject(value)) throw new ClusterRefusal(502, value)
  return value
}

/** The text itself where it is no JSON. */
export function parsedAnswer(body: Buffer): unknown {
  try {
    JSON.parse(body.toString('utf8'))
    return parseExactJson(body)
  } catch {
    return body.toString('utf8')
  }
}
