/**
 * What shards need without being asked: a flush when much of one is only in the log and in memory or when it has
 * been quiet for long, and a merge when there are many segments. One at a time per shard, and never while it is closing.
 */
import type { OpenShard } from './open-shard.ts'

export interface UpkeepLimits {
  /** `index.translog.flush_threshold_size`. */
  readonly logBytes: number
}

const every = 1000
/** Segments that are only in memory: as much as a start may have to read from the log again in a second. */
const mostFreshBytes = 48 * 1024 * 1024
const quietMillis = 5 * 60_000

export class Upkeep {
  readonly #shards: readonly OpenShard[]
  readonly #limits: () => UpkeepLimits
  readonly #timer: NodeJS.Timeout
  readonly #seen: { operations: number; since: number }[]
  readonly #busy = new Map<OpenShard, Promise<void>>()
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
      if (this.#busy.has(shard)) return
      const work = this.#due(shard, this.#seen[number]!)
      if (work === undefined) return
      const done = work().finally(() => this.#busy.delete(shard))
      // A disk that is full now may have room later; the shard is as it was.
      this.#busy.set(
        shard,
        done.catch(() => undefined),
      )
    })
  }

  #due(shard: OpenShard, seen: { operations: number; since: number }): (() => Promise<void>) | undefined {
    const { logOperations, logBytes, freshBytes } = shard.figures()
    if (logOperations !== seen.operations) {
      seen.operations = logOperations
      seen.since = Date.now()
    }
    const isQuiet = logOperations > 0 && Date.now() - seen.since > quietMillis
    if (isQuiet || logBytes >= this.#limits().logBytes || freshBytes >= mostFreshBytes)
      return () => shard.flush()
    return shard.needsMerge ? () => shard.merge() : undefined
  }

  /** Waits for what is under way and begins nothing more. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await Promise.all(this.#busy.values())
  }
}
