/** The queue of one output (`output.isolation`), in memory or persisted: batches of events in wire form. */
import { decodeEvents, encodeEvents, wireCount } from '../../event/wire.ts'
import { MemoryQueue, type QueueItem, type QueueLimits } from '../../queue/memory-queue.ts'
import type { PersistedQueue } from '../../queue/persisted/persisted-queue.ts'
import type { Delivery, RecordCodec } from '../../queue/persisted/queue-options.ts'
import { ForwardedQueue } from '../frames/forwarded-queue.ts'

interface WireItem extends QueueItem {
  readonly bytes: Uint8Array
}

export const wireItems: RecordCodec<WireItem> = {
  encode: ({ bytes, from, to }) =>
    from === 0 && to === wireCount(bytes) ? [bytes] : [encodeEvents(decodeEvents(bytes).slice(from, to))],
  decode: (bytes, count) => ({ bytes, from: 0, to: count }),
  split: splitItem,
  weigh: ({ bytes }) => bytes.length,
}

/** Whether a record is one of these: it begins as JSON does, and a frame with its version. */
export function isWireText(bytes: Uint8Array): boolean {
  return bytes[0] === openingBrace
}

const openingBrace = 0x7b

function splitItem(item: WireItem, count: number): [WireItem, WireItem] {
  const middle = item.from + count
  return [
    { ...item, to: middle },
    { ...item, from: middle },
  ]
}

/** What has been taken and what to call when it is delivered. */
export interface TakenItems {
  readonly items: readonly WireItem[]
  settle(): void
}

export interface OutputQueue {
  onReadable: () => void
  readonly records: number
  readonly bytes: number
  readonly isPersisted: boolean
  /** Resolves when the pipeline may forget the events. */
  push(item: WireItem): Promise<void>
  take(max: number): TakenItems
  close(): Promise<void>
}

export class MemoryOutputQueue extends ForwardedQueue<MemoryQueue<WireItem>> implements OutputQueue {
  readonly isPersisted = false

  constructor(limits: QueueLimits) {
    super(new MemoryQueue<WireItem>(limits, wireItems.weigh, splitItem))
  }

  async push(item: WireItem): Promise<void> {
    await this.queue.push(item)
  }

  take(max: number): TakenItems {
    return { items: this.queue.take(max), settle: () => {} }
  }

  async close(): Promise<void> {}
}

export class PersistedOutputQueue extends ForwardedQueue<PersistedQueue<WireItem>> implements OutputQueue {
  readonly isPersisted = true
  readonly #closed: () => Promise<void>

  /** `closed` is called when the queue has let go of its files. */
  constructor(queue: PersistedQueue<WireItem>, closed: () => Promise<void>) {
    super(queue)
    this.#closed = closed
  }

  push(item: WireItem): Promise<void> {
    return this.queue.push(item)
  }

  take(max: number): TakenItems {
    const taken: Delivery<WireItem>[] = this.queue.take(max)
    return { items: taken.map(({ item }) => item), settle: () => this.queue.acknowledge(taken) }
  }

  async close(): Promise<void> {
    await this.queue.close()
    await this.#closed()
  }
}
