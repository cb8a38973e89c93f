/**
 * What a search needs to know of each index it goes to. The engine puts the mapping, the queries and the shards
 * of an index behind this; nothing else of them is seen here.
 */
import type { Mapping } from '../mapping/mapping.ts'
import type { QueryContext } from '../query/binding/binding.ts'
import { bindQuery, parseQuery } from '../query/dsl/parse-query.ts'
import type { BoundQuery } from '../query/exec/compiled-query.ts'
import type { ShardReader } from '../segment/segment.ts'

/** Index settings that limit searches. */
export interface SearchLimits {
  readonly maxResultWindow: number
  readonly maxRescoreWindow: number
  readonly maxDocvalueFields: number
  readonly maxScriptFields: number
  readonly maxSlices: number
  readonly maxInnerResultWindow: number
  readonly maxAnalyzedOffset: number
}

export const defaultLimits: SearchLimits = {
  maxResultWindow: 10_000,
  maxRescoreWindow: 10_000,
  maxDocvalueFields: 100,
  maxScriptFields: 32,
  maxSlices: 1024,
  maxInnerResultWindow: 100,
  maxAnalyzedOffset: 1_000_000,
}

export interface SearchIndex {
  readonly name: string
  readonly uuid: string
  readonly mapping: Mapping
  readonly limits: SearchLimits
  /** Shards the index has, asked or not. */
  readonly shardCount: number
  /** The shards asked, by rising number. */
  readonly shards: readonly ShardReader[]
  /** Of the aliases it was reached by: queries of which one has to match. */
  readonly filters?: readonly unknown[] | undefined
  /** What queries are bound to. */
  readonly queries: QueryContext
}

/** A query in JSON, read and bound. Throws SearchError. */
export function bindJson(index: SearchIndex, query: unknown): BoundQuery {
  return bindQuery(parseQuery(query), index.queries)
}

/** Pages of any depth. */
export const openLimits: SearchLimits = { ...defaultLimits, maxResultWindow: Number.POSITIVE_INFINITY }
