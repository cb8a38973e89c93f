/**
 * Keeps the search store running: a thread that ended, or could not open, is started again after a back-off, at the
 * port it had. Pipelines that ask for a link meanwhile wait; nothing else of the node is affected.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { MessagePort } from 'node:worker_threads'
import type { ClusterStatus } from '../../cluster/cluster-watch.ts'
import { Logger } from '../../log/logger.ts'
import { BackOff, type BackOffLimits } from '../../pipeline/run/back-off.ts'
import type { Failure } from '../messages.ts'
import { traceOf } from '../queues/loss-report.ts'
import type { StoreHealth } from './store-health.ts'
import { type StoreFailure, StoreThread, type StoreThreadOptions } from './store-thread.ts'

export interface StoreStatus {
  readonly state: 'starting' | 'running' | 'restarting' | 'stopped'
  /** Threads that came after the first one. */
  readonly restarts: number
  /** Why it was down last. */
  readonly reason: string | undefined
  /** The cluster that keeps the documents; undefined when this process does, or before it was asked. */
  readonly cluster?: ClusterStatus
  /** What is wrong with the store of this process; undefined when nothing is. */
  readonly health?: StoreHealth | undefined
}

interface StoreSupervisorOptions extends StoreThreadOptions {
  /** The first start shows that the settings cannot be followed; there are no further ones. */
  refused(message: string): void
}

const backOffLimits: BackOffLimits = { first: 500, max: 30_000, healthyAfter: 60_000 }

export class StoreSupervisor {
  /** The port of the search API; rejects when the first start fails, even if a later one does not. */
  readonly ready: Promise<number>
  readonly #options: StoreSupervisorOptions
  readonly #logger = new Logger('millrace.search')
  readonly #backOff = new BackOff(backOffLimits)
  readonly #stopped = new AbortController()
  #thread: StoreThread
  #port: number | undefined
  #status: StoreStatus = { state: 'starting', restarts: 0, reason: undefined }
  /** Those who wait for a store that runs. */
  #waiting: ((thread: StoreThread) => void)[] = []

  constructor(options: StoreSupervisorOptions) {
    this.#options = {
      ...options,
      clusterChanged: (cluster) => {
        this.#status = { ...this.#status, cluster }
      },
      healthChanged: (health) => {
        this.#status = { ...this.#status, health }
      },
    }
    this.#thread = new StoreThread(this.#options)
    this.ready = this.#thread.ready
    void this.#watch(this.#thread)
  }

  get status(): StoreStatus {
    return this.#status
  }

  /** One end of a new link to the store, once it runs. */
  async connect(): Promise<{ link: MessagePort; port: number }> {
    const thread =
      this.#status.state === 'running'
        ? this.#thread
        : await new Promise<StoreThread>((resolve) => {
            this.#waiting.push(resolve)
          })
    return { link: thread.connect(), port: this.#port! }
  }

  async #watch(thread: StoreThread): Promise<void> {
    try {
      this.#port = await thread.ready
    } catch (error) {
      if (this.#stopped.signal.aborted) return
      const { failure, isRefusal } = error as StoreFailure
      await thread.terminate()
      if (isRefusal && this.#port === undefined) return this.#options.refused(failure.message)
      return this.#restart('The search store could not be opened; another try follows', failure)
    }
    this.#backOff.started()
    this.#status = { ...this.#status, state: 'running' }
    for (const resolve of this.#waiting.splice(0)) resolve(thread)
    const failure = await thread.lost
    if (this.#stopped.signal.aborted) return
    await this.#restart('The search store ended; it is started again, and who writes to it waits', failure)
  }

  async #restart(text: string, failure: Failure): Promise<void> {
    const delay = this.#backOff.next()
    this.#status = { ...this.#status, state: 'restarting', reason: failure.message, health: undefined }
    this.#logger.error(text, {
      error: failure.message,
      exception: failure.type,
      restart_in_seconds: delay / 1000,
      backtrace: traceOf(failure),
    })
    const { signal } = this.#stopped
    await wait(delay, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    this.#status = { ...this.#status, restarts: this.#status.restarts + 1 }
    this.#thread = new StoreThread(this.#options, this.#port)
    void this.#watch(this.#thread)
  }

  /** `limit`: in milliseconds, for a store that does not come to its end. */
  async stop(limit: number): Promise<void> {
    this.#stopped.abort()
    this.#status = { ...this.#status, state: 'stopped' }
    await this.#thread.stop(limit)
  }
}
