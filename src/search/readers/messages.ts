/** The messages between the store's thread and its readers: plain data and shared memory. */
import type { IndexMetadata } from '../index/index-metadata.ts'
import type { SearchEnvironment } from '../index/search-environment.ts'
import type { JsonDialect } from '../request/body/json-syntax-error.ts'
import type { JsonObject } from '../request/json-object.ts'
import type { StoredScripts } from '../script/script.ts'
import type { SharedDocuments } from '../segment/writer/shared-segment.ts'

/** A segment as a reader opens it: a file, or documents that are not flushed. */
export type OpenedSegment = { readonly path: string } | SharedDocuments

export interface LeafView {
  /** Identifies the segment among all that were sent. */
  readonly id: number
  readonly name: string
  readonly base: number
  /** Words of the live docs; null when nothing is deleted. */
  readonly live: Uint32Array | null
  /** Undefined when the reader has it from the shard's view before. */
  readonly opened: OpenedSegment | undefined
}

export interface ShardView {
  /** Identifies the shard among those of all indices. */
  readonly key: string
  readonly shard: number
  /** Undefined when the view of the last request is still the right one. */
  readonly contents: { readonly leaves: readonly LeafView[]; readonly liveCount: number } | undefined
}

export interface IndexView {
  readonly uuid: string
  /** Undefined when the last one is still the right one. */
  readonly definition: { readonly metadata: IndexMetadata; readonly mappings: JsonObject } | undefined
  readonly filters: readonly unknown[] | undefined
  readonly shards: readonly ShardView[]
}

export interface ReadJob {
  readonly number: number
  readonly kind: 'search' | 'count'
  /** Undefined without a body. */
  readonly body: Uint8Array | undefined
  readonly parameters: ReadonlyMap<string, string>
  readonly namesIndices: boolean
  readonly node: string
  readonly environment: SearchEnvironment
  readonly dialect: JsonDialect
  readonly maxBuckets: number
  readonly maxAnswerBytes: number
  /** Undefined when they are those of the last request. */
  readonly scripts: StoredScripts | undefined
  readonly indices: readonly IndexView[]
}

export type ToReader =
  /** `generation` counts how often the reader was told to forget everything. */
  | { readonly kind: 'read'; readonly job: ReadJob; readonly generation: number }
  | { readonly kind: 'cancel'; readonly number: number }
  | { readonly kind: 'forget'; readonly shards: readonly string[] }
  | { readonly kind: 'forget-all' }
  | { readonly kind: 'evict' }

export type FromReader =
  | { readonly kind: 'ready' }
  /** Members of the response; those that are not scalars as JSON. */
  | {
      readonly kind: 'answer'
      readonly number: number
      readonly members: readonly (readonly [name: string, value: unknown])[]
    }
  /** `isLost`: the reader does not have what the job takes for known. */
  | {
      readonly kind: 'failed'
      readonly number: number
      readonly isLost: boolean
      readonly generation: number
    }
  /** Nothing reads these segments any more. */
  | { readonly kind: 'released'; readonly segments: readonly number[] }
