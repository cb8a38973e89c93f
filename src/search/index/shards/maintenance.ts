/**
 * Background maintenance of shards: a flush when the log or the unflushed documents have grown, or when the shard
 * was idle for long; a merge when the policy asks for it. At most one of each at a time per shard, and none while it
 * closes.
 */
import type { OpenShard } from './open-shard.ts'

interface MaintenanceLimits {
  /** `index.translog.flush_threshold_size`. */
  readonly logBytes: number
}

const intervalMillis = 1000
/** The limit for unflushed documents: as much as a start can replay from the log in a second. */
const maxUnflushedBytes = 48 * 1024 * 1024
const idleMillis = 5 * 60_000

export class Maintenance {
  readonly #shards: readonly OpenShard[]
  readonly #limits: () => MaintenanceLimits
  readonly #timer: NodeJS.Timeout
  readonly #seen: { operations: number; since: number }[]
  readonly #flushes = new Map<OpenShard, Promise<void>>()
  readonly #merges = new Map<OpenShard, Promise<void>>()
  #isClosed = false

  constructor(shards: readonly OpenShard[], limits: () => MaintenanceLimits) {
    this.#shards = shards
    this.#limits = limits
    this.#seen = shards.map(() => ({ operations: 0, since: Date.now() }))
    this.#timer = setInterval(() => this.startDue(), intervalMillis)
    this.#timer.unref()
  }

  /** Starts what is due. */
  startDue(): void {
    if (this.#isClosed) return
    this.#shards.forEach((shard, number) => {
      shard.heal()
      if (shard.failure !== undefined) return
      if (this.#mustFlush(shard, this.#seen[number]!)) this.#begin(this.#flushes, shard, () => shard.flush())
      else if (shard.needsMerge) this.#begin(this.#merges, shard, () => shard.merge())
    })
  }

  #begin(underWay: Map<OpenShard, Promise<void>>, shard: OpenShard, work: () => Promise<void>): void {
    if (underWay.has(shard)) return
    const done = work().finally(() => underWay.delete(shard))
    // A full disk may have room later; the shard is unchanged.
    underWay.set(
      shard,
      done.catch(() => undefined),
    )
  }

  #mustFlush(shard: OpenShard, seen: { operations: number; since: number }): boolean {
    const { logOperations, logBytes, unflushedBytes } = shard.figures()
    if (logOperations !== seen.operations) {
      seen.operations = logOperations
      seen.since = Date.now()
    }
    const isIdle = logOperations > 0 && Date.now() - seen.since > idleMillis
    return isIdle || logBytes >= this.#limits().logBytes || unflushedBytes >= maxUnflushedBytes
  }

  /** Waits for running maintenance and starts no more. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await Promise.all([...this.#flushes.values(), ...this.#merges.values()])
  }
}
