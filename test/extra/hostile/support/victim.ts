/** The real program in a memory cgroup of 512 MB, and what can be seen of it from outside. */
import { writeFileSync } from 'node:fs'
import { MemoryCgroup } from '../../../support/memory-cgroup.ts'
import { Millrace, type MillraceOptions } from '../../../support/millrace.ts'
import {
  openFiles,
  peakMegabytes,
  processorSeconds,
  residentMegabytes,
} from '../../../support/process-figures.ts'
import { Pings } from './pings.ts'

export const limitMegabytes = 512

export interface VictimOptions extends Omit<MillraceOptions, 'wrapper'> {
  /** Put between the cgroup and `node`, such as `prlimit --nofile=64`. */
  through?: readonly string[]
  /** False: the caller waits for what it needs. */
  waits?: boolean
}

export class Victim {
  readonly millrace: Millrace
  readonly #cgroup: MemoryCgroup | string
  #baseline = 0
  #pings: Pings[] = []

  private constructor(millrace: Millrace, cgroup: MemoryCgroup | string) {
    this.millrace = millrace
    this.#cgroup = cgroup
  }

  static async start({ through = [], waits = true, ...options }: VictimOptions): Promise<Victim> {
    const cgroup = MemoryCgroup.create(limitMegabytes * 1024 * 1024)
    const millrace = await Millrace.start({
      api: true,
      search: true,
      config: 'input { heartbeat { } } output { null { } }',
      ...options,
      wrapper: [...(typeof cgroup === 'string' ? [] : cgroup.wrapper), ...through],
    })
    const victim = new Victim(millrace, cgroup)
    if (waits) {
      try {
        await millrace.untilStarted(60_000)
        if (millrace.searchPort !== undefined) await millrace.untilSearchable(60_000)
      } catch (error) {
        await victim.dispose()
        throw error
      }
      victim.mark()
    }
    return victim
  }

  get api(): string {
    return `http://127.0.0.1:${this.millrace.apiPort}`
  }

  get search(): string {
    return `http://127.0.0.1:${this.millrace.searchPort}`
  }

  get isAlive(): boolean {
    return this.millrace.running
  }

  get wasKilled(): boolean {
    return typeof this.#cgroup !== 'string' && this.#cgroup.kills > 0
  }

  get resident(): number {
    return this.isAlive ? residentMegabytes(this.millrace.pid) : Number.NaN
  }

  get files(): number {
    return this.isAlive ? openFiles(this.millrace.pid) : Number.NaN
  }

  get processorSeconds(): number {
    return this.isAlive ? processorSeconds(this.millrace.pid) : Number.NaN
  }

  /** From here on growth and peak are counted. */
  mark(): void {
    // The kernel then starts its high-water mark anew.
    writeFileSync(`/proc/${this.millrace.pid}/clear_refs`, '5')
    this.#baseline = this.resident
  }

  /** Highest resident memory since the mark, in MB. */
  get peak(): number {
    return this.isAlive ? peakMegabytes(this.millrace.pid) : Number.NaN
  }

  /** Highest growth since the mark, in MB. */
  get growth(): number {
    return this.peak - this.#baseline
  }

  /** Asks again and again from a thread of its own; `stop()` tells how long the answers took. */
  ping(url: string, body?: unknown): Pings {
    const pings = new Pings(url, body)
    this.#pings.push(pings)
    return pings
  }

  /** Status and text of one answer; status 0 when there was none. */
  async ask(
    method: string,
    path: string,
    body?: string,
    limit = 30_000,
  ): Promise<{ status: number; text: string }> {
    const type =
      path.includes('_bulk') || path.includes('_msearch') ? 'application/x-ndjson' : 'application/json'
    try {
      const response = await fetch(`${this.search}${path}`, {
        method,
        signal: AbortSignal.timeout(limit),
        ...(body !== undefined && { body, headers: { 'content-type': type } }),
      })
      return { status: response.status, text: await response.text() }
    } catch (error) {
      return { status: 0, text: String((error as Error).cause ?? error) }
    }
  }

  lastWords(): string {
    return `${this.millrace.stdout.slice(-1500)}\n${this.millrace.stderr.slice(-1500)}`
  }

  async dispose(): Promise<void> {
    for (const pings of this.#pings) await pings.stop()
    await this.millrace.dispose()
    if (typeof this.#cgroup !== 'string') await this.#cgroup.remove()
  }
}
