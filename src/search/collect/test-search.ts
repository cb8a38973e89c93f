/** Test indices: documents go through the real mapping into real segments of several shards. */
import { parseDocument } from '../mapping/documents/document-parser.ts'
import { Mapping } from '../mapping/mapping.ts'
import { mappingContext } from '../query/binding/mapping-context.ts'
import type { JsonObject } from '../request/request-values.ts'
import { SearchError } from '../request/search-error.ts'
import { BitSet } from '../segment/encoding/bit-set.ts'
import type { LeafReader } from '../segment/segment.ts'
import { SegmentBuilder } from '../segment/writer/segment-builder.ts'
import { executeSearch, type SearchContext } from './execute-search.ts'
import { parseSearchRequest, type RequestOptions } from './request/parse-request.ts'
import { openLimits, type SearchIndex, type SearchLimits } from './search-index.ts'

export interface TestDoc {
  readonly id: string
  /** JSON text, which preserves the digits of long numbers, or an object. */
  readonly source: string | JsonObject
  readonly routing?: string
  readonly isDeleted?: boolean
}

export interface TestSettings {
  readonly name?: string
  readonly mappings?: JsonObject
  readonly limits?: Partial<SearchLimits>
  readonly now?: number
  readonly filters?: readonly unknown[]
}

/** Shards contain segments, which contain documents. */
export function testIndex(
  shards: readonly (readonly (readonly TestDoc[])[])[],
  { name = 'test', mappings = {}, limits = {}, now = Date.UTC(2024, 5, 15), filters }: TestSettings = {},
): SearchIndex {
  let mapping = Mapping.create(mappings)
  let seqNo = 0
  const readers = shards.map((segments, shard) => {
    let base = 0
    const leaves: LeafReader[] = segments.map((documents, number) => {
      const builder = new SegmentBuilder(`_${number}`)
      const deleted: number[] = []
      for (const { id, source, routing, isDeleted } of documents) {
        const text = typeof source === 'string' ? source : JSON.stringify(source)
        const raw = new TextEncoder().encode(text)
        const parsed = parseDocument({ id, routing, source: JSON.parse(text), raw }, mapping)
        mapping = parsed.mapping
        const { fields, nested } = parsed
        const doc = builder.add({
          id,
          routing,
          source: raw,
          seqNo: seqNo++,
          version: 1,
          primaryTerm: 1,
          fields,
          nested,
        })
        if (isDeleted) for (let at = doc; at >= doc - nested.length; at--) deleted.push(at)
      }
      const segment = builder.build()
      const live = deleted.length === 0 ? null : BitSet.full(segment.docCount)
      for (const doc of deleted) live!.remove(doc)
      const leaf = { segment, live, base }
      base += segment.docCount
      return leaf
    })
    return { index: name, shard, leaves, liveCount: 0, release: () => {} }
  })
  return {
    name,
    uuid: `uuid-${name}`,
    mapping,
    limits: { ...openLimits, ...limits },
    shardCount: shards.length,
    shards: readers,
    filters,
    queries: mappingContext(mapping, { index: name, now }),
  }
}

interface TestHit {
  readonly _index: string
  readonly _id: string
  readonly _score: number | null
  readonly sort?: unknown[]
  readonly [name: string]: unknown
}

export interface TestResponse {
  readonly hits: {
    readonly total?: { readonly value: number; readonly relation: string }
    readonly max_score: number | null
    readonly hits: readonly TestHit[]
  }
  readonly [name: string]: unknown
}

export function search(
  indices: SearchIndex | readonly SearchIndex[],
  body: unknown = {},
  options: RequestOptions & {
    readonly parameters?: ReadonlyMap<string, string>
    readonly context?: Partial<SearchContext>
  } = {},
): TestResponse {
  const request = parseSearchRequest(body, options.parameters, options)
  const list = Array.isArray(indices) ? (indices as readonly SearchIndex[]) : [indices as SearchIndex]
  return executeSearch(list, request, { node: 'node', ...options.context }) as unknown as TestResponse
}

export function idsOf(response: TestResponse): string[] {
  return response.hits.hits.map(({ _id }) => _id)
}

/** Returns the SearchError that `run` throws. */
export function caught(run: () => unknown): SearchError {
  try {
    run()
  } catch (error) {
    if (error instanceof SearchError) return error
    throw error
  }
  throw new Error('nothing was refused')
}
