/**
 * The control thread's handle on one pipeline: its thread, what it last said about itself, and the
 * promises behind start, reload and stop.
 */
import { type MessagePort, type TransferListItem, Worker } from 'node:worker_threads'
import type { BusBroker, BusMember } from './bus-broker.ts'
import { threadEntry } from './entry-url.ts'
import { failureOf } from './failure.ts'
import type { BusReply, Failure, FromHost, PipelineSummary, Setup, ToHost } from './messages.ts'

export class PipelineFailure extends Error {
  readonly failure: Failure
  /** Of the earlier configuration, when the pipeline still runs it. */
  readonly running: PipelineSummary | undefined

  constructor(failure: Failure, running?: PipelineSummary) {
    super(failure.message)
    this.name = 'PipelineFailure'
    this.failure = failure
    this.running = running
  }
}

export interface Pending {
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
  #worker: Worker
  #broker: BusBroker
  #change: Settle<PipelineSummary> | undefined
  #stopped: Settle<void> | undefined
  #pending: ((pending: Pending) => void)[] = []
  #end!: (how: 'finished' | Failure) => void

  constructor(broker: BusBroker, worker = new Worker(threadEntry, { workerData: { role: 'host' } })) {
    this.#broker = broker
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
    this.#worker = worker
    this.#worker.on('message', (message: FromHost) => this.#receive(message))
    this.#worker.on('error', (error: Error) => this.#lost(failureOf(error)))
    this.#worker.on('exit', () => this.#lost({ message: 'the thread of the pipeline ended', type: 'Error' }))
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
        return this.#end('finished')
      case 'crashed':
        return this.#end(message.failure)
      case 'stopped':
        return this.#stopped?.resolve()
      case 'pending': {
        const { queued, batches, waiting } = message
        return this.#pending.shift()?.({ queued, batches, waiting })
      }
      default:
        return this.#broker.receive(message, this)
    }
  }

  #lost(failure: Failure): void {
    this.#broker.leave(this)
    this.#change?.reject(new PipelineFailure(failure))
    this.#stopped?.resolve()
    for (const answer of this.#pending.splice(0)) answer({ queued: 0, batches: 0, waiting: 0 })
    this.#end(failure)
  }

  #changed(message: ToHost): Promise<PipelineSummary> {
    return new Promise((resolve, reject) => {
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
    await new Promise<void>((resolve, reject) => {
      this.#stopped = { resolve, reject }
      this.#send({ kind: 'stop', last })
    })
    await this.terminate()
  }

  /** Ends the long waits of plugins. */
  abort(): void {
    this.#send({ kind: 'abort' })
  }

  async terminate(): Promise<void> {
    this.#broker.leave(this)
    await this.#worker.terminate()
  }

  /** What is still inside; the thread may be too busy to answer in time. */
  pending(limit: number): Promise<Pending | undefined> {
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
