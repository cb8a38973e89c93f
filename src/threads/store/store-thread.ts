/** The control thread's handle on the thread of the search store. */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { ClusterStatus } from '../../cluster/cluster-watch.ts'
import type { SettingsData } from '../../settings/settings.ts'
import { storeEntry } from '../entry-url.ts'
import { failureOf } from '../failure.ts'
import { keepTrackOf } from '../live-threads.ts'
import { heapLimits } from '../memory/heap-limits.ts'
import type { Failure } from '../messages.ts'
import type { StoreHealth } from './store-health.ts'
import type { FromStore, ToStore } from './store-messages.ts'

/**
 * The young generation of the store's heap. Everything waits while new objects that are still in use are copied: 4 MB of them, a third of
 * this, take a few milliseconds; 16 MB, Node's own measure, more than twenty.
 */
const youngMegabytes = 12

export class StoreFailure extends Error {
  readonly failure: Failure
  /** The settings ask for what cannot be had. */
  readonly isRefusal: boolean

  constructor(failure: Failure, isRefusal: boolean) {
    super(failure.message)
    this.name = 'StoreFailure'
    this.failure = failure
    this.isRefusal = isRefusal
  }
}

export interface StoreThreadOptions {
  readonly settings: SettingsData
  readonly nodeId: string
  /** Port of the monitoring API, where the dashboard is; undefined when it is off. */
  readonly apiPort?: number | undefined
  /** Makes a report on the threads of the process; it is given a query string. */
  hotThreads(parameters: string): Promise<string>
  /** What became of the cluster that keeps the documents. */
  clusterChanged?(status: ClusterStatus): void
  /** What is wrong with the store of this process. */
  healthChanged?(health: StoreHealth): void
}

export class StoreThread {
  /** The port the search API listens at; rejects with a `StoreFailure` when the store cannot be opened or served. */
  readonly ready: Promise<number>
  /** Resolves when the thread ended and nobody had asked it to. */
  readonly lost: Promise<Failure>
  #worker: Worker
  #isReady = false
  #stopped: () => void = () => {}
  #isStopping = false

  /** `port`: the one an earlier thread had, when that one is wanted again. */
  constructor(options: StoreThreadOptions, port?: number) {
    const { settings, nodeId, apiPort, hotThreads, clusterChanged, healthChanged } = options
    this.#worker = new Worker(storeEntry, {
      resourceLimits: heapLimits(undefined, youngMegabytes),
    })
    keepTrackOf(this.#worker)
    let lose!: (failure: Failure) => void
    this.lost = new Promise((resolve) => {
      lose = resolve
    })
    this.ready = new Promise((resolve, reject) => {
      const end = (failure: Failure) => {
        reject(new StoreFailure(failure, false))
        this.#stopped()
        if (!this.#isStopping && this.#isReady) lose(failure)
      }
      this.#worker.on('message', (message: FromStore) => {
        if (message.kind === 'ready') {
          this.#isReady = true
          resolve(message.port)
        } else if (message.kind === 'failed') reject(new StoreFailure(message.failure, message.isRefusal))
        else if (message.kind === 'hot-threads') {
          const { kind, number, parameters } = message
          void hotThreads(parameters).then(
            (text) => this.#post({ kind, number, text }),
            (error: Error) => this.#post({ kind, number, error: error.message }),
          )
        } else if (message.kind === 'cluster') clusterChanged?.(message.status)
        else if (message.kind === 'health') healthChanged?.(message.health)
        else this.#stopped()
      })
      this.#worker.on('error', (error: unknown) => end(failureOf(error)))
      this.#worker.on('exit', (code) =>
        end({ message: `the thread of the search store ended with exit code ${code}`, type: 'Error' }),
      )
    })
    // Whoever waits for it gets the error; nobody may be waiting.
    this.ready.catch(() => undefined)
    this.#post({ kind: 'start', settings, nodeId, port, apiPort })
  }

  #post(message: ToStore, transfer: MessagePort[] = []): void {
    this.#worker.postMessage(message, transfer)
  }

  /** One end of a new link; the store has the other. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.#post({ kind: 'accept', port: port1 }, [port1])
    return port2
  }

  /** `limit`: how long it may take to write what is in memory, in milliseconds; what is acknowledged is safe anyway. */
  async stop(limit: number): Promise<void> {
    this.#isStopping = true
    // Before it is ready it has acknowledged nothing.
    if (this.#isReady) {
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        this.#stopped = resolve
        timer = setTimeout(resolve, limit)
        this.#post({ kind: 'stop' })
      })
      clearTimeout(timer)
    }
    await this.terminate()
  }

  /** At once: what is acknowledged is on the disk. */
  async terminate(): Promise<void> {
    this.#isStopping = true
    await this.#worker.terminate()
  }
}
