/**
 * What indices need from the rest of the engine: shards that take documents, mappings that read them, and
 * searches over both. The cluster (`cluster.ts`) is written against these; the engine puts the real ones in.
 */
import type { AnswerBytes } from '../../answer/answer-memory.ts'
import type { JsonObject } from '../../request/json-object.ts'
import type { SearchError } from '../../request/search-error.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { ShardReader } from '../../segment/segment.ts'
import type { VectorsRequest } from '../../term-vectors/vectors-request.ts'
import type { IndexMetadata } from '../index-metadata.ts'
import type { ShardFailure } from './shard-failure.ts'

export type VersionType = 'internal' | 'external' | 'external_gte'

export interface WriteConditions {
  /** Only when there is no document of this id. */
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
  /** JSON text as it was sent. */
  readonly source: Uint8Array
  /** The id was just made here: no document can have it yet. */
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

/** Counts since the shard was opened, and sizes now. */
export interface ShardFigures {
  readonly docs: number
  readonly deleted: number
  readonly bytes: number
  readonly segments: number
  readonly segmentBytes: number
  readonly maxSeqNo: number
  /** Of segments that are not on the disk yet. */
  readonly freshBytes: number
  readonly logOperations: number
  readonly logBytes: number
  readonly indexed: number
  readonly indexFailures: number
  readonly removed: number
  readonly refreshes: number
  readonly flushes: number
  readonly merges: number
  /** Documents and bytes that merges went through. */
  readonly mergedDocs: number
  readonly mergedBytes: number
  readonly refreshMillis: number
  readonly flushMillis: number
  readonly mergeMillis: number
}

export interface ShardPort {
  /** Set while the shard takes no writes, or cannot be read at all. */
  readonly failure: ShardFailure | undefined
  /** Bytes of its files turned out not to be what was written. */
  damaged(error: Error): void
  /** Gives up what was taken and not committed; answers what its writers are told. */
  refuseUncommitted(error: Error): SearchError
  /** Takes a document into memory and into the log's buffer; throws SearchError and then has changed nothing. */
  index(operation: IndexOperation): WriteResult
  delete(operation: DeleteOperation): WriteResult
  /** Goes up whenever writes that were taken are given up; what was taken in an earlier one is not there. */
  readonly term: number
  /** Resolves when everything taken in this term is safe according to `index.translog.durability`. */
  commit(term: number): Promise<void>
  /** Real-time: also what no search sees yet, unless `realtime` is false. */
  get(id: string, realtime: boolean): StoredDocument | undefined
  /** Makes everything taken before visible to searches. */
  refresh(): void
  /** Resolves when a refresh has made everything taken before visible. */
  refreshed(): Promise<void>
  flush(): Promise<void>
  forceMerge(segments: number): Promise<void>
  reader(): ShardReader
  figures(): ShardFigures
}

/** One field as `GET _mapping/field` and `_field_caps` see it. */
export interface FieldCapability {
  readonly type: string
  readonly searchable: boolean
  readonly aggregatable: boolean
  readonly metadata: boolean
  readonly meta?: Readonly<Record<string, string>>
}

/** One open index: its mapping and its shards. */
export interface IndexStore {
  readonly shards: readonly ShardPort[]
  /** As `GET _mapping` prints it. */
  mappings(): JsonObject
  /** Merges; throws what Elasticsearch refuses and then has changed nothing. */
  putMappings(mappings: JsonObject, options?: { readonly dryRun?: boolean }): void
  /**
   * Takes a large document apart in steps; a write of the same bytes under this id that follows uses what came of it,
   * as long as the mapping is the same then.
   */
  prepare(id: string, source: Uint8Array): Steps<void>
  /** `_routing.required`. */
  readonly needsRouting: boolean
  /** `_source` is kept. */
  readonly keepsSource: boolean
  /** Settings that may change while an index is open have changed. */
  settingsChanged(metadata: IndexMetadata): void
  /** By full path: `{ full_name, mapping }` of each field the patterns name. */
  fieldMappings(patterns: readonly string[], includeDefaults: boolean): JsonObject
  fieldCapabilities(patterns: readonly string[]): ReadonlyMap<string, FieldCapability>
  /** `_analyze` with the index's analyzers. */
  analyze(request: JsonObject): JsonObject
  /** Values of stored fields of a document, each a list. */
  storedFields(document: StoredDocument, names: readonly string[]): JsonObject
  close(): Promise<void>
}

export interface IndexStores {
  /** Makes the files of a new index. `mappingsChanged`: a document brought new fields. */
  create(metadata: IndexMetadata, mappingsChanged: () => void): IndexStore
  /** Opens one that was created; a shard that cannot be opened fails alone. */
  open(metadata: IndexMetadata, mappingsChanged: () => void): IndexStore
  /** The index a file belongs to, by its identifier. */
  ownerOf(path: string): { readonly uuid: string; readonly shard: number } | undefined
  /** Throws when an index with these settings and mappings could not be created. */
  check(metadata: IndexMetadata): void
  /** Deletes everything of an index that has been closed. */
  remove(metadata: IndexMetadata): void
  /** `_analyze` without an index. */
  analyze(request: JsonObject): JsonObject
}

/** One index a search goes to. */
export interface SearchTarget {
  readonly metadata: IndexMetadata
  readonly store: IndexStore
  /** Numbers of the shards that are asked. */
  readonly shards: readonly number[]
  /** Of the aliases it was reached by: queries of which one has to match. Undefined without any condition. */
  readonly filters: readonly JsonObject[] | undefined
  /** Throws when the query may not look up documents of this index. */
  readonly mayLookUp?: (index: string) => void
}

/** What came in the body and in the query string of a search request. */
export interface SearchCall {
  /** Undefined without a body. Numbers that doubles cannot hold are JsonNumber. */
  readonly body: JsonObject | undefined
  /** The text the body was read from, for places in error messages. */
  readonly bodyText: Uint8Array
  readonly parameters: ReadonlyMap<string, string>
  /** The index expression was part of the path. */
  readonly namesIndices: boolean
  readonly signal: AbortSignal
  /** Counts what hits take, of several searches with one answer; each has its own limit when absent. */
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

/** A snapshot read batch by batch; `total` counts all of it. */
export interface Scan {
  readonly total: number
  /** Empty at the end. */
  next(): Promise<ScanHit[]>
  close(): void
}

export interface OpenPit {
  readonly id: string
  readonly creationTime: number
  readonly keepAliveMillis: number
}

export interface SearchPort {
  /** Brings in the code of searches; undefined when it is there. The calls below come after it. */
  load(): Promise<void> | undefined
  /** Answers are bodies ready to be written (json-text.ts). */
  search(targets: readonly SearchTarget[], call: SearchCall): Promise<JsonObject>
  count(targets: readonly SearchTarget[], call: SearchCall): Promise<JsonObject>
  validate(targets: readonly SearchTarget[], call: SearchCall): Promise<JsonObject>
  explain(target: SearchTarget, id: string, call: SearchCall): Promise<JsonObject>
  /** Terms of a document by field. `source` is its JSON; of the target only the document's shard is asked. */
  termVectors(
    target: SearchTarget,
    request: VectorsRequest,
    source: Uint8Array,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, unknown>>
  /** Whether some document of the target could match; for `index_filter`. */
  canMatch(target: SearchTarget, query: unknown, signal: AbortSignal): Promise<boolean>
  scan(targets: readonly SearchTarget[], request: ScanRequest): Promise<Scan>
  scroll(id: string, keepAliveMillis: number | undefined, call: SearchCall): Promise<JsonObject>
  /** How many were freed. */
  clearScrolls(ids: readonly string[] | 'all'): number
  openPit(targets: readonly SearchTarget[], keepAliveMillis: number): OpenPit
  closePits(ids: readonly string[] | 'all'): readonly { readonly id: string; readonly found: boolean }[]
  pits(): readonly OpenPit[]
  /** At any time. */
  openContexts(index: string): number
}
