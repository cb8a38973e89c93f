/**
 * The ports between cluster and engine: shards that take documents, mappings that parse them, and searches over
 * both. The cluster (`cluster.ts`) is written against these interfaces.
 */
import type { AnswerBytes } from '../../answer/answer-memory.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import type { JsonObject } from '../../request/json-object.ts'
import type { SearchError } from '../../request/search-error.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { ShardReader } from '../../segment/segment.ts'
import type { VectorsRequest } from '../../term-vectors/vectors-request.ts'
import type { IndexMetadata } from '../index-metadata.ts'
import type { ShardFailure } from './shard-failure.ts'

export type VersionType = 'internal' | 'external' | 'external_gte'

export interface WriteConditions {
  /** Fails when a document with this id exists. */
  readonly create?: boolean
  readonly version?: number | undefined
  readonly versionType?: VersionType
  readonly ifSeqNo?: number | undefined
  readonly ifPrimaryTerm?: number | undefined
}

export interface DeleteOperation extends WriteConditions {
  readonly id: string
  readonly routing: string | undefined
}

export interface IndexOperation extends DeleteOperation {
  /** The JSON as it was sent. */
  readonly source: Uint8Array
  /** The id was just generated: no document can have it. */
  readonly isFresh?: boolean
}

export interface WriteResult {
  readonly result: 'created' | 'updated' | 'deleted' | 'not_found'
  readonly version: number
  readonly seqNo: number
  readonly primaryTerm: number
}

export interface StoredDocument {
  readonly id: string
  readonly routing: string | undefined
  readonly source: Uint8Array
  readonly version: number
  readonly seqNo: number
  readonly primaryTerm: number
}

/** Counters since the shard was opened, and current sizes. */
export interface ShardFigures {
  readonly docs: number
  readonly deleted: number
  readonly bytes: number
  readonly segments: number
  readonly segmentBytes: number
  readonly maxSeqNo: number
  /** Bytes of unflushed documents. */
  readonly freshBytes: number
  readonly logOperations: number
  readonly logBytes: number
  readonly indexed: number
  readonly indexFailures: number
  readonly removed: number
  readonly refreshes: number
  readonly flushes: number
  readonly merges: number
  /** Documents and bytes that were merged. */
  readonly mergedDocs: number
  readonly mergedBytes: number
  readonly refreshMillis: number
  readonly flushMillis: number
  readonly mergeMillis: number
}

export interface ShardPort {
  /** Set while the shard takes no writes, or cannot be read. */
  readonly failure: ShardFailure | undefined
  /** Reports corrupt bytes in its files. */
  damaged(error: Error): void
  /** Rolls back uncommitted operations; returns the error for their writers. */
  refuseUncommitted(error: Error): SearchError
  /** Applies a document to the write buffer and the log's buffer; throws SearchError and then has changed nothing. */
  index(operation: IndexOperation): WriteResult
  delete(operation: DeleteOperation): WriteResult
  /** Increases with every rollback; operations applied in an earlier term are gone. */
  readonly term: number
  /** Resolves when everything applied in this term is durable according to `index.translog.durability`. */
  commit(term: number): Promise<void>
  /** Real-time get; with `realtime` false only what searches see. */
  get(id: string, realtime: boolean): StoredDocument | undefined
  /** Makes everything applied so far visible to searches. */
  refresh(): void
  /** Resolves when a refresh has made everything applied so far visible (`refresh=wait_for`). */
  refreshed(): Promise<void>
  flush(): Promise<void>
  forceMerge(segments: number): Promise<void>
  reader(): ShardReader
  figures(): ShardFigures
}

/** A field as `GET _mapping/field` and `_field_caps` see it. */
export interface FieldCapability {
  readonly type: string
  readonly searchable: boolean
  readonly aggregatable: boolean
  readonly metadata: boolean
  readonly meta?: Readonly<Record<string, string>>
}

/** An open index: its mapping and its shards. */
export interface IndexStore {
  readonly shards: readonly ShardPort[]
  /** The mapping as it is now; a change gives another one. */
  readonly mapping: Mapping
  /** Returns what `GET _mapping` prints. */
  mappings(): JsonObject
  /** Merges mappings; throws on a conflict and then has changed nothing. */
  putMappings(mappings: JsonObject, options?: { readonly dryRun?: boolean }): void
  /**
   * Parses a large document in steps; a following write of the same bytes and id uses the result, unless the mapping
   * has changed.
   */
  prepare(id: string, source: Uint8Array, routing: string | undefined): Steps<void>
  /** `_routing.required`. */
  readonly needsRouting: boolean
  /** Whether `_source` is stored. */
  readonly keepsSource: boolean
  /** Called when dynamic settings have changed. */
  settingsChanged(metadata: IndexMetadata): void
  /** Returns `{ full_name, mapping }` of each field the patterns name, by full path. */
  fieldMappings(patterns: readonly string[], includeDefaults: boolean): JsonObject
  fieldCapabilities(patterns: readonly string[]): ReadonlyMap<string, FieldCapability>
  /** `_analyze` with the index's analyzers. */
  analyze(request: JsonObject): JsonObject
  /** Returns the values of stored fields of a document, each as a list. */
  storedFields(document: StoredDocument, names: readonly string[]): JsonObject
  close(): Promise<void>
}

export interface IndexStores {
  /** Creates the files of a new index. `mappingsChanged` is called when a document adds fields. */
  create(metadata: IndexMetadata, mappingsChanged: () => void): IndexStore
  /** Opens an existing index; a shard that cannot be opened fails alone. */
  open(metadata: IndexMetadata, mappingsChanged: () => void): IndexStore
  /** Returns the index and shard that own a file. */
  ownerOf(path: string): { readonly uuid: string; readonly shard: number } | undefined
  /** Throws when an index with these settings and mappings could not be created. */
  check(metadata: IndexMetadata): void
  /** Deletes the files of a closed index. */
  remove(metadata: IndexMetadata): void
  /** `_analyze` without an index. */
  analyze(request: JsonObject): JsonObject
}

/** One index that a search goes to. */
export interface SearchTarget {
  readonly metadata: IndexMetadata
  readonly store: IndexStore
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

export interface SearchPort {
  /** Loads the search code; undefined when it is loaded. The calls below require it. */
  load(): Promise<void> | undefined
  /** The loading that has begun, until it is done. */
  readonly loading: Promise<void> | undefined
  /** Parses a long request in steps, before it is checked; undefined for a short one. */
  prepareSearch(call: SearchCall): Promise<void> | undefined
  /** Throws for a search that cannot be read, before its indices are looked for. */
  checkSearch(call: SearchCall): void
  /** Returns a response body ready to be serialised (json-text.ts). */
  search(targets: readonly SearchTarget[], call: SearchCall): Promise<JsonObject>
  count(targets: readonly SearchTarget[], call: SearchCall): Promise<JsonObject>
  validate(targets: readonly SearchTarget[], call: SearchCall): Promise<JsonObject>
  explain(target: SearchTarget, id: string, call: SearchCall): Promise<JsonObject>
  /** Returns the term vectors of a document by field. `source` is its JSON; only its shard is consulted. */
  termVectors(
    target: SearchTarget,
    request: VectorsRequest,
    source: Uint8Array,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, unknown>>
  /** Returns whether some document of the target could match, for `index_filter`. */
  /** Throws for a query that cannot be parsed. */
  checkQuery(query: unknown): void
  canMatch(target: SearchTarget, query: unknown, signal: AbortSignal): Promise<boolean>
  scan(targets: readonly SearchTarget[], request: ScanRequest): Promise<Scan>
  scroll(id: string, keepAliveMillis: number | undefined, call: SearchCall): Promise<JsonObject>
  /** Returns how many contexts were freed. */
  clearScrolls(ids: readonly string[] | 'all'): number
  openPit(targets: readonly SearchTarget[], keepAliveMillis: number): OpenPit
  closePits(ids: readonly string[] | 'all'): readonly { readonly id: string; readonly found: boolean }[]
  pits(): readonly OpenPit[]
  /** May be called before `load`. */
  openContexts(index: string): number
}
