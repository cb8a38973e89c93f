/**
 * Gives work on configurations to the workbench thread, one job at a time. A job that takes longer than it may ends
 * with its thread; the next one gets a new thread.
 */
import { workbenchEntry } from '../entry-url.ts'
import { SideThread } from '../side-thread.ts'
import type { InspectionJob } from './inspection-job.ts'

const idleMillis = 60_000
const maxWaiting = 8

export class TooManyInspections extends Error {}
export class InspectionTimeout extends Error {}

export class Inspections {
  #thread: SideThread<InspectionJob> | undefined
  #tail: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #isClosed = false

  /** JSON text. Rejects with `TooManyInspections`, `InspectionTimeout`, or what is wrong with the configuration. */
  run(job: InspectionJob, maxMillis: number): Promise<string> {
    if (this.#waiting >= maxWaiting || this.#isClosed)
      return Promise.reject(new TooManyInspections('Too many configurations are tried at once'))
    this.#waiting += 1
    const turn = this.#tail.then(() => this.#limited(job, maxMillis))
    this.#tail = turn
      .catch(() => undefined)
      .finally(() => {
        this.#waiting -= 1
      })
    return turn
  }

  async #limited(job: InspectionJob, maxMillis: number): Promise<string> {
    this.#thread ??= new SideThread<InspectionJob>(workbenchEntry, idleMillis)
    const thread = this.#thread
    let isLate = false
    const limit = setTimeout(() => {
      isLate = true
      this.#thread = undefined
      void thread.close()
    }, maxMillis)
    try {
      return (await thread.run(job)) as string
    } catch (error) {
      throw isLate ? new InspectionTimeout(`It took longer than ${maxMillis} ms and was ended`) : error
    } finally {
      clearTimeout(limit)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.close()
  }
}
