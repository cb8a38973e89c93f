/**
 * What shards need without being asked: a flush when much of one is only in the log and in memory or when it has
 * been quiet for long, and a merge when there are many segments. One of each at a time per shard, and none while it
 * is closing.
 */
import type { OpenShard } from './open-shard.ts'

export interface UpkeepLimits {
  /** `index.translog.flush_threshold_size`. */
  readonly logBytes: number
}

const every = 1000
/** Segments that are only in memory: as much as a start may have to read from the log again in a second. */
const maxFreshBytes = 48 * 1024 * 1024
const quietMillis = 5 * 60_000

export class Upkeep {
  readonly #shards: readonly OpenShard[]
  readonly #limits: () => UpkeepLimits
  readonly #timer: NodeJS.Timeout
  readonly #seen: { operations: number; since: number }[]
  readonly #flushes = new Map<OpenShard, Promise<void>>()
  readonly #merges = new Map<OpenShard, Promise<void>>()
  #isClosed = false

  constructor(shards: readonly OpenShard[], limits: () => UpkeepLimits) {
    this.#shards = shards
    this.#limits = limits
    this.#seen = shards.map(() => ({ operations: 0, since: Date.now() }))
    this.#timer = setInterval(() => this.look(), every)
    this.#timer.unref()
  }

  /** Begins what is due. */
  look(): void {
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
    // A disk that is full now may have room later; the shard is as it was.
    underWay.set(
      shard,
      done.catch(() => undefined),
    )
  }

  #mustFlush(shard: OpenShard, seen: { operations: number; since: number }): boolean {
    const { logOperations, logBytes, freshBytes } = shard.figures()
    if (logOperations !== seen.operations) {
      seen.operations = logOperations
      seen.since = Date.now()
    }
    const isQuiet = logOperations > 0 && Date.now() - seen.since > quietMillis
    return isQuiet || logBytes >= this.#limits().logBytes || freshBytes >= maxFreshBytes
  }

  /** Waits for what is under way and begins nothing more. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await Promise.all([...this.#flushes.values(), ...this.#merges.values()])
  }
}
