/**
 * The functions that the generated programs call: one filter or output with a whole batch. An exception in a plugin
 * concerns its event: a filter's event is tagged and goes on, an output's is given up, and the next one is worked on.
 * What cannot be any event's fault, an output that is not usable at all or a pipeline that has to stop, gets through.
 */
import type { Event } from '../../event/event.ts'
import { pluginKey } from '../../metrics/pipeline-keys.ts'
import { OutputUnusable, Undelivered } from '../../plugin/dead-letter.ts'
import type { Block, FilterInstance, OutputInstance } from '../../plugin/define.ts'
import { ownBlocks } from '../../plugin/encode-buffer.ts'
import type { CreatedFilter } from '../../plugin/instantiate.ts'
import type { FilterCall, FlushCall, OutputCall } from '../plan/generate.ts'
import type { PlannedPlugin } from '../plan/plan.ts'
import type { ExecutionEnvironment } from './plugin-factory.ts'
import type { PluginFailures } from './plugin-failures.ts'
import { clock, type StageMeter } from './stage-meter.ts'

const flushFailed = 'Exception while a filter was flushed'
const encodingFailed = 'An event cannot be written by the output and was given up'
const deliveryFailed = 'Events cannot be delivered by the output and were given up'

export function eachCall(
  { instance, decorate }: CreatedFilter,
  meter: StageMeter,
  failures: PluginFailures,
): FilterCall {
  const emitted: Event[] = []
  const emit = (event: Event): void => {
    emitted.push(event)
  }
  return (batch) => {
    const started = meter.start(batch.length)
    let result = batch
    for (let i = 0; i < batch.length; i++) {
      const event = batch[i]!
      try {
        if (instance.filter!(event, emit) === true && decorate !== undefined) decorate(event)
      } catch (error) {
        failures.filterFailed(event, error)
      }
      if (result === batch) {
        if (!event.cancelled && emitted.length === 0) continue
        result = batch.slice(0, i)
      }
      if (!event.cancelled) result.push(event)
      if (emitted.length > 0) {
        for (const added of emitted) {
          if (added.cancelled) continue
          if (added.lineage === null) added.descendFrom(event)
          result.push(added)
        }
        emitted.length = 0
      }
    }
    meter.stop(started, batch.length, result.length)
    return result
  }
}

/** Filters that take batches tell their events apart themselves; here all of a batch are tagged. */
export function batchCall(
  { instance }: CreatedFilter,
  meter: StageMeter,
  failures: PluginFailures,
  abort: AbortSignal,
): FilterCall {
  return async (batch) => {
    const started = meter.start(batch.length)
    const emitted: Event[] = []
    try {
      await instance.filterBatch!(batch, (event) => {
        emitted.push(event)
      })
    } catch (error) {
      if (abort.aborted) throw error
      for (const event of batch) failures.filterFailed(event, error)
    }
    const result = [...batch, ...emitted].filter((event) => !event.cancelled)
    meter.stop(started, batch.length, result.length)
    return result
  }
}

export function flushCall(
  { instance, periodicFlush }: CreatedFilter,
  meter: StageMeter,
  failures: PluginFailures,
): FlushCall {
  return async (batch, final) => {
    if (!final && !periodicFlush) return batch
    let flushed: Event[] = []
    try {
      const events = await (instance as Required<FilterInstance>).flush(final)
      flushed = events.filter((event) => !event.cancelled)
    } catch (error) {
      failures.failed(undefined, error, flushFailed)
    }
    meter.flushed(flushed.length)
    return flushed.length === 0 ? batch : [...batch, ...flushed]
  }
}

interface OutputStage {
  readonly instance: OutputInstance
  readonly meter: StageMeter
  readonly failures: PluginFailures
  readonly env: ExecutionEnvironment
}

export function outputCall(stage: OutputStage, deliver: OutputCall): OutputCall {
  const { meter } = stage
  const attempt: OutputCall = (batch) => {
    try {
      return deliver(batch)
    } catch (error) {
      giveUpBatch(stage, batch, error)
    }
  }
  return (batch) => {
    const count = batch.length
    const started = meter.start(count)
    const result = attempt(batch)
    if (result === undefined) return meter.stop(started, count, count)
    return result
      .catch((error: unknown) => giveUpBatch(stage, batch, error))
      .then(() => meter.stop(started, count, count))
  }
}

/**
 * The next stage does not wait for it; the batch does. Time that deliveries share counts once. Events are not kept
 * while they are on their way, so such an output has to give them up itself; what is left to say here is their number.
 */
export function overlappingCall(
  { meter, failures, env }: OutputStage,
  deliver: OutputCall,
  underWay: (delivery: Promise<void>) => void,
): OutputCall {
  let running = 0
  let counted = 0
  const failed = (error: unknown, count: number): void => {
    if (env.abort.aborted || error instanceof OutputUnusable) throw error
    failures.lost(count, error, deliveryFailed, null)
  }
  const attempt: OutputCall = (batch) => {
    try {
      return deliver(batch)
    } catch (error) {
      failed(error, batch.length)
    }
  }
  return (batch) => {
    const count = batch.length
    const started = meter.start(count)
    const result = attempt(batch)
    if (result === undefined) return meter.stop(started, count, count)
    if (running === 0) counted = started
    running += 1
    const delivered = result
      .catch((error: unknown) => failed(error, count))
      .finally(() => {
        running -= 1
        meter.stop(counted, count, count)
        counted = clock()
      })
    // Whoever waits for the batch gets the error, unless an output before that fails as well.
    delivered.catch(() => undefined)
    underWay(delivered)
  }
}

/** A `single` output: encoded here, written in the one place that writes. */
export function encodingCall(plugin: PlannedPlugin, stage: OutputStage): OutputCall {
  const { env } = stage
  const row = env.board.row(env.row)
  const bytesColumn = env.board.column(pluginKey(plugin.id, 'bytes'))
  const nanosColumn = env.board.column(pluginKey(plugin.id, 'encode_nanos'))
  return (batch) => {
    const started = clock()
    const blocks = encodeAll(stage, batch)
    row[nanosColumn]! += clock() - started
    for (const { bytes } of blocks) row[bytesColumn]! += bytes.length
    if (blocks.length > 0) return env.write(plugin, blocks)
  }
}

/** Encoding is pure: what fails for a batch is done again event by event, to find those that cannot be encoded. */
function encodeAll({ instance, failures }: OutputStage, batch: Event[]): Block[] {
  try {
    return instance.encode!(batch)
  } catch {
    const blocks: Block[] = []
    for (const event of batch) {
      try {
        blocks.push(...ownBlocks(instance.encode!([event])))
      } catch (error) {
        failures.undelivered([event], error, encodingFailed)
      }
    }
    return blocks
  }
}

function giveUpBatch({ instance, failures, env }: OutputStage, batch: readonly Event[], error: unknown) {
  if (env.abort.aborted || error instanceof OutputUnusable) throw error
  const events = error instanceof Undelivered ? eventsFor(error.targets, instance, batch) : batch
  failures.undelivered(events, error, deliveryFailed)
}

/** Events that go to one of the targets; blocks no longer tell which events they hold. */
function eventsFor(targets: readonly string[], instance: OutputInstance, batch: readonly Event[]): Event[] {
  const wanted = new Set(targets)
  return batch.filter((event) => {
    try {
      return ownBlocks(instance.encode!([event])).some(({ target }) => wanted.has(target))
    } catch {
      return false
    }
  })
}
