/** The host's end of a worker thread: posts batches, waits for their end, writes blocks for it, notices its death. */
import { type MessagePort, Worker } from 'node:worker_threads'
import type { BoardLayout } from '../metrics/board.ts'
import type { Frame } from '../pipeline/frames/frame.ts'
import type { Generation } from '../pipeline/run/generation.ts'
import { type RemoteWorker, WorkerLost } from '../pipeline/run/worker-slot.ts'
import type { WatchOrder, WatchReport } from '../pipeline/watch/watch-order.ts'
import { Undelivered } from '../plugin/dead-letter.ts'
import { threadEntry } from './entry-url.ts'
import { keepTrackOf } from './live-threads.ts'
import { heapLimits } from './memory/heap-limits.ts'
import type { Failure, FromWorker, Setup, ToWorker } from './messages.ts'
import { buffersOf, toPortable } from './portable-frame.ts'
import type { Introduce } from './store/store-link.ts'

const closeLimit = 5000

/** Takes entries to the dead letter queue; resolves when they are safe. */
type AppendLetters = (entries: readonly Uint8Array[]) => Promise<void>

export class ThreadWorker implements RemoteWorker {
  readonly ready: Promise<void>
  onLost: (error: Error) => void = () => {}
  #isGone = false
  #worker: Worker
  #generation: Generation
  #introduceToStore: Introduce
  #appendLetters: AppendLetters
  /** What somebody wants to see of its events. */
  onWatched: (report: WatchReport) => void = () => {}
  #batches = new Map<number, { resolve: () => void; reject: (error: Error) => void }>()
  #nextBatch = 0
  #closed: () => void = () => {}
  #started!: { resolve: () => void; reject: (error: Error) => void }

  constructor(
    setup: Setup,
    board: BoardLayout,
    row: number,
    generation: Generation,
    introduceToStore: Introduce,
    appendLetters: AppendLetters = () => Promise.resolve(),
  ) {
    this.#generation = generation
    this.#introduceToStore = introduceToStore
    this.#appendLetters = appendLetters
    this.#worker = new Worker(threadEntry, { workerData: { role: 'worker' }, resourceLimits: heapLimits() })
    keepTrackOf(this.#worker)
    this.ready = new Promise((resolve, reject) => {
      this.#started = { resolve, reject }
    })
    this.#worker.on('message', (message: FromWorker) => void this.#receive(message))
    this.#worker.on('error', (error: unknown) => this.#lost(asError(error)))
    this.#worker.on('exit', (code) => this.#lost(new Error(`the worker thread ended with exit code ${code}`)))
    this.#post({ kind: 'start', setup, board, row })
  }

  #post(message: ToWorker, transfer: (ArrayBuffer | MessagePort)[] = []): void {
    this.#worker.postMessage(message, transfer)
  }

  async #receive(message: FromWorker): Promise<void> {
    switch (message.kind) {
      case 'ready':
        return this.#started.resolve()
      case 'failed':
        return this.#fail(errorOf(message.failure))
      case 'done':
        return this.#settle(message.batch, message.error && new Error(message.error.message))
      case 'write':
        return this.#write(message)
      case 'letters':
        await this.#appendLetters(message.entries)
        return this.#post({ kind: 'written', write: message.write })
      case 'store-connect': {
        const met = await this.#introduceToStore().catch(() => undefined)
        const { request } = message
        return this.#post({ kind: 'store-connected', request, met }, met === undefined ? [] : [met.link])
      }
      case 'watched':
        return this.onWatched(message.report)
      case 'closed':
        return this.#closed()
    }
  }

  async #write({ write, output, blocks }: Extract<FromWorker, { kind: 'write' }>): Promise<void> {
    try {
      await this.#generation.writeFromThread(output, blocks)
      this.#post({ kind: 'written', write })
    } catch (error) {
      const undelivered = error instanceof Undelivered ? error.targets : undefined
      this.#post({ kind: 'written', write, error: (error as Error).message, undelivered })
    }
  }

  #settle(batch: number, error: Error | undefined): void {
    const waiting = this.#batches.get(batch)
    this.#batches.delete(batch)
    if (error === undefined) waiting?.resolve()
    else waiting?.reject(error)
  }

  /** The thread is gone, and with it everything it had. */
  #lost(error: Error): void {
    if (this.#isGone) return
    this.#isGone = true
    this.onLost(error)
    this.#fail(error)
  }

  #fail(error: Error): void {
    this.#started.reject(error)
    for (const batch of [...this.#batches.keys()]) this.#settle(batch, new WorkerLost(error))
    this.#closed()
  }

  #batch(message: (batch: number) => ToWorker, transfer: ArrayBuffer[] = []): Promise<void> {
    const batch = this.#nextBatch++
    if (this.#isGone) return Promise.reject(new WorkerLost(new Error('the worker thread has ended')))
    return new Promise((resolve, reject) => {
      this.#batches.set(batch, { resolve, reject })
      this.#post(message(batch), transfer)
    })
  }

  run(frames: readonly Frame[]): Promise<void> {
    const portable = frames.map(toPortable)
    return this.#batch((batch) => ({ kind: 'run', batch, frames: portable }), buffersOf(portable))
  }

  flush(final: boolean): Promise<void> {
    return this.#batch((batch) => ({ kind: 'flush', batch, final }))
  }

  watch(order: WatchOrder): void {
    if (!this.#isGone) this.#post({ kind: 'watch', order })
  }

  collect(request: number): void {
    if (!this.#isGone) this.#post({ kind: 'collect', request })
  }

  abort(): void {
    if (!this.#isGone) this.#post({ kind: 'abort' })
  }

  async close(): Promise<void> {
    if (this.#isGone) return
    const closed = new Promise<void>((resolve) => {
      this.#closed = resolve
    })
    this.#post({ kind: 'close' })
    const limit = setTimeout(() => this.#closed(), closeLimit)
    await closed
    clearTimeout(limit)
    await this.#worker.terminate()
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

function errorOf({ message, type, stack }: Failure): Error {
  return Object.assign(new Error(message), { name: type, ...(stack !== undefined && { stack }) })
}
