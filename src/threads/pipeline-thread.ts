/**
 * The control thread's handle on one pipeline: its thread, what it last said about itself, and the
 * promises behind start, reload and stop.
 */
import { type MessagePort, type TransferListItem, Worker } from 'node:worker_threads'
import type { WatchOrder, WatchReport } from '../pipeline/watch/watch-order.ts'
import type { DeadLetterStats } from '../queue/dead-letters/queue.ts'
import type { QueueFigures } from '../queue/persisted/persisted-queue.ts'
import type { BusBroker, BusMember } from './bus/bus-broker.ts'
import { threadEntry } from './entry-url.ts'
import { failureOf } from './failure.ts'
import { keepTrackOf } from './live-threads.ts'
import { heapLimits } from './memory/heap-limits.ts'
import type { BusReply, Failure, FromHost, PipelineSummary, Setup, ToHost } from './messages.ts'

export class PipelineFailure extends Error {
  readonly failure: Failure
  /** Summary of the earlier configuration, when the pipeline still runs it. */
  readonly running: PipelineSummary | undefined

  constructor(failure: Failure, running?: PipelineSummary) {
    super(failure.message)
    this.name = 'PipelineFailure'
    this.failure = failure
    this.running = running
  }
}

interface Pending {
  queued: number
  batches: number
  waiting: number
}

interface Settle<T> {
  resolve: (value: T) => void
  reject: (error: Error) => void
}

export class PipelineThread implements BusMember {
  /** How the pipeline came to its end by itself. */
  readonly ended: Promise<'finished' | Failure>
  /** Resolves when the thread ended, or has to be replaced, and nobody had asked it to. */
  readonly lost: Promise<Failure>
  /** What the host tells about its workers. */
  onWorkerLost: (failure: Failure) => void = () => {}
  onGivenUp: () => void = () => {}
  onWatched: (report: WatchReport) => void = () => {}
  /** Figures of its dead letter queue, if it has one. */
  deadLetters: DeadLetterStats | undefined
  /** Figures of its persisted queue, if it has one. */
  queue: QueueFigures | undefined
  #worker: Worker
  #broker: BusBroker
  #change: Settle<PipelineSummary> | undefined
  #stopped: Settle<void> | undefined
  #replays = new Map<number, Settle<void>>()
  #lastReplay = 0
  #pending: ((pending: Pending) => void)[] = []
  #end!: (how: 'finished' | Failure) => void
  #lose!: (failure: Failure) => void
  #isGone = false
  /** It has come to its end, or was asked to. */
  #isOver = false

  constructor(broker: BusBroker, worker = startHost()) {
    this.#broker = broker
    this.lost = new Promise((resolve) => {
      this.#lose = resolve
    })
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
    this.#worker = worker
    keepTrackOf(worker)
    this.#worker.on('message', (message: FromHost) => this.#receive(message))
    this.#worker.on('error', (error: unknown) => this.#gone(failureOf(error)))
    this.#worker.on('exit', (code) =>
      this.#gone({ message: `the thread of the pipeline ended with exit code ${code}`, type: 'Error' }),
    )
  }

  post(message: BusReply, transfer: MessagePort[]): void {
    this.#worker.postMessage(message, transfer as TransferListItem[])
  }

  #send(message: ToHost): void {
    this.#worker.postMessage(message)
  }

  #receive(message: FromHost): void {
    switch (message.kind) {
      case 'started':
      case 'reloaded':
        return this.#change?.resolve(message.summary)
      case 'failed':
        return this.#change?.reject(new PipelineFailure(message.failure))
      case 'reload-failed':
        return this.#change?.reject(new PipelineFailure(message.failure, message.summary))
      case 'finished':
        this.#isOver = true
        return this.#end('finished')
      case 'crashed':
        this.#isOver = true
        return this.#end(message.failure)
      case 'faulted':
        return this.#gone(message.failure)
      case 'worker-lost':
        return this.onWorkerLost(message.failure)
      case 'gave-up':
        return this.onGivenUp()
      case 'stopped':
        return this.#stopped?.resolve()
      case 'queue':
        this.queue = message.figures
        return
      case 'watched':
        return this.onWatched(message.report)
      case 'dead-letters':
        this.deadLetters = message.stats
        return
      case 'replayed': {
        const waiting = this.#replays.get(message.request)
        this.#replays.delete(message.request)
        if (message.error === undefined) return waiting?.resolve()
        return waiting?.reject(new Error(message.error))
      }
      case 'pending': {
        const { queued, batches, waiting } = message
        return this.#pending.shift()?.({ queued, batches, waiting })
      }
      default:
        return this.#broker.receive(message, this)
    }
  }

  #gone(failure: Failure): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#broker.leave(this)
    this.#change?.reject(new PipelineFailure(failure))
    this.#stopped?.resolve()
    for (const { reject } of this.#replays.values()) reject(new Error(failure.message))
    this.#replays.clear()
    for (const answer of this.#pending.splice(0)) answer({ queued: 0, batches: 0, waiting: 0 })
    if (!this.#isOver) this.#lose(failure)
  }

  #changed(message: ToHost): Promise<PipelineSummary> {
    return new Promise((resolve, reject) => {
      if (this.#isGone) return reject(new Error('the thread of the pipeline has ended'))
      this.#change = { resolve, reject }
      this.#send(message)
    })
  }

  start(setup: Setup): Promise<PipelineSummary> {
    return this.#changed({ kind: 'start', setup })
  }

  reload(setup: Setup): Promise<PipelineSummary> {
    return this.#changed({ kind: 'reload', setup })
  }

  /** Inputs stop, everything accepted leaves, plugins close. `last`: because the process ends. */
  async stop(last: boolean): Promise<void> {
    this.#isOver = true
    await new Promise<void>((resolve, reject) => {
      if (this.#isGone) return resolve()
      this.#stopped = { resolve, reject }
      this.#send({ kind: 'stop', last })
    })
    await this.terminate()
  }

  /** Puts events in wire form into the queue of the pipeline. Resolves when there was room for them. */
  replay(bytes: Uint8Array, count: number): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isGone || this.#isOver) return reject(new Error('the pipeline does not run'))
      this.#lastReplay += 1
      this.#replays.set(this.#lastReplay, { resolve, reject })
      this.#send({ kind: 'replay', request: this.#lastReplay, bytes, count })
    })
  }

  /** Shows events of the pipeline, or no longer; heard by `onWatched`. */
  watch(order: WatchOrder): void {
    if (!this.#isGone) this.#send({ kind: 'watch', order })
  }

  collect(request: number): void {
    if (!this.#isGone) this.#send({ kind: 'collect', request })
  }

  /** Ends the long waits of plugins. */
  abort(): void {
    this.#send({ kind: 'abort' })
  }

  async terminate(): Promise<void> {
    this.#isOver = true
    this.#broker.leave(this)
    await this.#worker.terminate()
  }

  /** What is still inside; the thread may be too busy to answer in time. */
  pending(limit: number): Promise<Pending | undefined> {
    if (this.#isGone) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), limit)
      this.#pending.push((pending) => {
        clearTimeout(timer)
        resolve(pending)
      })
      this.#send({ kind: 'pending' })
    })
  }
}

function startHost(): Worker {
  return new Worker(threadEntry, { workerData: { role: 'host' }, resourceLimits: heapLimits() })
}
