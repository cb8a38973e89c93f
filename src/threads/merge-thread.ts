/**
 * Gives work on segments to a thread of its own, which comes when there is work and goes when there has been none for a
 * while, with all memory it took.
 */
import { Worker } from 'node:worker_threads'
import { mergeEntry } from './entry-url.ts'

interface Answer {
  readonly number: number
  readonly error: string | undefined
}

interface Waiting {
  resolve(): void
  reject(error: Error): void
}

const idleMillis = 2_000

export class MergeThread {
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #next = 0
  readonly #waiting = new Map<number, Waiting>()

  /** Resolves when the job is done. */
  run(job: unknown): Promise<void> {
    clearTimeout(this.#idle)
    this.#worker ??= this.#start()
    const worker = this.#worker
    const number = this.#next++
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject })
      worker.postMessage({ number, job })
    })
  }

  #start(): Worker {
    const worker = new Worker(mergeEntry)
    worker.unref()
    worker.on('message', ({ number, error }: Answer) => {
      const waiting = this.#waiting.get(number)
      this.#waiting.delete(number)
      if (error === undefined) waiting?.resolve()
      else waiting?.reject(new Error(error))
      if (this.#waiting.size > 0) return
      this.#idle = setTimeout(() => void this.close(), idleMillis)
      this.#idle.unref()
    })
    const lost = (error: Error) => {
      if (this.#worker === worker) this.#worker = undefined
      for (const { reject } of this.#waiting.values()) reject(error)
      this.#waiting.clear()
    }
    worker.on('error', lost)
    worker.on('exit', () => lost(new Error('the thread of merges ended')))
    return worker
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}
