/**
 * A running pipeline inside its thread: starts inputs, owns the current generation, reloads it while
 * unchanged inputs keep their sockets, and shuts down in Logstash's order: inputs, queue, flush, close.
 */

import { Board, type BoardLayout } from '../../metrics/board.ts'
import type { InputInstance, PluginLogger } from '../../plugin/define.ts'
import { metricNames } from '../../plugin/instantiate.ts'
import { maxTimer } from '../../time/max-timer.ts'
import type { FrameQueue } from '../frames/frame-queue.ts'
import { inputIdentity } from '../frames/input-identity.ts'
import { InputMetrics } from '../frames/input-metrics.ts'
import { InputPort } from '../frames/input-port.ts'
import { keysOf } from '../plan/board-keys.ts'
import type { Plan, PlannedPlugin } from '../plan/plan.ts'
import { noWatch, type WatchOrder, type WatchReport } from '../watch/watch-order.ts'
import {
  Generation,
  type GenerationEvents,
  type GenerationLimits,
  type GivenUpRecord,
  type LostWorker,
  type RemoteWorker,
} from './generation.ts'
import { MemoryOutputQueue, type OutputQueue } from './output-queue.ts'
import { type ExecutionEnvironment, PluginFactory } from './plugin-factory.ts'
import { within } from './within.ts'

type HostEnvironment = Omit<ExecutionEnvironment, 'plan' | 'board' | 'row' | 'write' | 'abort' | 'ordered'>

/** What a reload may change besides the plan. */
export interface HostSettings {
  readonly environment: HostEnvironment
  readonly limits: GenerationLimits
  readonly ordered: boolean
  /** A persisted queue, which outlives generations; otherwise each has a queue in memory. */
  readonly queue?: HostQueue | undefined
}

export interface HostQueue {
  readonly frames: FrameQueue
  /** Whether the pipeline stops only when everything is out (`queue.drain`). */
  readonly drains: boolean
  /** Milliseconds that batches under way may take when the pipeline stops (`shutdown.grace`). */
  readonly grace: number
  /** From now on the inputs are those of the plan, and the outputs, which have queues of their own when isolated. */
  use(plan: Plan, isIsolated: boolean): void
  /** With `output.isolation`: where events wait for an output. */
  outputQueue(plugin: PlannedPlugin): Promise<OutputQueue>
}

interface HostOptions extends HostSettings {
  readonly logger: PluginLogger
  startWorker(plan: Plan, board: BoardLayout, row: number, generation: Generation): RemoteWorker
  /** All inputs have come to their end and everything is out. */
  finished(): void
  crashed(error: Error): void
  workerLost(lost: LostWorker): void
  gaveUp(record: GivenUpRecord): void
  watched?(report: WatchReport): void
}

interface RunningInput {
  readonly identity: string
  readonly port: InputPort
  readonly instance: InputInstance
  readonly metrics: InputMetrics
  plugin: PlannedPlugin
  readonly ended: Promise<void>
  over: boolean
  stopping: boolean
}

/** In memory, for an output with a queue of its own; its bytes are bounded too. */
const maxWaitingEvents = 100_000
const flushInterval = 5000
const growInterval = 250
const restartDelay = 1000

export class PipelineHost {
  #options: HostOptions
  #settings: HostSettings
  #generation: Generation | undefined
  #inputs: RunningInput[] = []
  #board: Board | undefined
  #abort = new AbortController()
  /** Ends waits of the filters and outputs of one generation. */
  #ending = new AbortController()
  #timers: NodeJS.Timeout[] = []
  #flushing = false
  /** Keeps what a crash would lose; a shutdown that is under way waits for it. */
  #rescuing: Promise<void> | undefined
  #stopping: Promise<void> | undefined
  /** Somebody wants the pipeline to end, which its inputs may have come to before. */
  #ask: () => void = () => {}
  readonly #asked = new Promise<void>((resolve) => {
    this.#ask = resolve
  })
  #reloading: Promise<void> | undefined
  #watch = noWatch

  constructor(options: HostOptions) {
    this.#options = options
    this.#settings = options
  }

  get board(): BoardLayout | undefined {
    return this.#board?.layout
  }

  get generation(): Generation | undefined {
    return this.#generation
  }

  async start(plan: Plan): Promise<void> {
    this.#generation = await this.#begin(plan, [])
    this.#timers = [
      setInterval(() => void this.#periodicFlush(), flushInterval),
      setInterval(() => this.#generation?.growIfPressed(), growInterval),
    ]
    for (const timer of this.#timers) timer.unref()
    this.#watchEnd()
  }

  /** Builds, registers and connects a generation; `kept` are running inputs it takes over. */
  async #begin(plan: Plan, kept: readonly RunningInput[]): Promise<Generation> {
    const { limits, ordered, environment, queue } = this.#settings
    queue?.use(plan, environment.isolated === true)
    const board = Board.create(keysOf(plan), limits.workers)
    const ending = new AbortController()
    const abort = AbortSignal.any([this.#abort.signal, ending.signal])
    const env = { ...environment, plan, board, row: 0, ordered, abort: this.#abort.signal }
    const generation: Generation = new Generation(
      { ...env, abort },
      limits,
      this.#generationEvents(plan, board, () => generation),
      queue?.frames,
    )
    const factory = new PluginFactory({ ...env, write: () => undefined })
    try {
      await generation.register()
      const inputs = await this.#connectInputs(plan, kept, factory)
      this.#board = board
      this.#ending = ending
      this.#inputs = inputs.map((input) =>
        'port' in input ? input : this.#run(input.plugin, input.instance, input.inputPort, input.metrics),
      )
      plan.inputs.forEach(({ id, definition, options }, index) => {
        this.#inputs[index]!.metrics.attach(board, 0, id, metricNames(definition, options))
        this.#inputs[index]!.port.redirect({ input: index, accept: (frame) => generation.accept(frame) })
      })
      generation.watch(this.#watch)
      generation.start()
    } catch (error) {
      await generation.close().catch(() => undefined)
      throw error
    }
    return generation
  }

  #generationEvents(plan: Plan, board: Board, generation: () => Generation): GenerationEvents {
    return {
      crashed: (error) => this.#crash(error),
      startWorker: (index) => this.#options.startWorker(plan, board.layout, index, generation()),
      workerLost: (lost) => this.#options.workerLost(lost),
      gaveUp: (record) => this.#options.gaveUp(record),
      watched: (report) => this.#options.watched?.(report),
      outputQueue: async (plugin) => (await this.#settings.queue?.outputQueue(plugin)) ?? this.#memoryQueue(),
    }
  }

  #memoryQueue(): OutputQueue {
    return new MemoryOutputQueue({ records: maxWaitingEvents, bytes: this.#settings.limits.queueBytes })
  }

  /** For each input of the plan either a running one that is unchanged, or a new one, registered. */
  async #connectInputs(plan: Plan, kept: readonly RunningInput[], factory: PluginFactory) {
    const available = [...kept]
    const connected: (
      | RunningInput
      | { plugin: PlannedPlugin; instance: InputInstance; inputPort: InputPort; metrics: InputMetrics }
    )[] = []
    try {
      for (const plugin of plan.inputs) {
        const identity = this.#identityOf(plugin)
        const index = available.findIndex((input) => input.identity === identity && !input.over)
        if (index >= 0) {
          const [input] = available.splice(index, 1) as [RunningInput]
          input.plugin = plugin
          connected.push(input)
          continue
        }
        const metrics = new InputMetrics()
        const { instance, codec, additionalCodecs } = factory.input(plugin, (name) => metrics.metric(name))
        connected.push({ plugin, instance, inputPort: new InputPort(codec, additionalCodecs), metrics })
        await instance.register?.()
      }
    } catch (error) {
      for (const input of connected) if (!('port' in input)) await input.instance.close?.()
      throw error
    }
    return connected
  }

  #run(plugin: PlannedPlugin, instance: InputInstance, port: InputPort, metrics: InputMetrics): RunningInput {
    const input: RunningInput = {
      identity: this.#identityOf(plugin),
      port,
      instance,
      metrics,
      plugin,
      over: false,
      stopping: false,
      ended: Promise.resolve(),
    }
    const ended = this.#runForever(input).finally(() => {
      input.over = true
    })
    return Object.assign(input, { ended })
  }

  /** An input that fails is started again after a second, for ever, until it is asked to stop. */
  async #runForever(input: RunningInput): Promise<void> {
    for (;;) {
      try {
        await input.instance.run(input.port)
        return
      } catch (error) {
        if (input.stopping) return
        this.#options.logger.error('A plugin had an unrecoverable error. Will restart this plugin.', {
          plugin: input.plugin.name,
          plugin_id: input.plugin.id,
          error: (error as Error).message,
          exception: (error as Error).name,
        })
        await new Promise((resolve) => setTimeout(resolve, restartDelay))
        if (input.stopping) return
      }
    }
  }

  /** When the last input has ended by itself, the pipeline is done. */
  #watchEnd(): void {
    const inputs = this.#inputs
    void Promise.all(inputs.map(({ ended }) => ended)).then(async () => {
      if (inputs !== this.#inputs || this.#stopping !== undefined || this.#reloading !== undefined) return
      await this.stop(true)
      this.#options.finished()
    })
  }

  async #periodicFlush(): Promise<void> {
    if (this.#flushing || this.#generation === undefined || !this.#generation.flushes) return
    this.#flushing = true
    await this.#generation.flush(false)
    this.#flushing = false
  }

  /** Nothing can leave any more: inputs close, so that their senders notice. */
  #crash(error: Error): void {
    const queue = this.#generation?.queue
    const dropped = queue === undefined || queue.isPersisted ? 0 : queue.records
    if (dropped > 0) this.#options.logger.warn('Dropping events to unblock input plugin', { count: dropped })
    // Whoever hears of the crash may end this thread: what is nowhere else is kept before.
    this.#rescuing = this.#rescue('because the pipeline failed')
    void this.#rescuing
      .then(() => {
        this.#options.crashed(error)
        return this.stop()
      })
      .catch((cause: Error) => {
        this.#options.logger.error('Error while stopping', { error: cause.message })
      })
  }

  #identityOf(plugin: PlannedPlugin): string {
    return `${this.#settings.environment.ecs} ${inputIdentity(plugin)}`
  }

  /** Shows events to somebody, also those of the generations to come. */
  watch(order: WatchOrder): void {
    this.#watch = order
    this.#generation?.watch(order)
  }

  collect(request: number): void {
    this.#generation?.collect(request)
  }

  // ---------------------------------------------------------------------------------------------- reload

  /**
   * Swaps in a new plan. Inputs whose configuration is the same go on with their sockets; everything the
   * old generation accepted leaves through it first. When the new plan cannot start, the old one is
   * started again and the error thrown.
   */
  async reload(plan: Plan, settings: HostSettings): Promise<void> {
    if (this.#stopping !== undefined) throw new Error('the pipeline is stopping')
    this.#reloading = this.#swap(plan, settings)
    try {
      await this.#reloading
    } finally {
      this.#reloading = undefined
      this.#watchEnd()
    }
  }

  async #swap(plan: Plan, settings: HostSettings): Promise<void> {
    const old = this.#generation!
    const oldSettings = this.#settings
    this.#settings = settings
    const kept = this.#unchanged(plan)
    for (const input of kept) input.port.pause()
    await this.#stopInputs(this.#inputs.filter((input) => !kept.includes(input)))
    await this.#letOut(old, oldSettings.queue)
    await old.close()
    this.#generation = undefined
    try {
      if (old.hasFailed) throw new Error('the pipeline failed while it was to be reloaded')
      this.#generation = await this.#begin(plan, kept)
    } catch (error) {
      this.#settings = oldSettings
      await this.#comeBack(old, kept, error as Error)
    }
    await this.#stopInputs(kept.filter((input) => !this.#inputs.includes(input)))
  }

  /**
   * Everything is out, or only what is under way where the queue outlives the generation. An output that cannot deliver
   * holds that up for `shutdown.grace`: what comes may be the configuration with which it can.
   */
  async #letOut(old: Generation, queue: HostQueue | undefined): Promise<void> {
    const grace = queue?.grace ?? maxTimer
    if (old.queue.isPersisted) old.hold()
    const out = old.drained().then(() => old.flush(true))
    if (!(await within(grace, out))) {
      this.#stayBehind(old)
      this.#ending.abort()
      await within(grace, out)
    }
    // What an output is at is delivered again by the next generation.
    if (!(await within(grace, old.drainOutputs()))) this.#ending.abort()
  }

  /** Starts the plan of before; when that fails too, or has failed already, inputs are told so. Throws the reason. */
  async #comeBack(old: Generation, kept: readonly RunningInput[], reason: Error): Promise<never> {
    try {
      if (!old.hasFailed) this.#generation = await this.#begin(old.plan, kept)
    } finally {
      if (this.#generation === undefined) {
        for (const [input, { port }] of kept.entries())
          port.redirect({ input, accept: () => Promise.reject(reason) })
      }
    }
    throw reason
  }

  /** Running inputs that the plan has as well. */
  #unchanged(plan: Plan): RunningInput[] {
    const wanted = plan.inputs.map((plugin) => this.#identityOf(plugin))
    return this.#inputs.filter((input) => {
      const index = input.over ? -1 : wanted.indexOf(input.identity)
      if (index >= 0) wanted.splice(index, 1)
      return index >= 0
    })
  }

  // ------------------------------------------------------------------------------------------------ stop

  /**
   * `isOver`: its inputs have come to their end, so that everything is to come out, whatever the queue, until somebody
   * asks for the end.
   */
  stop(isOver = false): Promise<void> {
    if (!isOver) this.#ask()
    this.#stopping ??= this.#shutDown(isOver)
    return this.#stopping
  }

  async #shutDown(isOver: boolean): Promise<void> {
    // What a reload has begun ends first: afterwards there is one generation, and it has the inputs.
    await this.#reloading?.catch(() => undefined)
    const generation = this.#generation
    await this.#stopInputs(this.#inputs)
    for (const timer of this.#timers) clearInterval(timer)
    if (generation === undefined) return
    const { queue } = this.#settings
    const out = isOver ? this.#letAllOut(generation) : undefined
    if (queue !== undefined && !queue.drains) {
      const isOut = out !== undefined && (await this.#unlessAsked(out))
      if (!isOut) await this.#leaveRest(generation, queue.grace)
    }
    await (out ?? this.#letAllOut(generation))
    await this.#rescuing
    await generation.close()
  }

  async #letAllOut(generation: Generation): Promise<void> {
    await generation.drained()
    await generation.flush(true)
    await generation.drained()
    await generation.drainOutputs()
  }

  /** False when the end is asked for before. */
  #unlessAsked(out: Promise<void>): Promise<boolean> {
    return Promise.race([out.then(() => true), this.#asked.then(() => false)])
  }

  /** What is under way gets a while to come out; the rest stays in the queues. */
  async #leaveRest(generation: Generation, grace: number): Promise<void> {
    generation.hold()
    const isOut = await within(
      grace,
      generation.drained().then(() => generation.drainOutputs()),
    )
    if (isOut) return
    this.#stayBehind(generation)
    this.#abort.abort()
  }

  #stayBehind(generation: Generation): void {
    this.#options.logger.warn('Batches under way stay in the persisted queue and are delivered again', {
      batches: generation.inflight,
    })
    generation.abandon()
  }

  async #stopInputs(inputs: readonly RunningInput[]): Promise<void> {
    const asked = inputs.filter(({ stopping }) => !stopping)
    for (const input of asked) input.stopping = true
    for (const input of asked) if (!input.over) await input.instance.stop()
    await Promise.all(inputs.map(({ ended }) => ended))
    for (const input of inputs) await input.instance.close?.()
  }

  /** Long waits of plugins end now. What is nowhere else goes to the dead letters first, where there are any. */
  async abort(): Promise<void> {
    await this.#rescue('before the end of the shutdown')
    this.#abort.abort()
  }

  /** Events that are in memory only go to the dead letters, where there are any; the log says how many do not. */
  async #rescue(when: string): Promise<void> {
    const generation = this.#generation
    if (generation === undefined) return
    try {
      const rest = [
        [{ name: 'shutdown', id: 'shutdown' }, generation.takeUndelivered()] as const,
        ...generation.takeUndeliveredOfOutputs(),
      ]
      const count = rest.reduce((sum, [, events]) => sum + events.length, 0)
      const { deadLetters } = this.#settings.environment
      // Also when there is nothing: what was rescued before may be on its way to the disk.
      if (count === 0) return await deadLetters?.settled?.()
      const reason = 'the pipeline was stopped before the event could be delivered'
      let kept = 0
      for (const [{ name, id }, events] of rest) {
        const letter = { pluginType: 'output', pluginName: name, pluginId: id, reason } as const
        for (const event of events) if (deadLetters?.write({ ...letter, event })) kept += 1
      }
      await deadLetters?.settled?.()
      this.#options.logger.error(`Events could not be delivered ${when}`, {
        dead_letters: kept,
        lost: count - kept,
      })
    } catch (error) {
      this.#options.logger.error('Undelivered events could not be kept', { error: (error as Error).message })
    }
  }

  /** Puts events in wire form into the queue, as if they had just come in. Resolves when there was room for them. */
  async replay(bytes: Uint8Array, count: number): Promise<void> {
    const input = this.#inputs.find(({ over }) => !over) ?? this.#inputs[0]
    if (input === undefined || this.#generation === undefined || this.#stopping !== undefined)
      throw new Error('the pipeline takes no events')
    await input.port.replay(bytes, count)
  }

  /** Records and batches not yet out, for the stall report. */
  pending(): { queued: number; batches: number; waiting: number } {
    const generation = this.#generation
    if (generation === undefined) return { queued: 0, batches: 0, waiting: 0 }
    return {
      queued: generation.queue.records + generation.waitingForOutputs,
      batches: generation.inflight,
      waiting: generation.queue.waiting,
    }
  }
}
