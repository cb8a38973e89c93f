/** What a shard is asked to write, what it answers, and the documents that it gives. */
import type { WriteConditions } from '../documents/write-conditions.ts'

export interface DeleteOperation extends WriteConditions {
  readonly id: string
  readonly routing: string | undefined
}

export interface IndexOperation extends DeleteOperation {
  /** The JSON as it was sent. */
  readonly source: Uint8Array
  /** The id was just generated: no document can have it. */
  readonly hasGeneratedId?: boolean
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
