/**
 * One generation of a pipeline: a plan with its queue, its workers and its outputs. A reload makes a new
 * generation; inputs may outlive the old one. Worker 0 runs in the host thread itself; further workers
 * are threads, started when the first one cannot keep up.
 */

import type { Event } from '../../event/event.ts'
import { memoryAccount } from '../../memory/memory-account.ts'
import { eventKeys, pluginKey } from '../../metrics/pipeline-keys.ts'
import type { Block, OutputInstance } from '../../plugin/define.ts'
import { ownBlocks, recycle } from '../../plugin/encode-buffer.ts'
import { type Frame, frameBytes, frameCount, recordBytes, settleFrame } from '../frames/frame.ts'
import { type FrameQueue, MemoryFrames } from '../frames/frame-queue.ts'
import { type PlannedPlugin, pluginsOf } from '../plan/plan.ts'
import { noWatch, type WatchOrder, type WatchReport } from '../watch/watch-order.ts'
import { Watcher } from '../watch/watcher.ts'
import { Execution, isWrittenByHost } from './execution.ts'
import { IsolatedOutputs } from './isolated-output.ts'
import type { OutputQueue } from './output-queue.ts'
import type { ExecutionEnvironment } from './plugin-factory.ts'
import { PushWaits } from './push-waits.ts'
import { clock } from './stage-meter.ts'
import { type SuspectBatch, SuspectBatches } from './suspect-batches.ts'
import { RemoteSlot, type RemoteWorker, type SlotLimits, WorkerLost, type WorkerSlot } from './worker-slot.ts'

export type { RemoteWorker } from './worker-slot.ts'

export interface GenerationLimits {
  batchSize: number
  workers: number
  /** Batches a worker may have between filters and outputs. */
  inflight: number
  queueBytes: number
}

/** The thread of a further worker ended. */
export interface LostWorker {
  readonly index: number
  readonly error: Error
  /** What it was at, where that is known. */
  readonly plugin: PlannedPlugin | undefined
  /** Batches it had, which are run again. */
  readonly batches: number
  readonly restartMillis: number
}

/** A record that ended every worker it was given to. */
export interface GivenUpRecord {
  readonly input: PlannedPlugin
  readonly plugin: PlannedPlugin | undefined
  readonly bytes: number
  readonly error: Error
}

export interface GenerationEvents {
  /** An exception escaped a filter or output: the pipeline cannot go on. */
  crashed(error: Error): void
  startWorker(index: number): RemoteWorker
  workerLost(lost: LostWorker): void
  gaveUp(record: GivenUpRecord): void
  /** What somebody wants to see of the events. */
  watched?(report: WatchReport): void
  /** With `output.isolation`: where events wait for an output. */
  outputQueue?(plugin: PlannedPlugin): Promise<OutputQueue>
}

/** Share of its time a thread may work before it gets help. */
const busy = 0.8

/** Longest stretch of work before the event loop gets a turn, in nanoseconds. */
const maxStretch = 10e6
/** That limit while other workers wait for this thread to hand them their next batch. */
const maxStretchWithHelp = 0.5e6
/** Batches a further worker has ahead, so that it does not idle while this thread runs a batch of its own. */
const batchesAhead = 4

/** Batches a worker may have on their way when an output joins what waits, up to so many bytes. */
const overlapping = { batches: 64, bytes: 4 * 1024 * 1024 }

/** How many batches a backlog may be joined to, up to so many bytes; small sizes are set with intent. */
const maxJoinedBatches = 8
const maxJoinedBytes = 1024 * 1024
const minWidened = 50
/** Raw bytes of a batch; decoded, they may take ten times as much. A record that is larger is a batch of its own. */
const maxBatchBytes = 4 * 1024 * 1024
/** What a pipeline may hold however much the others do. */
const alwaysHeld = 256 * 1024

export class Generation {
  readonly execution: Execution
  readonly queue: FrameQueue
  #env: ExecutionEnvironment
  #limits: GenerationLimits
  #events: GenerationEvents
  #slots: [WorkerSlot, ...RemoteSlot[]]
  #suspects = new SuspectBatches()
  #rescued = new WeakSet<Frame>()
  #underWay = new Set<readonly Frame[]>()
  /** What the last worker that ended was at. */
  #lastStage: PlannedPlugin | undefined
  #writers = new Map<PlannedPlugin, Promise<void>>()
  #isolated = new IsolatedOutputs()
  #singles: { plugin: PlannedPlugin; instance: OutputInstance }[]
  #row: Float64Array
  #pushColumn: number
  #queueColumns: { events: number; bytes: number; inflight: number }
  #inputPushColumns: number[]
  #pumpScheduled = false
  #stretchStarted = clock()
  #failed: Error | undefined
  #isAbandoned = false
  #isClosing = false
  #isHeld = false
  #waits = new PushWaits((input, nanos) => {
    this.#row[this.#pushColumn]! += nanos
    this.#row[this.#inputPushColumns[input]!]! += nanos
  })
  #idle: (() => void)[] = []
  #pressure = 0
  /** Records taken out of the queue since the last look at the load. */
  #taken = 0
  /** Bytes of the batches that are running, and of the queue as the account knows it. */
  #batchBytes = 0
  #queuedBytes = 0
  #load = performance.eventLoopUtilization()
  #watch = noWatch
  #watcher: Watcher

  /** `queue`: one that outlives the generation. */
  constructor(
    env: Omit<ExecutionEnvironment, 'write'>,
    limits: GenerationLimits,
    events: GenerationEvents,
    queue?: FrameQueue,
  ) {
    this.#limits = limits
    this.#events = events
    const writeThrough = (plugin: PlannedPlugin, blocks: Block[]) => this.write(plugin, blocks)
    const enqueue = (plugin: PlannedPlugin, blocks: Block[]) => this.#isolated.enqueue(plugin, blocks)
    this.#env = { ...env, write: env.isolated === true ? enqueue : writeThrough, writeThrough }
    this.execution = new Execution(this.#env)
    this.#watcher = new Watcher({
      execution: this.execution,
      pipelineId: env.pipelineId,
      report: (report) => this.#events.watched?.(report),
      conceal: (text) => env.conceal?.(text) ?? text,
    })
    const isShort = () => this.#isShort
    this.queue =
      queue ??
      new MemoryFrames({ records: limits.batchSize * limits.workers, bytes: limits.queueBytes, isShort })
    this.queue.onReadable = () => this.#pump()
    this.queue.onFailed = (error) => this.#fail(error)
    this.queue.onRefused = (frame, error) => this.execution.refuse(frame, error)
    this.#singles = pluginsOf(env.plan.outputs)
      .filter((plugin) => isWrittenByHost(plugin, env.isolated))
      .map((plugin) => ({ plugin, instance: this.execution.outputOf(plugin) }))
    this.#row = env.board.row(env.row)
    this.#pushColumn = env.board.column(eventKeys.pushNanos)
    this.#queueColumns = {
      events: env.board.column(eventKeys.queueEvents),
      bytes: env.board.column(eventKeys.queueBytes),
      inflight: env.board.column(eventKeys.inflightEvents),
    }
    this.#inputPushColumns = env.plan.inputs.map(({ id }) => env.board.column(pluginKey(id, 'push_nanos')))
    const local = this.execution
    const own: WorkerSlot = {
      running: 0,
      bytes: 0,
      isolated: false,
      ...this.#slotLimits(env.ordered ? 1 : limits.inflight),
      remote: false,
      ready: true,
      run: (frames) => local.run(frames),
      flush: (final) => local.flush(final),
      close: () => local.close(),
    }
    this.#slots = [own]
    env.abort.addEventListener('abort', this.#abortRemotes)
  }

  readonly #abortRemotes = (): void => {
    for (const remote of this.#remotes) remote.abort()
  }

  #slotLimits(batches: number): SlotLimits {
    return this.execution.overlaps
      ? { limit: Math.max(batches, overlapping.batches), bytesLimit: overlapping.bytes }
      : { limit: batches, bytesLimit: Number.POSITIVE_INFINITY }
  }

  get plan() {
    return this.#env.plan
  }

  async register(): Promise<void> {
    await this.execution.registerOutputs(true)
    await this.execution.registerFilters()
    if (this.#env.isolated === true) await this.#isolateOutputs()
  }

  async #isolateOutputs(): Promise<void> {
    const { plan, board, logger, abort } = this.#env
    for (const plugin of pluginsOf(plan.outputs)) {
      const columns = {
        events: board.column(pluginKey(plugin.id, 'waiting')),
        bytes: board.column(pluginKey(plugin.id, 'waiting_bytes')),
        oldest: board.column(pluginKey(plugin.id, 'waiting_since')),
      }
      this.#isolated.add(plugin, {
        queue: await this.#events.outputQueue!(plugin),
        batchSize: this.#limits.batchSize,
        logger: logger(plugin),
        abort,
        deliver: this.execution.isolatedDelivery(plugin),
        waiting: ({ events, bytes, oldest }) => {
          this.#row[columns.events] = events
          this.#row[columns.bytes] = bytes
          this.#row[columns.oldest] = oldest
        },
      })
    }
  }

  /** What outputs have in queues of their own comes out, or stays there for the next start. */
  drainOutputs(): Promise<void> {
    return this.#isolated.drain(this.#isHeld)
  }

  /** Events in queues of outputs. */
  get waitingForOutputs(): number {
    return this.#isolated.waiting
  }

  /** Events handed to workers and not finished yet, counted in batches. */
  get inflight(): number {
    return this.#slots.reduce((sum, slot) => sum + slot.running, 0)
  }

  /** Works on what was in the queue before. */
  start(): void {
    this.#showQueue()
    this.#pump()
  }

  // ------------------------------------------------------------------------------------------- accepting

  /** Rejects when the pipeline has failed: what it accepts is promised to be worked on. */
  accept(frame: Frame): void | Promise<void> {
    if (frameCount(frame) === 0) return settleFrame(frame)
    if (this.#failed !== undefined) return Promise.reject(this.#failed)
    const pushed = this.queue.push(frame)
    this.#showQueue()
    if (pushed !== undefined) return this.#timed(pushed, frame)
  }

  /**
   * Everything this pipeline has accepted counts, or all pipelines together hold too much. One that holds little may
   * always go on: it would wait for what only others can do.
   */
  get #isShort(): boolean {
    const held = this.queue.bytes + this.#batchBytes
    if (held < Math.min(alwaysHeld, this.#limits.queueBytes)) return false
    return held >= this.#limits.queueBytes || memoryAccount.pipelines >= memoryAccount.pipelinesLimit
  }

  #showQueue(): void {
    const { heldBytes } = this.queue
    memoryAccount.add('queues', heldBytes - this.#queuedBytes)
    this.#queuedBytes = heldBytes
    this.#row[this.#queueColumns.events] = this.queue.records
    this.#row[this.#queueColumns.bytes] = this.queue.bytes
  }

  async #timed(pushed: Promise<void>, frame: Frame): Promise<void> {
    const { input } = frame
    this.#pressure += 1
    const bytes = frameBytes(frame)
    memoryAccount.add('waiting', bytes)
    try {
      await this.#waits.over(input, pushed)
    } finally {
      memoryAccount.add('waiting', -bytes)
    }
  }

  // ----------------------------------------------------------------------------------------- dispatching

  #pump(): void {
    if (this.#failed !== undefined) return
    this.#runSuspect()
    while (!this.#isHeld && !this.queue.empty) {
      const slot = this.#freeSlot()
      if (slot === undefined) return
      if (!slot.remote && clock() - this.#stretchStarted > this.#maxStretch) return this.#pumpLater()
      const before = this.queue.records
      const frames = this.queue.take(this.#batchRecords(), maxBatchBytes)
      this.#taken += before - this.queue.records
      this.#showQueue()
      // A disk that cannot be read now; the queue calls again.
      if (frames.length === 0) break
      void this.#dispatch(slot, frames)
    }
    if (this.#isIdle) for (const resolve of this.#idle.splice(0)) resolve()
  }

  get #isIdle(): boolean {
    const isEmpty = this.queue.empty && !this.queue.isWriting
    return (this.#isHeld || isEmpty) && this.#suspects.empty && this.inflight === 0
  }

  /** Takes nothing more out of the queue: what is in it stays there for the next generation, or the next start. */
  hold(): void {
    this.#isHeld = true
  }

  /**
   * Records for the next batch. Where nobody can tell, a backlog is worked off in larger pieces: outputs that
   * take batches still get them in the configured size.
   */
  #batchRecords(): number {
    const { batchSize } = this.#limits
    const { records, bytes } = this.queue
    if (records <= batchSize || batchSize < minWidened || !this.execution.canWiden) return batchSize
    const fitting = Math.floor((maxJoinedBytes * records) / Math.max(1, bytes))
    return Math.max(batchSize, Math.min(batchSize * maxJoinedBatches, fitting))
  }

  get #maxStretch(): number {
    return this.#slots.length > 1 ? maxStretchWithHelp : maxStretch
  }

  /** Lets sockets, timers and messages have their turn first. */
  #pumpLater(): void {
    if (this.#pumpScheduled) return
    this.#pumpScheduled = true
    setImmediate(() => {
      this.#pumpScheduled = false
      this.#stretchStarted = clock()
      this.#pump()
    })
  }

  /** Threads first: the host thread has the inputs to look after as well. */
  #freeSlot(): WorkerSlot | undefined {
    let free: WorkerSlot | undefined
    for (const slot of this.#slots) {
      if (!slot.ready || slot.isolated || slot.running >= slot.limit || slot.bytes >= slot.bytesLimit)
        continue
      if (!slot.remote) free = slot
      else if (!this.#isReserved(slot)) return slot
    }
    return free
  }

  /**
   * The first further worker runs the batches that may have ended one, each alone; never the host thread, whose end
   * would take the queue along.
   */
  #isReserved(slot: WorkerSlot): boolean {
    return !this.#suspects.empty && (slot === this.#slots[1] || this.#suspects.isCrowded)
  }

  #runSuspect(): void {
    const slot = this.#slots[1]
    if (this.#suspects.empty || slot === undefined || !slot.ready || slot.running > 0) return
    const suspect = this.#suspects.take()!
    slot.isolated = true
    void this.#dispatch(slot, suspect.frames, suspect)
  }

  async #dispatch(slot: WorkerSlot, frames: readonly Frame[], suspect?: SuspectBatch): Promise<void> {
    const bytes = frames.reduce((sum, frame) => sum + frameBytes(frame), 0)
    const records = frames.reduce((sum, frame) => sum + frameCount(frame), 0)
    slot.running += 1
    slot.bytes += bytes
    this.#underWay.add(frames)
    this.#batchBytes += bytes
    memoryAccount.add('batches', bytes)
    this.#row[this.#queueColumns.inflight]! += records
    try {
      const target = slot.remote && frames.some(({ events }) => events !== null) ? this.#slots[0] : slot
      await target.run(frames)
      // Nobody knows whether the outputs of an abandoned pipeline delivered or only ended.
      if (this.#failed === undefined) this.queue.settle(frames)
      if (this.queue.isPersisted) this.#showQueue()
    } catch (error) {
      if (error instanceof WorkerLost) this.#runAgain(frames, suspect, error)
      else this.#fail(error as Error)
    } finally {
      this.#underWay.delete(frames)
      slot.running -= 1
      slot.bytes -= bytes
      this.#batchBytes -= bytes
      memoryAccount.add('batches', -bytes)
      if (suspect !== undefined) slot.isolated = false
      this.#row[this.#queueColumns.inflight]! -= records
    }
    if (this.#failed === undefined) this.queue.admit()
    this.#showQueue()
    if (!this.queue.empty || !this.#suspects.empty || this.#idle.length > 0) this.#pump()
  }

  /** The batch was with a worker that ended. */
  #runAgain(frames: readonly Frame[], suspect: SuspectBatch | undefined, error: WorkerLost): void {
    if (suspect === undefined) return this.#suspects.add(frames)
    const guilty = this.#suspects.convict(suspect)
    if (guilty === undefined) return
    this.#events.gaveUp({
      input: [...this.plan.inputs, ...this.plan.former][guilty.input]!,
      plugin: this.#lastStage,
      bytes: recordBytes(guilty),
      error,
    })
    // Its sender has done what it could: sent again, the record would end the next worker.
    this.queue.settle([guilty])
  }

  #fail(error: Error): void {
    if (this.#failed !== undefined) return
    this.#failed = error
    for (const resolve of this.#idle.splice(0)) resolve()
    this.#events.crashed(error)
    this.#waits.refuseAll(error)
  }

  /**
   * Events that are nowhere but here: their senders were not waiting for an answer, and the queue does not outlive the
   * process. As the inputs made them, because nobody knows how far a batch under way came.
   */
  takeUndelivered(): Event[] {
    if (this.queue.isPersisted) return []
    this.hold()
    const frames = [...this.#underWay].flat()
    for (let next = this.#suspects.take(); next !== undefined; next = this.#suspects.take())
      frames.push(...next.frames)
    while (!this.queue.empty) frames.push(...this.queue.take(this.#limits.batchSize))
    // A batch under way is found again when its outputs fail after this.
    const fresh = frames.filter((frame) => frame.ticket === null && !this.#rescued.has(frame))
    for (const frame of fresh) this.#rescued.add(frame)
    return this.execution.decodeAgain(fresh)
  }

  /** Takes the events that wait in the memory queues of isolated outputs; their senders were acknowledged. */
  takeUndeliveredOfOutputs(): (readonly [plugin: PlannedPlugin, events: Event[]])[] {
    return this.#isolated.takeUndelivered()
  }

  /** Waits for nothing more: batches that are under way stay in a queue that outlives the generation. */
  abandon(): void {
    if (this.#failed !== undefined) return
    this.#isAbandoned = true
    this.#failed = new Error('the pipeline was stopped')
    const frames = [...this.#underWay].flat()
    for (let next = this.#suspects.take(); next !== undefined; next = this.#suspects.take())
      frames.push(...next.frames)
    this.queue.giveBack(frames)
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  get hasFailed(): boolean {
    return this.#failed !== undefined && !this.#isAbandoned
  }

  /**
   * Called now and then: starts one more worker when inputs had to wait since the last look, or this thread
   * was hardly ever idle because of events. It is never idle either while it starts or waits for a processor, and a
   * worker takes as much memory as a pipeline.
   */
  growIfPressed(): void {
    this.#waits.count()
    const load = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(load, this.#load)
    const hasWork = this.#taken >= this.#limits.batchSize || !this.queue.empty
    const pressed = (utilization > busy && hasWork) || (this.#pressure > 0 && !this.queue.empty)
    this.#load = load
    this.#pressure = 0
    this.#taken = 0
    if (!pressed || this.#slots.length >= this.#limits.workers) return
    if (this.#failed !== undefined || this.#isClosing) return
    if (this.#remotes.some(({ starting }) => starting)) return
    const index = this.#slots.length
    const slot = new RemoteSlot(this.#slotLimits(Math.max(this.#limits.inflight, batchesAhead)), {
      start: () => this.#events.startWorker(index),
      ready: () => this.#pump(),
      lost: (error, restartMillis) => this.#workerLost(index, slot, error, restartMillis),
    })
    slot.watch(this.#watch)
    this.#slots.push(slot)
  }

  watch(order: WatchOrder): void {
    this.#watch = order
    this.#watcher.apply(order)
    for (const remote of this.#remotes) remote.watch(order)
  }

  /** All workers tell their last events. */
  collect(request: number): void {
    this.#watcher.collect(request)
    for (const remote of this.#remotes) remote.collect(request)
  }

  get #remotes(): RemoteSlot[] {
    const [, ...remotes] = this.#slots
    return remotes
  }

  #workerLost(index: number, slot: RemoteSlot, error: Error, restartMillis: number): void {
    // A worker that is still starting when the generation ends is no failure.
    if (this.#isClosing) return
    const plugin = this.#stageOf(index)
    this.#lastStage = plugin
    this.#events.workerLost({ index, error, plugin, batches: slot.running, restartMillis })
  }

  /** The plugin that a worker was at when it ended; its row then says that it does nothing. */
  #stageOf(index: number): PlannedPlugin | undefined {
    const { board, plan } = this.#env
    if (index >= board.layout.rows) return undefined
    const row = board.row(index)
    const stage = board.column(eventKeys.stage)
    const plugin = [...pluginsOf(plan.filters), ...pluginsOf(plan.outputs)][row[stage]! - 1]
    row[stage] = 0
    row[board.column(eventKeys.busySince)] = 0
    return plugin
  }

  // --------------------------------------------------------------------------------------- single outputs

  /** One write at a time per output, unless it takes several, in the order the batches came. */
  write(plugin: PlannedPlugin, blocks: Block[]): void | Promise<void> {
    const instance = this.execution.outputOf(plugin)
    if (instance.overlaps === true) return instance.write!(ownBlocks(blocks))
    const before = this.#writers.get(plugin)
    const own = instance.writesThrough === true ? blocks : ownBlocks(blocks)
    const result = before === undefined ? instance.write!(own) : before.then(() => instance.write!(own))
    if (instance.writesThrough !== true) return result === undefined ? undefined : this.#chain(plugin, result)
    if (result === undefined) return recycle(blocks)
    return this.#chain(plugin, result).then(() => recycle(blocks))
  }

  #chain(plugin: PlannedPlugin, write: Promise<void>): Promise<void> {
    const settled = write.catch(() => undefined)
    this.#writers.set(plugin, settled)
    return write.finally(() => {
      if (this.#writers.get(plugin) === settled) this.#writers.delete(plugin)
    })
  }

  /** Blocks that arrive from a worker thread, which knows outputs by their position. */
  writeFromThread(output: number, blocks: Block[]): void | Promise<void> {
    return this.#env.write(this.#singles[output]!.plugin, blocks)
  }

  // --------------------------------------------------------------------------------------------- endings

  get flushes(): boolean {
    return this.execution.flushes
  }

  async flush(final: boolean): Promise<void> {
    for (const slot of this.#slots) {
      if (!slot.ready) continue
      // What the filters of a lost worker held back went with it.
      await slot.flush(final).catch((error: Error) => {
        if (!(error instanceof WorkerLost)) this.#fail(error)
      })
    }
  }

  /** Resolves when the queue is empty and every batch has left, or when the pipeline has failed. */
  drained(): Promise<void> {
    if (this.#failed !== undefined || this.#isIdle) return Promise.resolve()
    return new Promise((resolve) => {
      this.#idle.push(resolve)
      this.#pump()
    })
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#watcher.close()
    await this.#isolated.close()
    memoryAccount.add('queues', -this.#queuedBytes)
    this.#queuedBytes = 0
    for (const slot of [...this.#slots].reverse()) await slot.close()
    // The signal is the pipeline's and outlives reloads; it would keep this generation.
    this.#env.abort.removeEventListener('abort', this.#abortRemotes)
  }
}
