/**
 * Gives jobs of the store to a thread of their own, which comes when there is work and goes when there has been none
 * for a while, with all memory it took. What the thread answers is handed over, not copied. The thread works on one
 * job at a time, in their order: when it dies, the oldest job is to blame. The others are given to a new thread, and so
 * is that one, a few times; then it fails alone.
 */
import { Worker } from 'node:worker_threads'
import { Logger } from '../log/logger.ts'
import { failureOf } from './failure.ts'
import { keepTrackOf } from './live-threads.ts'
import { heapLimits } from './memory/heap-limits.ts'
import { traceOf } from './queues/loss-report.ts'

export interface SideRequest<Job> {
  readonly number: number
  readonly job: Job
}

export interface SideAnswer {
  readonly number: number
  readonly result?: unknown
  /** Undefined when the job is done. */
  readonly error: SideFailure | undefined
}

/** An error on its way between threads, with what tells a damaged file and a full disk from other faults. */
export interface SideFailure {
  readonly name: string
  readonly message: string
  readonly code: string | undefined
  readonly path: string | undefined
}

export function sideFailure(error: unknown): SideFailure {
  const { name, message, code, path } = error as Error & { code?: string; path?: string }
  return { name, message, code, path }
}

interface Waiting<Job> {
  /** Held until it is done: its shared memory must not be used for anything else before. */
  readonly job: Job
  /** Threads that died of it. */
  deaths: number
  resolve(result: unknown): void
  reject(error: Error): void
}

/** A job may have been unlucky twice; then it is the cause. */
const maxDeaths = 3

export class SideThread<Job> {
  readonly #entry: URL
  readonly #idleMillis: number
  readonly #logger = new Logger('millrace.search')
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #next = 0
  /** In the order the thread works on them. */
  readonly #waiting = new Map<number, Waiting<Job>>()

  constructor(entry: URL, idleMillis: number) {
    this.#entry = entry
    this.#idleMillis = idleMillis
  }

  /** Resolves with the answer when the job is done. */
  run(job: Job): Promise<unknown> {
    clearTimeout(this.#idle)
    this.#worker ??= this.#start()
    const worker = this.#worker
    const number = this.#next++
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { job, deaths: 0, resolve, reject })
      worker.postMessage({ number, job } satisfies SideRequest<Job>)
    })
  }

  #start(): Worker {
    const worker = new Worker(this.#entry, { resourceLimits: heapLimits() })
    keepTrackOf(worker)
    worker.unref()
    worker.on('message', ({ number, result, error }: SideAnswer) => {
      const waiting = this.#waiting.get(number)
      this.#waiting.delete(number)
      if (error === undefined) waiting?.resolve(result)
      else waiting?.reject(Object.assign(new Error(error.message), error))
      if (this.#waiting.size > 0) return
      this.#idle = setTimeout(() => void this.close(), this.#idleMillis)
      this.#idle.unref()
    })
    const lost = (error: unknown) => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#lost(error)
    }
    worker.on('error', lost)
    worker.on('exit', (code) => lost(new Error(`the thread ended with exit code ${code}`)))
    return worker
  }

  #lost(error: unknown): void {
    clearTimeout(this.#idle)
    const failure = failureOf(error)
    const [oldest] = this.#waiting
    this.#logger.error('A thread that works for the search store ended', {
      thread: this.#entry.pathname.split('/').pop(),
      error: failure.message,
      exception: failure.type,
      waiting_jobs: this.#waiting.size,
      backtrace: traceOf(failure),
    })
    if (oldest === undefined) return
    const [number, guilty] = oldest
    guilty.deaths += 1
    if (guilty.deaths >= maxDeaths) {
      this.#waiting.delete(number)
      guilty.reject(new Error(`the thread for it ended ${maxDeaths} times: ${failure.message}`))
    }
    if (this.#waiting.size === 0) return
    const worker = this.#start()
    this.#worker = worker
    for (const [again, { job }] of this.#waiting)
      worker.postMessage({ number: again, job } satisfies SideRequest<Job>)
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    for (const { reject } of this.#waiting.values()) reject(new Error('the thread was ended'))
    this.#waiting.clear()
    await worker?.terminate()
  }
}
