/**
 * Watches a shutdown: reports what is still in flight, says when nothing moves any more, and ends the
 * wait once a bound without any progress has passed.
 */
import { Logger } from '../log/logger.ts'
import { eventKeys } from '../metrics/pipeline-keys.ts'
import type { PipelineState } from './pipeline-state.ts'

const reportEvery = 1000
const reportsPerLine = 5
const stalledReports = 5
/** Stalled cycles after which `pipeline.unsafe_shutdown` gives up. */
const unsafeCycles = 3

interface ShutdownWatchOptions {
  running(): PipelineState[]
  unsafe: boolean
  /** Longest time without progress, in milliseconds. */
  stallLimit: number
  /** Nothing has moved for the whole limit, or the stall is given up as unsafe. */
  giveUp(reason: 'unsafe' | 'limit'): void
}

export class ShutdownWatch {
  #options: ShutdownWatchOptions
  #logger = new Logger('org.logstash.execution.ShutdownWatcherExt')
  #timer: NodeJS.Timeout
  #reports = 0
  #minInFlight = Number.POSITIVE_INFINITY
  #processed = -1
  /** What a pipeline said last; one that is too busy to answer has not lost its events. */
  #known = new Map<string, number>()
  #unmoved = 0
  #cycles = 0

  constructor(options: ShutdownWatchOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.#report(), reportEvery)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #report(): Promise<void> {
    const report = await this.#inflight()
    this.#reports += 1
    const processed = this.#countProcessed()
    const moves = report.inflight_count < this.#minInFlight || processed > this.#processed
    this.#unmoved = moves ? 0 : this.#unmoved + 1
    this.#minInFlight = Math.min(this.#minInFlight, report.inflight_count)
    this.#processed = processed
    if (this.#reports % reportsPerLine === 0)
      this.#logger.warn('Shutdown waits for events in flight', { ...report })
    if (this.#unmoved > 0 && this.#unmoved % stalledReports === 0) this.#stalled()
    if (this.#unmoved * reportEvery >= this.#options.stallLimit) this.#options.giveUp('limit')
  }

  #stalled(): void {
    this.#cycles += 1
    this.#logger.error(
      'The shutdown process appears to be stalled due to busy or blocked plugins. Check the logs for more information.',
    )
    if (this.#options.unsafe && this.#cycles >= unsafeCycles) {
      this.#logger.fatal('Forcefully quitting Logstash ...')
      this.#options.giveUp('unsafe')
    }
  }

  async #inflight() {
    const pipelines: Record<string, unknown> = {}
    let inflight_count = 0
    for (const { id, thread, config } of this.#options.running()) {
      const pending = await thread?.pending(reportEvery / 2)
      if (pending !== undefined) {
        this.#known.set(id, pending.queued + pending.batches * config.settings.get('pipeline.batch.size'))
        pipelines[id] = pending
      }
      inflight_count += this.#known.get(id) ?? 0
    }
    return { inflight_count, pipelines }
  }

  /** Read from shared memory: it does not depend on the threads. */
  #countProcessed(): number {
    return this.#options
      .running()
      .reduce(
        (sum, { board }) => sum + (board?.sum(eventKeys.filtered) ?? 0) + (board?.sum(eventKeys.out) ?? 0),
        0,
      )
  }
}
