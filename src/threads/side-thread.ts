/**
 * Gives jobs of the store to a thread of their own, which comes when there is work and goes when there has been none
 * for a while, with all memory it took. What the thread answers is handed over, not copied.
 */
import { Worker } from 'node:worker_threads'

export interface SideRequest<Job> {
  readonly number: number
  readonly job: Job
}

export interface SideAnswer {
  readonly number: number
  readonly result?: unknown
  /** Undefined when the job is done. */
  readonly error: string | undefined
}

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

export class SideThread<Job> {
  readonly #entry: URL
  readonly #idleMillis: number
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #next = 0
  readonly #waiting = new Map<number, Waiting>()

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
      this.#waiting.set(number, { resolve, reject })
      worker.postMessage({ number, job } satisfies SideRequest<Job>)
    })
  }

  #start(): Worker {
    const worker = new Worker(this.#entry)
    worker.unref()
    worker.on('message', ({ number, result, error }: SideAnswer) => {
      const waiting = this.#waiting.get(number)
      this.#waiting.delete(number)
      if (error === undefined) waiting?.resolve(result)
      else waiting?.reject(new Error(error))
      if (this.#waiting.size > 0) return
      this.#idle = setTimeout(() => void this.close(), this.#idleMillis)
      this.#idle.unref()
    })
    const lost = (error: Error) => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      for (const { reject } of this.#waiting.values()) reject(error)
      this.#waiting.clear()
    }
    worker.on('error', lost)
    worker.on('exit', () => lost(new Error('the thread ended')))
    return worker
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
