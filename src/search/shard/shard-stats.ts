/** Statistics of one shard, from which the statistics APIs are answered. */
export interface ShardStats {
  readonly segments: readonly {
    readonly name: string
    readonly docs: number
    readonly deleted: number
    readonly bytes: number
    readonly isCommitted: boolean
  }[]
  /** Bytes of sources that are in no segment file. */
  readonly unflushedBytes: number
  readonly logBytes: number
  readonly logGeneration: number
  readonly pending: number
}
