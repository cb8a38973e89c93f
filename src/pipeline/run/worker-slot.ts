/**
 * The places for batches of one worker. Worker 0 is the host thread itself; a further worker is a thread that may end at
 * any time: it is started again after a back-off, and its batches are rejected with `WorkerLost`.
 */

import type { Frame } from '../frames/frame.ts'
import type { WatchOrder } from '../watch/watch-order.ts'
import { BackOff, type BackOffLimits } from './back-off.ts'

/** The thread of a worker ended while it had the batch: nobody knows how far the batch came. */
export class WorkerLost extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause })
    this.name = 'WorkerLost'
  }
}

/** A further worker, in a thread of its own. */
export interface RemoteWorker {
  /** Rejects when the thread cannot be started. */
  readonly ready: Promise<void>
  /** Called once when the thread ends and nobody asked it to, before its batches are rejected. */
  onLost: (error: Error) => void
  /** Rejects with `WorkerLost` when the thread ends. */
  run(frames: readonly Frame[]): Promise<void>
  flush(final: boolean): Promise<void>
  close(): Promise<void>
  /** Long waits of its plugins end now. */
  abort(): void
  /** Shows events of its batches from now on, or no longer. */
  watch?(order: WatchOrder): void
  /** Tells its last events. */
  collect?(request: number): void
}

export interface SlotLimits {
  /** Batches at a time. */
  readonly limit: number
  /** Bytes of running batches from which on there is no further one. */
  readonly bytesLimit: number
}

export interface WorkerSlot extends SlotLimits {
  readonly remote: boolean
  readonly ready: boolean
  running: number
  bytes: number
  /** It runs a batch that may have ended a worker, and nothing beside it. */
  isolated: boolean
  run(frames: readonly Frame[]): Promise<void>
  flush(final: boolean): Promise<void>
  close(): Promise<void>
}

interface RemoteSlotEvents {
  start(): RemoteWorker
  /** Batches can be given to it, for the first time or again. */
  ready(): void
  lost(error: Error, restartMillis: number): void
}

const restarts: BackOffLimits = { first: 100, max: 30_000, healthyAfter: 60_000 }

export class RemoteSlot implements WorkerSlot {
  readonly remote = true
  readonly limit: number
  readonly bytesLimit: number
  running = 0
  bytes = 0
  isolated = false
  #state: 'starting' | 'ready' | 'lost' | 'closed' = 'starting'
  #worker: RemoteWorker
  readonly #events: RemoteSlotEvents
  readonly #backOff: BackOff
  #timer: NodeJS.Timeout | undefined
  #watch: WatchOrder | undefined

  constructor({ limit, bytesLimit }: SlotLimits, events: RemoteSlotEvents, backOff = new BackOff(restarts)) {
    this.limit = limit
    this.bytesLimit = bytesLimit
    this.#events = events
    this.#backOff = backOff
    this.#worker = this.#start()
  }

  get ready(): boolean {
    return this.#state === 'ready'
  }

  get starting(): boolean {
    return this.#state === 'starting'
  }

  #start(): RemoteWorker {
    this.#state = 'starting'
    const worker = this.#events.start()
    worker.onLost = (error) => this.#lost(worker, error)
    worker.ready.then(
      () => {
        if (this.#worker !== worker || this.#state !== 'starting') return
        this.#state = 'ready'
        this.#backOff.started()
        if (this.#watch !== undefined) worker.watch?.(this.#watch)
        this.#events.ready()
      },
      (error: Error) => this.#lost(worker, error),
    )
    return worker
  }

  #lost(worker: RemoteWorker, error: Error): void {
    if (this.#worker !== worker || this.#state === 'lost' || this.#state === 'closed') return
    this.#state = 'lost'
    const delay = this.#backOff.next()
    this.#timer = setTimeout(() => {
      this.#worker = this.#start()
    }, delay)
    this.#events.lost(error, delay)
    // A thread that could not start may still be there.
    void worker.close().catch(() => undefined)
  }

  run(frames: readonly Frame[]): Promise<void> {
    return this.#worker.run(frames)
  }

  flush(final: boolean): Promise<void> {
    return this.#worker.flush(final)
  }

  watch(order: WatchOrder): void {
    this.#watch = order
    if (this.#state === 'ready') this.#worker.watch?.(order)
  }

  collect(request: number): void {
    if (this.#state === 'ready') this.#worker.collect?.(request)
  }

  abort(): void {
    if (this.#state === 'ready' || this.#state === 'starting') this.#worker.abort()
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    const isThere = this.#state !== 'lost'
    this.#state = 'closed'
    if (isThere) await this.#worker.close()
  }
}
