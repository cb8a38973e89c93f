/**
 * One worker's copy of a pipeline: decoders, filters and outputs made from the plan, and the generated
 * programs that run a batch through them. Counts and times per stage and batch, never per event.
 */
import type { Event } from '../../event/event.ts'
import { encodeEvents } from '../../event/wire.ts'
import { record } from '../../metrics/histogram.ts'
import {
  batchBytes,
  batchEvents,
  conditionErrorKey,
  eventKeys,
  pluginKey,
} from '../../metrics/pipeline-keys.ts'
import type { InputDefinition, OutputInstance } from '../../plugin/define.ts'
import { type CreatedFilter, isOneToOne } from '../../plugin/instantiate.ts'
import { type Frame, frameCount, recordBytes } from '../frames/frame.ts'
import { FrameDecoder } from '../frames/frame-decoder.ts'
import {
  type FilterCall,
  type FilterProgram,
  type FlushCall,
  generateFilters,
  generateOutputs,
  type OutputCall,
  type OutputProgram,
  type StageHooks,
} from '../plan/generate.ts'
import { conditionsOf, type IfStage, type Plan, type PlannedPlugin, pluginsOf } from '../plan/plan.ts'
import { observedFilter, observedFlush, observedOutput, type StageObserver } from '../watch/stage-observer.ts'
import { deliverFlushed } from './flushed-events.ts'
import { type ExecutionEnvironment, PluginFactory } from './plugin-factory.ts'
import type { PluginFailures } from './plugin-failures.ts'
import { batchCall, eachCall, encodingCall, flushCall, outputCall, overlappingCall } from './stage-calls.ts'
import { clock, StageMeter } from './stage-meter.ts'

interface StartedFilter extends CreatedFilter {
  plugin: PlannedPlugin
}

export class Execution implements StageHooks {
  readonly filterProgram: FilterProgram
  readonly outputProgram: OutputProgram
  /** Whoever looks at the events now. */
  observer: StageObserver | undefined
  readonly #observing = () => this.observer
  #inputs: readonly PlannedPlugin[]
  #env: ExecutionEnvironment
  #factory: PluginFactory
  #row: Float64Array
  #decoders: FrameDecoder[]
  #filters = new Map<PlannedPlugin, StartedFilter>()
  #outputs = new Map<PlannedPlugin, OutputInstance>()
  #outputTail: Promise<void> | undefined
  /** Deliveries of the batch that the outputs are being given. */
  #underWay: Promise<void>[] = []
  #running = 0
  /** Up to when the time of work is counted. */
  #counted = 0
  #columns: Record<keyof typeof eventKeys, number>
  #inputColumns: { out: number; records: number; nanos: number }[]
  #batchColumns: { events: number; bytes: number }
  #positions: ReadonlyMap<PlannedPlugin, number>
  #errorColumns = new Map<IfStage, number>()
  #canWiden: boolean
  #order: 'any' | 'one by one'

  /** Throws when a plugin refuses its options or a condition cannot be compiled. */
  constructor(env: ExecutionEnvironment) {
    const { plan, board } = env
    this.#env = env
    this.#row = board.row(env.row)
    const factory = new PluginFactory(env)
    this.#factory = factory
    const inputs = [...plan.inputs, ...plan.former]
    this.#inputs = inputs
    this.#decoders = inputs.map((plugin) => decoderOf(plugin, factory))
    for (const plugin of pluginsOf(plan.filters))
      this.#filters.set(plugin, { ...factory.filter(plugin), plugin })
    for (const plugin of pluginsOf(plan.outputs)) this.#outputs.set(plugin, factory.output(plugin))
    this.#columns = Object.fromEntries(
      Object.entries(eventKeys).map(([name, key]) => [name, board.column(key)]),
    ) as Record<keyof typeof eventKeys, number>
    this.#canWiden = filtersOneToOne(plan)
    this.#order = orderOf(this.#canWiden, env.ordered)
    this.#inputColumns = inputs.map(({ id }) => ({
      out: board.column(pluginKey(id, 'out')),
      records: board.column(pluginKey(id, 'records')),
      nanos: board.column(pluginKey(id, 'decode_nanos')),
    }))
    this.#batchColumns = { events: board.column(batchEvents.key), bytes: board.column(batchBytes.key) }
    this.#positions = new Map(
      [...pluginsOf(plan.filters), ...pluginsOf(plan.outputs)].map((plugin, index) => [plugin, index + 1]),
    )
    for (const stage of conditionsOf([...plan.filters, ...plan.outputs])) {
      this.#errorColumns.set(stage, board.column(conditionErrorKey(stage.id)))
    }
    const url = `millrace:///${env.pipelineId}/${plan.hash.slice(0, 12)}`
    this.filterProgram = generateFilters(
      plan.filters,
      this,
      env.conditions,
      `${url}/filters.js`,
      this.#canWiden && env.ordered,
    )
    this.outputProgram = generateOutputs(plan.outputs, this, env.conditions, `${url}/outputs.js`)
  }

  /** The output instances; the host also writes through those of `single` outputs. */
  outputOf(plugin: PlannedPlugin): OutputInstance {
    return this.#outputs.get(plugin)!
  }

  /** `writes` is false in workers whose `single` outputs only encode. */
  async registerOutputs(writes: boolean): Promise<void> {
    for (const [plugin, instance] of this.#outputs) {
      if (writes || !isWrittenByHost(plugin, this.#env.isolated)) await instance.register?.()
    }
  }

  async registerFilters(): Promise<void> {
    for (const { instance } of this.#filters.values()) await instance.register?.()
  }

  /** Whether filters give the same whatever the size of the batches. */
  get canWiden(): boolean {
    return this.#canWiden
  }

  /** Whether outputs may be given batches while earlier ones are on their way. */
  get overlaps(): boolean {
    if (this.#env.isolated === true) return false
    if (this.#env.ordered && (this.filterProgram.async || this.#order !== 'any')) return false
    return [...this.#outputs.values()].some(({ overlaps }) => overlaps === true)
  }

  get flushes(): boolean {
    return [...this.#filters.values()].some(
      ({ instance, periodicFlush }) => instance.flush !== undefined && periodicFlush,
    )
  }

  // ------------------------------------------------------------------------------------- running batches

  /** Runs the frames to the end; resolves when every output has delivered the events. */
  async run(frames: readonly Frame[]): Promise<void> {
    this.#begin()
    try {
      const { left, underWay } = await this.#handOver(frames)
      if (underWay.length > 0) await Promise.all(underWay)
      const letters = this.#env.deadLetters?.settled?.()
      if (letters !== undefined) await letters
      this.#row[this.#columns.out]! += left
      this.observer?.batchOver?.()
    } finally {
      this.#end()
    }
  }

  /**
   * Up to the outputs, without a pause where filters need none: events are best made and used up at once. They are
   * let go of here: what still waits for an answer does not keep them.
   */
  async #handOver(frames: readonly Frame[]): Promise<{ left: number; underWay: Promise<void>[] }> {
    const events = this.#decode(frames)
    const count = events.length
    const result = this.#filter(events)
    const filtered = result instanceof Promise ? await result : result
    this.#row[this.#columns.filtered]! += count
    return { left: filtered.length, underWay: await this.#emitInChunks(filtered, count) }
  }

  /** Asks the filters for what they hold back, and sends that on its way. */
  async flush(final: boolean): Promise<void> {
    this.#begin()
    try {
      const flushed = await this.filterProgram.flush([], final)
      const count = flushed.length
      const { abort, deadLetters, logger } = this.#env
      const emit = (events: Event[]) => this.#emit(events)
      await deliverFlushed(flushed, { abort, deadLetters, logger: logger(undefined), emit })
      this.#row[this.#columns.out]! += count
    } finally {
      await this.#env.deadLetters?.settled?.()
      this.#end()
    }
  }

  #begin(): void {
    this.#running += 1
    if (this.#running > 1) return
    this.#counted = clock()
    this.#row[this.#columns.busySince] = performance.timeOrigin + this.#counted / 1e6
  }

  /** Batches may overlap; the time they share counts once, so that a worker is never busier than the clock. */
  #end(): void {
    this.#running -= 1
    const now = clock()
    this.#row[this.#columns.nanos]! += now - this.#counted
    this.#counted = now
    this.#row[this.#columns.busySince] = this.#running === 0 ? 0 : performance.timeOrigin + now / 1e6
  }

  /** The events of frames that may be under way as well, for whoever keeps them elsewhere. */
  decodeAgain(frames: readonly Frame[]): Event[] {
    const events: Event[] = []
    for (const frame of frames) this.#decoders[frame.input]!.decode(frame, events)
    return events
  }

  /** The queue cannot hold this frame. Resolves when the dead letters have its events, where there are any. */
  async refuse(frame: Frame, error: Error): Promise<void> {
    const failures = this.#failuresOf(this.#inputs[frame.input]!)
    let events: Event[] = []
    try {
      events = this.decodeAgain([frame])
    } catch {
      // Neither a record nor an event: all that is left is to say so.
    }
    failures.refused(events, Math.max(1, events.length), error)
    await this.#env.deadLetters?.settled?.()
  }

  #decode(frames: readonly Frame[]): Event[] {
    const row = this.#row
    const columns = this.#columns
    const events: Event[] = []
    let bytes = 0
    let input = -1
    let started = 0
    for (const frame of frames) {
      if (frame.input !== input) {
        const now = clock()
        if (input >= 0) row[this.#inputColumns[input]!.nanos]! += now - started
        input = frame.input
        started = now
      }
      const before = events.length
      this.#decoders[input]!.decode(frame, events)
      this.observer?.decoded?.(this.#inputs[input]!, events, before)
      row[this.#inputColumns[input]!.out]! += events.length - before
      row[this.#inputColumns[input]!.records]! += frameCount(frame)
      bytes += recordBytes(frame)
    }
    if (input >= 0) row[this.#inputColumns[input]!.nanos]! += clock() - started
    row[columns.in]! += events.length
    row[columns.bytes]! += bytes
    row[columns.batches]! += 1
    row[columns.lastEvents] = events.length
    row[columns.lastBytes] = bytes
    row[columns.lastAt] = performance.timeOrigin + started / 1e6
    record(row, this.#batchColumns.events, batchEvents.shape, events.length, 1)
    record(row, this.#batchColumns.bytes, batchBytes.shape, bytes, 1)
    return events
  }

  #filter(events: Event[]): Event[] | Promise<Event[]> {
    switch (this.#order) {
      case 'any':
        return this.filterProgram.run(events)
      case 'one by one':
        return this.#oneByOne(events)
    }
  }

  /** Ordered mode: every event goes through all filters before the next one starts. */
  async #oneByOne(events: Event[]): Promise<Event[]> {
    const done: Event[] = []
    for (const event of events) {
      const result = this.filterProgram.run([event])
      for (const out of result instanceof Promise ? await result : result) done.push(out)
    }
    return done
  }

  /** A batch that filters blew up beyond measure goes to the outputs in slices of the usual size. */
  async #emitInChunks(events: Event[], count: number): Promise<Promise<void>[]> {
    const { growthLimit, batchSize } = this.#env
    if (events.length <= Math.max(1, count) * growthLimit) return this.#emit(events)
    for (let at = 0; at < events.length; at += batchSize) {
      await Promise.all(await this.#emit(events.slice(at, at + batchSize)))
    }
    return []
  }

  /**
   * Outputs see one batch at a time, in the order the batches were filtered. Resolves when they have seen this
   * one, to what those that overlap still have under way.
   */
  async #emit(events: Event[]): Promise<Promise<void>[]> {
    if (events.length === 0) return []
    const give = async () => {
      this.#underWay = []
      await this.outputProgram.run(events)
      return this.#underWay
    }
    const emitted = this.#outputTail === undefined ? give() : this.#outputTail.then(give)
    const settled = emitted.then(nothing, nothing)
    this.#outputTail = settled
    const underWay = await emitted
    if (this.#outputTail === settled) this.#outputTail = undefined
    return underWay
  }

  // ------------------------------------------------------------------------------------ hooks of the code

  filter(plugin: PlannedPlugin): { call: FilterCall; async: boolean; flush: FlushCall | undefined } {
    const created = this.#filters.get(plugin)!
    const { instance } = created
    const meter = this.#meter(plugin)
    const failures = this.#failuresOf(plugin)
    const call =
      instance.filterBatch === undefined
        ? eachCall(created, meter, failures)
        : batchCall(created, meter, failures, this.#env.abort)
    const flush = instance.flush === undefined ? undefined : flushCall(created, meter, failures)
    return {
      call: observedFilter(plugin, call, this.#observing),
      async: instance.filterBatch !== undefined,
      flush: flush && observedFlush(plugin, flush, this.#observing),
    }
  }

  output(plugin: PlannedPlugin): OutputCall {
    return observedOutput(plugin, this.#outputCall(plugin), this.#observing)
  }

  #outputCall(plugin: PlannedPlugin): OutputCall {
    const { isolated, write } = this.#env
    if (isolated !== true) return this.#delivery(plugin, this.#env)
    return (batch) => write(plugin, [{ target: '', bytes: encodeEvents(batch), count: batch.length }])
  }

  /** What delivers the events that have waited in the queue of an output. */
  isolatedDelivery(plugin: PlannedPlugin): (events: Event[]) => Promise<void> {
    const { writeThrough } = this.#env
    const call = this.#delivery(plugin, { ...this.#env, write: writeThrough! }, false)
    return async (events) => {
      await call(events)
      await this.#env.deadLetters?.settled?.()
    }
  }

  #delivery(plugin: PlannedPlugin, env: ExecutionEnvironment, overlaps = true): OutputCall {
    const instance = this.#outputs.get(plugin)!
    const stage = { instance, meter: this.#meter(plugin), failures: this.#failuresOf(plugin), env }
    const deliver: OutputCall = isSingle(plugin)
      ? encodingCall(plugin, stage)
      : (batch) => instance.receive!(batch)
    if (overlaps && instance.overlaps === true)
      return overlappingCall(stage, deliver, (delivery) => void this.#underWay.push(delivery))
    return outputCall(stage, deliver)
  }

  conditionFailed(stage: IfStage, event: Event, error: unknown): boolean {
    this.#row[this.#errorColumns.get(stage)!]! += 1
    const { conditionError, logger } = this.#env
    const where = `${stage.part.id}:${stage.condition.place.line}`
    const cause = (error as Error).message
    if (conditionError === 'drop') {
      event.cancel()
      this.#row[this.#columns.dropped]! += 1
      const reason = `condition evaluation error, ${cause}`
      const isKept = this.#env.deadLetters?.write({ ...conditionLetter, event, reason }) === true
      const outcome = isKept
        ? 'Failing event was sent to dead letter queue'
        : "Event was dropped, enable debug logging to see the event's payload"
      logger(undefined).warn(`${cause}. ${outcome}`, { where })
      logger(undefined).debug('Event dropped by a condition', { event: event.toJson(), where })
      return false
    }
    logger(undefined).warn(`${cause}. The condition counts as false`, { where })
    if (conditionError === 'tag') event.tag('_conditionfailure')
    return true
  }

  #failuresOf(plugin: PlannedPlugin): PluginFailures {
    return this.#factory.failures(plugin)
  }

  #meter(plugin: PlannedPlugin): StageMeter {
    return new StageMeter(this.#env.board, this.#env.row, plugin.id, this.#positions.get(plugin)!)
  }

  // -------------------------------------------------------------------------------------------- shutdown

  async close(): Promise<void> {
    for (const { instance } of this.#filters.values()) await instance.close?.()
    for (const instance of this.#outputs.values()) await instance.close?.()
  }
}

const nothing = (): void => {}

/** How Logstash names a condition among its dead letters. */
const conditionLetter = {
  pluginType: 'if-statement',
  pluginName: 'if-statement',
  pluginId: 'if-statement',
} as const

export function isSingle({ definition }: PlannedPlugin): boolean {
  return definition.type === 'output' && definition.concurrency === 'single'
}

/** Whether workers give what is for the output to the host thread. */
export function isWrittenByHost(plugin: PlannedPlugin, isolated: boolean | undefined): boolean {
  return isolated === true || isSingle(plugin)
}

/** How a batch has to run so that nobody can tell it from event by event, when order is asked for. */
function orderOf(oneToOne: boolean, ordered: boolean): 'any' | 'one by one' {
  return !ordered || oneToOne ? 'any' : 'one by one'
}

function filtersOneToOne(plan: Plan): boolean {
  return pluginsOf(plan.filters).every(
    ({ definition, options }) => definition.type === 'filter' && isOneToOne(definition, options),
  )
}

function decoderOf(plugin: PlannedPlugin, factory: PluginFactory): FrameDecoder {
  const { codec, additionalCodecs, decorate, reader } = factory.decoding(plugin)
  return new FrameDecoder(
    codec,
    additionalCodecs,
    decorate,
    (plugin.definition as InputDefinition).originLast ?? false,
    reader,
    factory.failures(plugin),
  )
}
