/** What a search knows of an index: its mapping, query context, limits and the shard readers to search. */
import type { Mapping } from '../mapping/mapping.ts'
import type { QueryContext } from '../query/binding/binding.ts'
import { bindQuery, parseQuery } from '../query/dsl/parse-query.ts'
import type { BoundQuery } from '../query/exec/compiled-query.ts'
import { defaultMaxSlices } from '../request/slice-limit.ts'
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
  maxSlices: defaultMaxSlices,
  maxInnerResultWindow: 100,
  maxAnalyzedOffset: 1_000_000,
}

export interface SearchIndex {
  readonly name: string
  readonly uuid: string
  readonly mapping: Mapping
  readonly limits: SearchLimits
  /** The number of shards of the index, searched or not. */
  readonly shardCount: number
  /** The shards to search, by rising number. */
  readonly shards: readonly ShardReader[]
  /** Filters of the aliases that name the index; one of them must match. */
  readonly filters?: readonly unknown[] | undefined
  /** The context that queries are bound in. */
  readonly queries: QueryContext
}

/** Parses and binds a query. Throws SearchError. */
export function bindJson(index: SearchIndex, query: unknown): BoundQuery {
  return bindQuery(parseQuery(query), index.queries)
}

/** Limits that allow pages of any depth. */
export const openLimits: SearchLimits = { ...defaultLimits, maxResultWindow: Number.POSITIVE_INFINITY }
