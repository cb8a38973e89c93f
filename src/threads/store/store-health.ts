/**
 * Tells the control thread what is wrong with the embedded store: shards that refuse reads or writes, and a disk above
 * the flood-stage watermark. Both are looked up from time to time, and sent only when they have changed.
 */

export interface FailedShard {
  readonly index: string
  readonly shard: number
  /** What it refuses and why, see `ShardFailureKind`. */
  readonly kind: string
  readonly message: string
}

export interface StoreHealth {
  /** The first of them. */
  readonly failedShards: readonly FailedShard[]
  readonly failedCount: number
  /** No index takes documents until there is room on the disk. */
  readonly isDiskFlooded: boolean
}

interface WatchedStore {
  failedShards(): readonly FailedShard[]
  readonly isDiskFlooded: boolean
}

const milliseconds = 1000
/** A damaged disk may fail thousands of shards; a report names some. */
const maxNamedShards = 20

export class StoreHealthWatch {
  readonly #store: WatchedStore
  readonly #changed: (health: StoreHealth) => void
  readonly #timer: NodeJS.Timeout
  #last = keyOf([], false)

  constructor(store: WatchedStore, changed: (health: StoreHealth) => void) {
    this.#store = store
    this.#changed = changed
    this.#timer = setInterval(() => this.check(), milliseconds)
    this.#timer.unref()
    this.check()
  }

  check(): void {
    const failed = this.#store.failedShards()
    const { isDiskFlooded } = this.#store
    const key = keyOf(failed, isDiskFlooded)
    if (key === this.#last) return
    this.#last = key
    this.#changed({
      failedShards: failed.slice(0, maxNamedShards),
      failedCount: failed.length,
      isDiskFlooded,
    })
  }

  close(): void {
    clearInterval(this.#timer)
  }
}

function keyOf(failed: readonly FailedShard[], isDiskFlooded: boolean): string {
  return `${isDiskFlooded} ${failed.map(({ index, shard, kind }) => `${index}/${shard}:${kind}`).join(' ')}`
}
