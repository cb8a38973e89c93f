/** What a shard counts, for statistics. */

/** Counters since the shard was opened, and current sizes. */
export interface ShardFigures {
  readonly docs: number
  readonly deleted: number
  readonly bytes: number
  readonly segments: number
  readonly segmentBytes: number
  readonly maxSeqNo: number
  /** Bytes of unflushed documents. */
  readonly unflushedBytes: number
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
