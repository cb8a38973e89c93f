/**
 * Decides when a checkpoint is written, and releases pages after the checkpoint that makes them unreachable is durable:
 * a page that went before would look like a loss after a crash.
 */
import { type Checkpoint, CheckpointSlots, maxIntervals } from './checkpoint.ts'
import { timer } from './group-commit.ts'
import { type Interval, IntervalSet } from './interval-set.ts'
import { pageName } from './page-format.ts'
import type { PageTable } from './page-table.ts'
import type { Quarantine } from './quarantine.ts'
import { isShortage, type QueueCounters, type QueueEnvironment, type QueueSettings } from './queue-options.ts'
import type { QueuePage } from './queue-page.ts'
import type { SparePages } from './spare-pages.ts'

interface CheckpointContext {
  readonly env: QueueEnvironment
  readonly settings: QueueSettings
  readonly counters: QueueCounters
  readonly pages: PageTable
  readonly quarantine: Quarantine
  readonly spares: SparePages
}

interface CheckpointEvents {
  content(): Omit<Checkpoint, 'acked' | 'generation'>
  acked(): IntervalSet
  /** The file of a page is about to go. */
  leaving(page: QueuePage): void
  released(): void
  failed(error: Error): void
}

const maxFailures = 2
const retryMilliseconds = 1000

export class Checkpointer {
  readonly #context: CheckpointContext
  readonly #events: CheckpointEvents
  readonly #slots: CheckpointSlots
  #generation: number
  #acksSince = 0
  #running: Promise<void> | undefined
  #isRequested = false
  #failures = 0
  #cancelTimer: (() => void) | undefined
  #isClosed = false

  constructor(context: CheckpointContext, generation: number, events: CheckpointEvents) {
    this.#context = context
    this.#events = events
    this.#generation = generation
    this.#slots = new CheckpointSlots(context.env.files, context.env.directory)
  }

  acknowledged(count: number, isReleasing: boolean): void {
    const { checkpointAcks, checkpointInterval } = this.#context.settings
    this.#acksSince += count
    if (isReleasing || (checkpointAcks > 0 && this.#acksSince >= checkpointAcks)) this.request()
    else if (this.#acksSince > 0) this.#requestAfter(checkpointInterval)
  }

  #requestAfter(milliseconds: number): void {
    if (this.#cancelTimer !== undefined || this.#isClosed) return
    const { after = timer } = this.#context.env
    this.#cancelTimer = after(milliseconds, () => {
      this.#cancelTimer = undefined
      this.request()
    })
  }

  request(): void {
    if (this.#isClosed) return
    this.#isRequested = true
    this.#running ??= this.#run()
  }

  async #run(): Promise<void> {
    while (this.#isRequested && !this.#isClosed) {
      this.#isRequested = false
      try {
        await this.#write()
      } catch (error) {
        this.#failed(error as Error)
      }
    }
    this.#running = undefined
  }

  #failed(error: Error): void {
    const { env, counters } = this.#context
    env.log('error', `a checkpoint of the queue could not be written: ${error.message}`)
    if (isShortage(error)) return this.#requestAfter(retryMilliseconds)
    this.#failures += 1
    counters.failedSyncs += 1
    if (this.#failures >= maxFailures) this.#events.failed(error)
    else this.#isRequested = true
  }

  /** Throws when it cannot be written at the second try either. */
  async writeNow(): Promise<void> {
    await this.#running
    try {
      await this.#write()
    } catch (error) {
      this.#context.env.log(
        'error',
        `a checkpoint of the queue could not be written: ${(error as Error).message}`,
      )
      await this.#write()
    }
  }

  async #write(): Promise<void> {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    const acked = firstIntervals(this.#events.acked())
    const known = IntervalSet.of(acked)
    const released = [...this.#context.pages].filter(
      (page) => page.isReleasable && known.countMissing(page.firstSeq, page.endSeq) === 0,
    )
    this.#acksSince = 0
    await this.#slots.write({ ...this.#events.content(), generation: this.#generation + 1, acked })
    this.#generation += 1
    this.#failures = 0
    this.#context.counters.checkpoints += 1
    if (released.length > 0) this.#release(released)
  }

  #release(pages: readonly QueuePage[]): void {
    const { env, pages: all, quarantine, settings, spares } = this.#context
    all.remove(new Set(pages))
    for (const page of pages) {
      const path = `${env.directory}/${pageName(page.number)}`
      this.#events.leaving(page)
      try {
        const name = `${pageName(page.number)}.${page.epoch}.suspect`
        if (page.isSuspect && quarantine.take(path, name)) continue
        if (!spares.keep(page, settings.maxBytes - all.bytes)) env.files.remove(path)
      } catch (error) {
        // It stays until the next start, which finds that all of it is acknowledged.
        env.log('warn', `${path} could not be removed: ${(error as Error).message}`)
      }
    }
    try {
      env.files.syncDirectory(env.directory)
    } catch (error) {
      // A page that comes back after a power cut has nothing that is not acknowledged.
      env.log('warn', `${env.directory} could not be synced: ${(error as Error).message}`)
    }
    this.#events.released()
  }

  async close(): Promise<void> {
    this.#cancelTimer?.()
    await this.#running
    try {
      await this.#write()
    } catch (error) {
      this.#context.env.log('error', `the last checkpoint could not be written: ${(error as Error).message}`)
    }
    this.#isClosed = true
    this.#slots.close()
  }
}

function firstIntervals(acked: IntervalSet): Interval[] {
  const first: Interval[] = []
  for (const interval of acked) {
    if (first.length === maxIntervals) break
    first.push(interval)
  }
  return first
}
