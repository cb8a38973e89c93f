/**
 * An output with a queue of its own (`output.isolation`): batches are out of the pipeline when every such queue has
 * them, and one output that cannot deliver holds up nobody else until its queue is full. Events wait as bytes with their
 * names, in the order in which they came.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '../../event/event.ts'
import { decodeEvents } from '../../event/wire.ts'
import type { Block, PluginLogger } from '../../plugin/define.ts'
import type { PlannedPlugin } from '../plan/plan.ts'
import { ArrivalTimes } from './arrival-times.ts'
import { BackOff } from './back-off.ts'
import type { OutputQueue, TakenItems } from './output-queue.ts'

interface IsolatedOutputSettings {
  readonly queue: OutputQueue
  readonly batchSize: number
  readonly logger: PluginLogger
  readonly abort: AbortSignal
  /** Rejects when the output cannot deliver anything at all. */
  deliver(events: Event[]): Promise<void>
  /** What waits for the output, what it is at included, and when the oldest of it came, epoch milliseconds. */
  waiting(lag: OutputLag): void
}

interface OutputLag {
  readonly events: number
  readonly bytes: number
  readonly oldest: number
}

const retries = { first: 500, max: 10_000, healthyAfter: 60_000 }

class IsolatedOutput {
  readonly #settings: IsolatedOutputSettings
  readonly #backOff = new BackOff(retries)
  #running: Promise<void> | undefined
  readonly #arrivals = new ArrivalTimes()
  #underWay: TakenItems | undefined
  #isHeld = false
  /** What was in memory was taken out to be kept elsewhere. */
  #isEmptied = false
  #idle: (() => void)[] = []

  constructor(settings: IsolatedOutputSettings) {
    this.#settings = settings
    // What was there before has been waiting for nobody knows how long.
    this.#arrivals.add(Date.now(), settings.queue.records)
    settings.queue.onReadable = () => this.start()
  }

  /** Resolves when the queue has the events. Rejects when nobody would take them out of it again. */
  async enqueue(bytes: Uint8Array, count: number): Promise<void> {
    if (this.#isEmptied) throw new Error('the pipeline is stopping and takes nothing more for its outputs')
    const pushed = this.#settings.queue.push({ bytes, from: 0, to: count })
    this.#arrivals.add(Date.now(), count)
    this.#show()
    await pushed
    this.start()
  }

  start(): void {
    this.#show()
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      this.#show()
      for (const resolve of this.#idle.splice(0)) resolve()
      if (!this.#isOver && this.#settings.queue.records > 0) this.start()
    })
  }

  get #isOver(): boolean {
    return this.#isHeld || this.#settings.abort.aborted
  }

  async #run(): Promise<void> {
    const { queue, batchSize } = this.#settings
    while (!this.#isOver && queue.records > 0) {
      const taken = queue.take(batchSize)
      if (taken.items.length === 0) return
      this.#underWay = taken
      this.#show()
      if (!(await this.#deliver(taken))) return
      taken.settle()
      this.#underWay = undefined
      this.#arrivals.remove(eventsOf(taken))
    }
  }

  /** False when the pipeline ends before. */
  async #deliver({ items }: TakenItems): Promise<boolean> {
    const { deliver, logger, abort } = this.#settings
    for (;;) {
      try {
        await deliver(decoded(items))
        return true
      } catch (error) {
        if (abort.aborted) return false
        const wait = this.#backOff.next()
        logger.error('The output cannot deliver at present; the others go on', {
          error: (error as Error).message,
          retry_in_millis: wait,
        })
        await sleep(wait, undefined, { signal: abort }).catch(() => undefined)
        if (abort.aborted) return false
      }
    }
  }

  /** Events that wait, those it is at included. */
  get waiting(): number {
    return this.#settings.queue.records + (this.#underWay === undefined ? 0 : eventsOf(this.#underWay))
  }

  #show(): void {
    const { queue, waiting } = this.#settings
    const items = this.#underWay?.items ?? []
    waiting({
      events: this.waiting,
      bytes: queue.bytes + items.reduce((sum, { bytes }) => sum + bytes.length, 0),
      oldest: this.#arrivals.oldest,
    })
  }

  /** What is only in memory; nothing more is taken afterwards. */
  takeUndelivered(): Event[] {
    const { queue } = this.#settings
    if (queue.isPersisted) return []
    this.#isHeld = true
    this.#isEmptied = true
    const items = [...(this.#underWay?.items ?? [])]
    while (queue.records > 0) items.push(...queue.take(queue.records).items)
    return decoded(items)
  }

  /** Nothing more is taken; resolves when what is under way is out. */
  async hold(): Promise<void> {
    this.#isHeld = true
    await this.#running
  }

  get isPersisted(): boolean {
    return this.#settings.queue.isPersisted
  }

  /** Resolves when everything is out, or the pipeline ends. */
  async drained(): Promise<void> {
    while (!this.#isOver && (this.#settings.queue.records > 0 || this.#running !== undefined)) {
      await new Promise<void>((resolve) => {
        this.#idle.push(resolve)
        this.start()
      })
    }
  }

  async close(): Promise<void> {
    this.#isHeld = true
    await this.#settings.queue.close()
  }
}

function eventsOf({ items }: TakenItems): number {
  return items.reduce((sum, { from, to }) => sum + to - from, 0)
}

function decoded(items: TakenItems['items']): Event[] {
  return items.flatMap(({ bytes, from, to }) => decodeEvents(bytes).slice(from, to))
}

/** The outputs of a generation, each with its queue. */
export class IsolatedOutputs {
  readonly #outputs = new Map<PlannedPlugin, IsolatedOutput>()

  add(plugin: PlannedPlugin, settings: IsolatedOutputSettings): void {
    const output = new IsolatedOutput(settings)
    this.#outputs.set(plugin, output)
    output.start()
  }

  /** Resolves when the queue of the output has the blocks. */
  async enqueue(plugin: PlannedPlugin, blocks: readonly Block[]): Promise<void> {
    for (const { bytes, count } of blocks) await this.#outputs.get(plugin)!.enqueue(bytes, count)
  }

  /** What waits comes out; where it `mayStay` and the queue outlives the process, only what is under way. */
  async drain(mayStay: boolean): Promise<void> {
    await Promise.all(
      [...this.#outputs.values()].map((output) =>
        mayStay && output.isPersisted ? output.hold() : output.drained(),
      ),
    )
  }

  get waiting(): number {
    let sum = 0
    for (const { waiting } of this.#outputs.values()) sum += waiting
    return sum
  }

  /** Takes what was not delivered out of the queues, grouped by output. */
  takeUndelivered(): (readonly [plugin: PlannedPlugin, events: Event[]])[] {
    return [...this.#outputs].map(([plugin, output]) => [plugin, output.takeUndelivered()])
  }

  async close(): Promise<void> {
    for (const output of this.#outputs.values()) await output.close()
  }
}
