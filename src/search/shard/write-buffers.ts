/**
 * The memory budget for unflushed documents over all shards of the thread, as `indices.memory.index_buffer_size` and
 * IndexingMemoryController in Elasticsearch. When half of it is used, the largest write buffer is flushed, one after
 * the other; when all of it is used, writers wait (back-pressure).
 */
import { slabPool } from '../../memory/slab-pool.ts'

export interface WriteBuffer {
  /** Bytes of the builder that is being filled. */
  readonly activeBytes: number
  /** Bytes of active builders and of those whose segment file is not finished. */
  readonly heldBytes: number
  flush(): Promise<void>
}

interface Counted {
  active: number
  held: number
  /** The flush under way. */
  flush: Promise<void> | undefined
}

/** A builder fills this in some seconds at full speed. */
const defaultMaxBytes = 512 * 1024 * 1024
/** Documents arrive in batches: a buffer counts as busy for this long after the last one. */
const busyMillis = 200

export class WriteBuffers {
  #maxBytes: number
  readonly #buffers = new Map<WriteBuffer, Counted>()
  #active = 0
  #held = 0
  #lastWrite = Number.NEGATIVE_INFINITY

  constructor(maxBytes = defaultMaxBytes) {
    this.#maxBytes = maxBytes
  }

  get maxBytes(): number {
    return this.#maxBytes
  }

  /** Slabs of a flushed buffer serve the next one. */
  set maxBytes(bytes: number) {
    this.#maxBytes = bytes
    slabPool.maxFreeBytes = bytes / 2
  }

  /** Whether documents are coming in: it has not been long since the last ones. */
  get isBusy(): boolean {
    return performance.now() - this.#lastWrite < busyMillis
  }

  /** Bytes of all buffers. */
  get heldBytes(): number {
    return this.#held
  }

  add(buffer: WriteBuffer): void {
    this.#buffers.set(buffer, { active: 0, held: 0, flush: undefined })
    this.#count(buffer)
  }

  remove(buffer: WriteBuffer): void {
    const counted = this.#buffers.get(buffer)
    if (counted === undefined) return
    this.#buffers.delete(buffer)
    this.#active -= counted.active
    this.#held -= counted.held
  }

  /**
   * Called after documents were added to a buffer. Returns undefined, or a promise to wait for when there is no
   * room.
   */
  afterWrite(buffer: WriteBuffer): Promise<void> | undefined {
    this.#count(buffer)
    this.#lastWrite = performance.now()
    if (this.#active >= this.#maxBytes / 2) this.#flushLargest()
    return this.#held >= this.#maxBytes ? this.#room() : undefined
  }

  /** Starts to flush the largest buffer if it has at least `minBytes` bytes, unless a flush is under way. */
  flushLargest(minBytes = 0): void {
    this.#flushLargest(minBytes)
  }

  #count(buffer: WriteBuffer): void {
    const counted = this.#buffers.get(buffer)
    if (counted === undefined) return
    const { activeBytes, heldBytes } = buffer
    this.#active += activeBytes - counted.active
    this.#held += heldBytes - counted.held
    counted.active = activeBytes
    counted.held = heldBytes
  }

  #flushLargest(minBytes = 0): void {
    let largest: [WriteBuffer, Counted] | undefined
    for (const entry of this.#buffers) {
      const [, { active, flush }] = entry
      // One at a time, because one thread writes segment files.
      if (flush !== undefined) return
      if (active > 0 && active >= minBytes && active > (largest?.[1].active ?? 0)) largest = entry
    }
    if (largest === undefined) return
    const [buffer, counted] = largest
    const ended = (isWritten: boolean) => {
      counted.flush = undefined
      this.#count(buffer)
      if (isWritten && this.#active >= this.#maxBytes / 2) this.#flushLargest()
    }
    counted.flush = buffer.flush().then(
      () => ended(true),
      // The shard reports the reason; the next write tries again.
      () => ended(false),
    )
  }

  /** Waits for flushes; more than a few do not help when the disk takes nothing. */
  async #room(): Promise<void> {
    for (let tries = 0; tries < maxFlushesAwaited && this.#held >= this.#maxBytes; tries++) {
      const flushes = [...this.#buffers.values()].flatMap(({ flush }) => flush ?? [])
      if (flushes.length === 0) return
      await Promise.race(flushes)
    }
  }
}

const maxFlushesAwaited = 64

/** The write buffers of this thread; an engine runs in one thread. */
export const writeBuffers = new WriteBuffers()
