/**
 * One worker's copy of a pipeline: decoders, filters and outputs made from the plan, and the generated
 * programs that run a batch through them. Counts and times per stage and batch, never per event.
 */
import type { Event } from '../event/event.ts'
import type { FilterInstance, InputDefinition, OutputInstance } from '../plugin/define.ts'
import type { CreatedFilter } from '../plugin/instantiate.ts'
import type { Frame } from './frame.ts'
import { FrameDecoder } from './frame-decoder.ts'
import {
  type FilterCall,
  type FilterProgram,
  type FlushCall,
  generateFilters,
  generateOutputs,
  type OutputCall,
  type OutputProgram,
  type StageHooks,
} from './generate.ts'
import { conditionErrorKey, eventKeys, pluginKey } from './metric-keys.ts'
import { conditionsOf, type IfStage, type Plan, type PlannedPlugin, pluginsOf } from './plan.ts'
import { type ExecutionEnvironment, PluginFactory } from './plugin-factory.ts'

/** Nanoseconds of a monotonic clock. */
export function clock(): number {
  return performance.now() * 1e6
}

interface StartedFilter extends CreatedFilter {
  plugin: PlannedPlugin
}

export class Execution implements StageHooks {
  readonly filterProgram: FilterProgram
  readonly outputProgram: OutputProgram
  #env: ExecutionEnvironment
  #row: Float64Array
  #decoders: FrameDecoder[]
  #filters = new Map<PlannedPlugin, StartedFilter>()
  #outputs = new Map<PlannedPlugin, OutputInstance>()
  #outputTail: Promise<void> | undefined
  #running = 0
  #columns: Record<keyof typeof eventKeys, number>
  #inputColumns: number[]
  #errorColumns = new Map<IfStage, number>()
  #order: 'any' | 'restored' | 'one by one'

  /** Throws when a plugin refuses its options or a condition cannot be compiled. */
  constructor(env: ExecutionEnvironment) {
    const { plan, board } = env
    this.#env = env
    this.#row = board.row(env.row)
    const factory = new PluginFactory(env)
    this.#decoders = plan.inputs.map((plugin) => decoderOf(plugin, factory))
    for (const plugin of pluginsOf(plan.filters))
      this.#filters.set(plugin, { ...factory.filter(plugin), plugin })
    for (const plugin of pluginsOf(plan.outputs)) this.#outputs.set(plugin, factory.output(plugin))
    this.#columns = Object.fromEntries(
      Object.entries(eventKeys).map(([name, key]) => [name, board.column(key)]),
    ) as Record<keyof typeof eventKeys, number>
    this.#order = orderOf(plan, env.ordered)
    this.#inputColumns = plan.inputs.map(({ id }) => board.column(pluginKey(id, 'out')))
    for (const stage of conditionsOf([...plan.filters, ...plan.outputs])) {
      this.#errorColumns.set(stage, board.column(conditionErrorKey(stage.id)))
    }
    const url = `millrace:///${env.pipelineId}/${plan.hash.slice(0, 12)}`
    this.filterProgram = generateFilters(plan.filters, this, env.conditions, `${url}/filters.js`)
    this.outputProgram = generateOutputs(plan.outputs, this, env.conditions, `${url}/outputs.js`)
  }

  /** The output instances; the host also writes through those of `single` outputs. */
  outputOf(plugin: PlannedPlugin): OutputInstance {
    return this.#outputs.get(plugin)!
  }

  /** `writes` is false in workers whose `single` outputs only encode. */
  async registerOutputs(writes: boolean): Promise<void> {
    for (const [plugin, instance] of this.#outputs) {
      if (writes || !isSingle(plugin)) await instance.register?.()
    }
  }

  async registerFilters(): Promise<void> {
    for (const { instance } of this.#filters.values()) await instance.register?.()
  }

  get flushes(): boolean {
    return [...this.#filters.values()].some(
      ({ instance, periodicFlush }) => instance.flush !== undefined && periodicFlush,
    )
  }

  // ------------------------------------------------------------------------------------- running batches

  /** Runs the frames to the end; resolves when every output has taken the events. */
  async run(frames: readonly Frame[]): Promise<void> {
    const started = this.#begin()
    try {
      const events = this.#decode(frames)
      const count = events.length
      const filtered = await this.#filter(events)
      await this.#emitInChunks(filtered, count)
      this.#row[this.#columns.filtered]! += count
      this.#row[this.#columns.out]! += filtered.length
    } finally {
      this.#end(started)
    }
  }

  /** Asks the filters for what they hold back, and sends that on its way. */
  async flush(final: boolean): Promise<void> {
    const started = this.#begin()
    try {
      const flushed = await this.filterProgram.flush([], final)
      if (flushed.length > 0) await this.#emit(flushed)
      this.#row[this.#columns.out]! += flushed.length
    } finally {
      this.#end(started)
    }
  }

  #begin(): number {
    this.#running += 1
    if (this.#running === 1) this.#row[this.#columns.busySince] = Date.now()
    return clock()
  }

  #end(started: number): void {
    this.#running -= 1
    this.#row[this.#columns.nanos]! += clock() - started
    // What ran so far is in `nanos` now; a batch that overlaps counts live from here on.
    this.#row[this.#columns.busySince] = this.#running === 0 ? 0 : Date.now()
  }

  #decode(frames: readonly Frame[]): Event[] {
    const events: Event[] = []
    for (const frame of frames) {
      const before = events.length
      this.#decoders[frame.input]!.decode(frame, events)
      this.#row[this.#inputColumns[frame.input]!]! += events.length - before
    }
    this.#row[this.#columns.in]! += events.length
    return events
  }

  #filter(events: Event[]): Event[] | Promise<Event[]> {
    switch (this.#order) {
      case 'any':
        return this.filterProgram.run(events)
      case 'restored':
        return this.#restoringOrder(events)
      case 'one by one':
        return this.#oneByOne(events)
    }
  }

  /** Runs the batch as a whole and puts the events that are left back into the order they came in. */
  async #restoringOrder(events: Event[]): Promise<Event[]> {
    for (let i = 0; i < events.length; i++) events[i]!.order = i
    const done = await this.filterProgram.run(events)
    const places: (Event | undefined)[] = new Array(events.length)
    for (let i = 0; i < done.length; i++) places[done[i]!.order] = done[i]
    return places.filter((event) => event !== undefined)
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
  async #emitInChunks(events: Event[], count: number): Promise<void> {
    const { growthLimit, batchSize } = this.#env
    if (events.length <= Math.max(1, count) * growthLimit) return this.#emit(events)
    for (let at = 0; at < events.length; at += batchSize) await this.#emit(events.slice(at, at + batchSize))
  }

  /** Outputs see one batch at a time, in the order the batches were filtered. */
  async #emit(events: Event[]): Promise<void> {
    if (events.length === 0) return
    const turn = (this.#outputTail ?? Promise.resolve()).then(() => this.outputProgram.run(events))
    const settled = turn.catch(() => undefined)
    this.#outputTail = settled
    await turn
    if (this.#outputTail === settled) this.#outputTail = undefined
  }

  // ------------------------------------------------------------------------------------ hooks of the code

  filter(plugin: PlannedPlugin): { call: FilterCall; async: boolean; flush: FlushCall | undefined } {
    const created = this.#filters.get(plugin)!
    const { instance } = created
    const call = instance.filterBatch === undefined ? this.#eachCall(created) : this.#batchCall(created)
    return {
      call,
      async: instance.filterBatch !== undefined,
      flush: instance.flush === undefined ? undefined : this.#flushCall(created),
    }
  }

  #eachCall({ plugin, instance, decorate }: StartedFilter): FilterCall {
    const row = this.#row
    const [inColumn, outColumn, nanosColumn] = this.#pluginColumns(plugin)
    const emitted: Event[] = []
    const emit = (event: Event): void => {
      emitted.push(event)
    }
    return (batch) => {
      const started = clock()
      row[inColumn]! += batch.length
      let result = batch
      for (let i = 0; i < batch.length; i++) {
        const event = batch[i]!
        if (instance.filter!(event, emit) === true && decorate !== undefined) decorate(event)
        if (result === batch) {
          if (!event.cancelled && emitted.length === 0) continue
          result = batch.slice(0, i)
        }
        if (!event.cancelled) result.push(event)
        if (emitted.length > 0) {
          for (const added of emitted) if (!added.cancelled) result.push(added)
          emitted.length = 0
        }
      }
      row[outColumn]! += result.length
      row[nanosColumn]! += clock() - started
      return result
    }
  }

  #batchCall({ plugin, instance }: StartedFilter): FilterCall {
    const row = this.#row
    const [inColumn, outColumn, nanosColumn] = this.#pluginColumns(plugin)
    return async (batch) => {
      const started = clock()
      row[inColumn]! += batch.length
      const emitted: Event[] = []
      await instance.filterBatch!(batch, (event) => {
        emitted.push(event)
      })
      const result = [...batch, ...emitted].filter((event) => !event.cancelled)
      row[outColumn]! += result.length
      row[nanosColumn]! += clock() - started
      return result
    }
  }

  #flushCall({ plugin, instance, periodicFlush }: StartedFilter): FlushCall {
    const [, outColumn] = this.#pluginColumns(plugin)
    return async (batch, final) => {
      if (!final && !periodicFlush) return batch
      const flushed = (await (instance as Required<FilterInstance>).flush(final)).filter(
        (event) => !event.cancelled,
      )
      this.#row[outColumn]! += flushed.length
      return flushed.length === 0 ? batch : [...batch, ...flushed]
    }
  }

  output(plugin: PlannedPlugin): OutputCall {
    const row = this.#row
    const instance = this.#outputs.get(plugin)!
    const [inColumn, outColumn, nanosColumn] = this.#pluginColumns(plugin)
    const deliver: OutputCall = isSingle(plugin)
      ? (batch) => this.#env.write(plugin, instance.encode!(batch))
      : (batch) => instance.receive!(batch)
    const finished = (count: number, started: number) => {
      row[outColumn]! += count
      row[nanosColumn]! += clock() - started
    }
    return (batch) => {
      const started = clock()
      row[inColumn]! += batch.length
      const result = deliver(batch)
      if (result === undefined) return finished(batch.length, started)
      return result.then(() => finished(batch.length, started))
    }
  }

  conditionFailed(stage: IfStage, event: Event, error: unknown): boolean {
    this.#row[this.#errorColumns.get(stage)!]! += 1
    const { conditionError, logger } = this.#env
    const where = `${stage.part.id}:${stage.condition.place.line}`
    const cause = (error as Error).message
    if (conditionError === 'drop') {
      event.cancel()
      logger(undefined).warn(`${cause}. Event was dropped, enable debug logging to see the event's payload`, {
        where,
      })
      logger(undefined).debug('Event dropped by a condition', { event: event.toJson(), where })
      return false
    }
    logger(undefined).warn(`${cause}. The condition counts as false`, { where })
    if (conditionError === 'tag') event.tag('_conditionfailure')
    return true
  }

  #pluginColumns({ id }: PlannedPlugin): [number, number, number] {
    const { board } = this.#env
    return [
      board.column(pluginKey(id, 'in')),
      board.column(pluginKey(id, 'out')),
      board.column(pluginKey(id, 'nanos')),
    ]
  }

  // -------------------------------------------------------------------------------------------- shutdown

  async close(): Promise<void> {
    for (const { instance } of this.#filters.values()) await instance.close?.()
    for (const instance of this.#outputs.values()) await instance.close?.()
  }
}

export function isSingle({ definition }: PlannedPlugin): boolean {
  return definition.type === 'output' && definition.concurrency === 'single'
}

/** How a batch has to run so that nobody can tell it from event by event, when order is asked for. */
function orderOf(plan: Plan, ordered: boolean): 'any' | 'restored' | 'one by one' {
  const filters = pluginsOf(plan.filters)
  if (!ordered || filters.length === 0) return 'any'
  const oneToOne = filters.every(
    ({ definition }) => definition.type === 'filter' && definition.oneToOne === true,
  )
  if (!oneToOne) return 'one by one'
  return plan.filters.some(({ kind }) => kind === 'if') ? 'restored' : 'any'
}

function decoderOf(plugin: PlannedPlugin, factory: PluginFactory): FrameDecoder {
  const { codec, additionalCodecs, decorate } = factory.decoding(plugin)
  return new FrameDecoder(
    codec,
    additionalCodecs,
    decorate,
    (plugin.definition as InputDefinition).originLast ?? false,
  )
}
