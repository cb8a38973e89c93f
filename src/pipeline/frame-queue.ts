/**
 * What a generation needs of the queue between inputs and workers, and the two queues there are. Both give every record
 * a number: with the lineage of the queue it names the events of the record, also when they are delivered again.
 */
import { randomBytes } from 'node:crypto'
import { lastingLineage } from '../event/event.ts'
import { encodeEvents } from '../event/wire.ts'
import { MemoryQueue, type QueueLimits } from '../queue/memory-queue.ts'
import type { PersistedQueue } from '../queue/persisted/persisted-queue.ts'
import type { Delivery } from '../queue/persisted/queue-options.ts'
import { type Frame, frameBytes, frameCount, settleFrame, splitFrame } from './frame.ts'

export interface FrameQueue {
  /** Called when something can be taken. */
  onReadable: () => void
  /** Called when it can take and give nothing more. */
  onFailed: (error: Error) => void
  /** Whether what is left in it when the pipeline stops is there again when it starts. */
  readonly isPersisted: boolean
  readonly records: number
  readonly bytes: number
  readonly empty: boolean
  /** Of `bytes`, those that are in memory. */
  readonly heldBytes: number
  /** Pushes that wait for room. */
  readonly waiting: number
  /** Undefined when there is room for more; otherwise resolves when it was accepted. Rejects when it never will be. */
  push(frame: Frame): void | Promise<void>
  /** Up to `max` records of about `maxBytes`. */
  take(max: number, maxBytes?: number): Frame[]
  /** There may be room for those who wait. */
  admit(): void
  /** The records are through, or given up. */
  settle(frame: Frame): void
}

const letters = 'base64url'

export class MemoryFrames implements FrameQueue {
  readonly isPersisted = false
  onFailed: (error: Error) => void = () => {}
  readonly #queue: MemoryQueue<Frame>
  readonly #lineage = `m${randomBytes(9).toString(letters)}`
  #next = 0

  constructor(limits: QueueLimits) {
    this.#queue = new MemoryQueue<Frame>(limits, frameBytes, splitFrame)
  }

  set onReadable(call: () => void) {
    this.#queue.onReadable = call
  }

  get records(): number {
    return this.#queue.records
  }

  get bytes(): number {
    return this.#queue.bytes
  }

  get empty(): boolean {
    return this.#queue.empty
  }

  get waiting(): number {
    return this.#queue.waiting
  }

  push(frame: Frame): void | Promise<void> {
    if (frame.lineage === null) {
      frame.lineage = this.#lineage
      frame.base = this.#next - frame.from
      this.#next += frameCount(frame)
    }
    return this.#queue.push(frame)
  }

  get heldBytes(): number {
    return this.#queue.bytes
  }

  take(max: number, maxBytes?: number): Frame[] {
    return this.#queue.take(max, maxBytes)
  }

  admit(): void {
    this.#queue.admit()
  }

  settle(frame: Frame): void {
    settleFrame(frame)
  }
}

/** Senders are told when their records are on the disk; the queue lets go of them when the outputs have them. */
export class PersistedFrames implements FrameQueue {
  readonly isPersisted = true
  readonly #queue: PersistedQueue<Frame>
  readonly #id: string

  constructor(queue: PersistedQueue<Frame>) {
    this.#queue = queue
    this.#id = Buffer.from(queue.queueId, 'hex').subarray(0, 9).toString(letters)
  }

  set onReadable(call: () => void) {
    this.#queue.onReadable = call
  }

  set onFailed(call: (error: Error) => void) {
    this.#queue.onFailed = call
  }

  get records(): number {
    return this.#queue.records
  }

  get bytes(): number {
    return this.#queue.bytes
  }

  get empty(): boolean {
    return this.#queue.empty
  }

  get waiting(): number {
    return this.#queue.waiting
  }

  push(frame: Frame): void | Promise<void> {
    const { ticket } = frame
    const lasting = frame.events === null && ticket === null ? frame : lastingFrame(frame)
    return this.#queue.offer(lasting, ticket === null ? undefined : () => settleFrame(frame))
  }

  get heldBytes(): number {
    return Math.min(this.#queue.bytes, this.#queue.settings.recentBytes)
  }

  take(max: number, maxBytes = Number.POSITIVE_INFINITY): Frame[] {
    const { records, bytes } = this.#queue
    const fitting = bytes > 0 ? Math.floor((maxBytes * records) / bytes) : max
    return this.#queue.take(Math.max(1, Math.min(max, fitting))).map(({ item, seq, epoch }) => {
      const queued = seq - item.from
      if (item.lineage !== null) return { ...item, queued }
      return { ...item, queued, lineage: lastingLineage(this.#id, epoch), base: queued }
    })
  }

  /** It does so itself. */
  admit(): void {}

  settle(frame: Frame): void {
    this.#queue.acknowledge([
      { item: frame, seq: frame.queued + frame.from, epoch: 0 } satisfies Delivery<Frame>,
    ])
  }
}

/** Ready-made events are changed by filters; what may be delivered again is their bytes. */
function lastingFrame(frame: Frame): Frame {
  if (frame.events === null) return { ...frame, ticket: null }
  const { from, to, events } = frame
  const count = to - from
  const bytes = encodeEvents(count === events.length ? events : events.slice(from, to))
  return { ...frame, events: null, bytes, wire: true, from: 0, to: count, ticket: null }
}
