/**
 * What a generation needs of the queue between inputs and workers, and the two queues there are. Both give every record
 * a number: with the lineage of the queue it names the events of the record, also when they are delivered again.
 */
import { randomBytes } from 'node:crypto'
import { lastingLineage } from '../../event/event.ts'
import { MemoryQueue, type QueueLimits } from '../../queue/memory-queue.ts'
import type { PersistedQueue } from '../../queue/persisted/persisted-queue.ts'
import { ForwardedQueue } from './forwarded-queue.ts'
import { copyOfFrame, type Frame, frameBytes, frameCount, settleFrame, splitFrame } from './frame.ts'

export interface FrameQueue {
  /** Called when something can be taken. */
  onReadable: () => void
  /** Called when it can take and give nothing more. */
  onFailed: (error: Error) => void
  /** Called with a record that it cannot hold; its sender is answered when the promise resolves. */
  onRefused: (frame: Frame, error: Error) => Promise<void>
  /** Whether what is left in it when the pipeline stops is there again when it starts. */
  readonly isPersisted: boolean
  readonly records: number
  readonly bytes: number
  readonly empty: boolean
  /** Frames were pushed that cannot be taken yet. */
  readonly isWriting: boolean
  /** The part of `bytes` that is in memory. */
  readonly heldBytes: number
  /** Pushes that wait for room. */
  readonly waiting: number
  /** Undefined when there is room for more; otherwise resolves when it was accepted. Rejects when it never will be. */
  push(frame: Frame): void | Promise<void>
  /** Up to `max` records of about `maxBytes`. */
  take(max: number, maxBytes?: number): Frame[]
  /** There may be room for those who wait. */
  admit(): void
  /** Their records are through, or given up. */
  settle(frames: readonly Frame[]): void
  /** They were not worked on after all, and are taken again before everything else, where the queue is persisted. */
  giveBack(frames: readonly Frame[]): void
}

const letters = 'base64url'

/** What both queues of frames show of the queue behind them. */
abstract class Frames<Q extends MemoryQueue<Frame> | PersistedQueue<Frame>> extends ForwardedQueue<Q> {
  get empty(): boolean {
    return this.queue.empty
  }

  get waiting(): number {
    return this.queue.waiting
  }
}

export class MemoryFrames extends Frames<MemoryQueue<Frame>> implements FrameQueue {
  readonly isPersisted = false
  readonly isWriting = false
  /** Memory does not fail. */
  onFailed: (error: Error) => void = () => {}
  /** And holds whatever there is. */
  onRefused = (): Promise<void> => Promise.resolve()
  readonly #lineage = `m${randomBytes(9).toString(letters)}`
  #next = 0

  constructor(limits: QueueLimits) {
    super(new MemoryQueue<Frame>(limits, frameBytes, splitFrame))
  }

  get heldBytes(): number {
    return this.queue.bytes
  }

  push(frame: Frame): void | Promise<void> {
    if (frame.lineage === null) {
      frame.lineage = this.#lineage
      frame.base = this.#next - frame.from
      this.#next += frameCount(frame)
    }
    return this.queue.push(frame)
  }

  take(max: number, maxBytes?: number): Frame[] {
    return this.queue.take(max, maxBytes)
  }

  admit(): void {
    this.queue.admit()
  }

  settle(frames: readonly Frame[]): void {
    for (const frame of frames) settleFrame(frame)
  }

  giveBack(): void {}
}

/** Senders are told when their records are on the disk; the queue lets go of them when the outputs have them. */
export class PersistedFrames extends Frames<PersistedQueue<Frame>> implements FrameQueue {
  readonly isPersisted = true
  readonly #id: string

  constructor(queue: PersistedQueue<Frame>) {
    super(queue)
    this.#id = Buffer.from(queue.queueId, 'hex').subarray(0, 9).toString(letters)
  }

  set onFailed(call: (error: Error) => void) {
    this.queue.onFailed = call
  }

  set onRefused(call: (frame: Frame, error: Error) => Promise<void>) {
    this.queue.onRefused = call
  }

  get isWriting(): boolean {
    return this.queue.isWriting
  }

  get heldBytes(): number {
    return Math.min(this.queue.bytes, this.queue.settings.recentBytes)
  }

  push(frame: Frame): void | Promise<void> {
    return this.queue.offer(frame, frame.ticket === null ? undefined : () => settleFrame(frame))
  }

  take(max: number, maxBytes = Number.POSITIVE_INFINITY): Frame[] {
    const { records, bytes } = this.queue
    const fitting = bytes > 0 ? Math.floor((maxBytes * records) / bytes) : max
    return this.queue.take(Math.max(1, Math.min(max, fitting))).map(({ item, seq, epoch }) => {
      const frame = copyOfFrame(item)
      frame.queued = seq - item.from
      if (item.lineage !== null) return frame
      frame.lineage = lastingLineage(this.#id, epoch)
      frame.base = frame.queued
      return frame
    })
  }

  /** The queue admits those who wait by itself. */
  admit(): void {}

  settle(frames: readonly Frame[]): void {
    this.queue.acknowledge(frames.map(placed))
  }

  /** They have their names already, so that of the opening does not count. */
  giveBack(frames: readonly Frame[]): void {
    this.queue.giveBack(frames.map((frame) => ({ ...placed(frame), epoch: 0 })))
  }
}

function placed(item: Frame): { item: Frame; seq: number } {
  return { item, seq: item.queued + item.from }
}
