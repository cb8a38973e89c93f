/** What a search is asked: the call and its targets, scans of a snapshot, points in time. */
import type { AnswerBytes } from '../answer/answer-memory.ts'
import type { JsonObject } from '../request/json-object.ts'
import type { IndexMetadata } from './index-metadata.ts'
import type { MappedStore } from './shards/embedded-stores.ts'
import type { StoredDocument } from './shards/shard-operations.ts'

/** One index that a search goes to. */
export interface SearchTarget {
  readonly metadata: IndexMetadata
  readonly store: MappedStore
  /** The shards to search. */
  readonly shards: readonly number[]
  /** Filters of the aliases it was reached by, of which one has to match; undefined when nothing is filtered. */
  readonly filters: readonly JsonObject[] | undefined
  /** Throws when the query may not look up documents of this index (terms lookup). */
  readonly mayLookUp?: (index: string) => void
}

/** Body and query string of a search request. */
export interface SearchCall {
  /** Undefined without a body. Numbers that doubles cannot hold are JsonNumber. */
  readonly body: JsonObject | undefined
  /** The text of the body, for positions in error messages. */
  readonly bodyText: Uint8Array
  readonly parameters: ReadonlyMap<string, string>
  /** Whether the path contained an index expression. */
  readonly namesIndices: boolean
  readonly signal: AbortSignal
  /** Shared accounting of several searches with one response; each has its own limit when absent. */
  readonly answer?: AnswerBytes
}

export interface ScanRequest {
  readonly query: unknown
  readonly size: number
  readonly sort?: unknown
  readonly slice?: { readonly id: number; readonly max: number; readonly field?: string }
  readonly signal: AbortSignal
}

export interface ScanHit extends StoredDocument {
  readonly index: string
}

/** A snapshot read in batches; `total` counts all of it. */
export interface Scan {
  readonly total: number
  /** Returns an empty list at the end. */
  next(): Promise<ScanHit[]>
  close(): void
}

export interface OpenPit {
  readonly id: string
  readonly creationTime: number
  readonly keepAliveMillis: number
}
