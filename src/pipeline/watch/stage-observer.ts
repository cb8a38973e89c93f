/**
 * Somebody who looks at events on their way through a worker: the tap, the recorder of traces, a simulation. An
 * execution without one pays a comparison per batch and stage.
 */
import type { Event } from '../../event/event.ts'
import type { FilterCall, FlushCall, OutputCall } from '../plan/generate.ts'
import type { PlannedPlugin } from '../plan/plan.ts'

/** Called with what a filter made of its batch. */
export type AfterFilter = (result: readonly Event[]) => void

export interface StageObserver {
  /** An input made events: those of the list from `from` on. */
  decoded?(input: PlannedPlugin, events: readonly Event[], from: number): void
  /** A filter is given a batch; what is returned is called when it is done. */
  filtering?(filter: PlannedPlugin, batch: readonly Event[]): AfterFilter | undefined
  /** A filter let go of events it had held back. */
  flushed?(filter: PlannedPlugin, events: readonly Event[]): void
  delivering?(output: PlannedPlugin, batch: readonly Event[]): void
  /** The outputs have been given all events of a batch. */
  batchOver?(): void
}

type CurrentObserver = () => StageObserver | undefined

export function observedFilter(
  plugin: PlannedPlugin,
  call: FilterCall,
  observer: CurrentObserver,
): FilterCall {
  return (batch) => {
    const after = observer()?.filtering?.(plugin, batch)
    const result = call(batch)
    if (after === undefined) return result
    if (result instanceof Promise)
      return result.then((events) => {
        after(events)
        return events
      })
    after(result)
    return result
  }
}

/** Flushed events stand behind the batch. */
export function observedFlush(plugin: PlannedPlugin, flush: FlushCall, observer: CurrentObserver): FlushCall {
  return async (batch, final) => {
    const count = batch.length
    const result = await flush(batch, final)
    if (result.length > count) observer()?.flushed?.(plugin, result.slice(count))
    return result
  }
}

export function observedOutput(
  plugin: PlannedPlugin,
  call: OutputCall,
  observer: CurrentObserver,
): OutputCall {
  return (batch) => {
    observer()?.delivering?.(plugin, batch)
    return call(batch)
  }
}

/** Several that look at the same worker; undefined for none. */
export function joined(observers: readonly StageObserver[]): StageObserver | undefined {
  if (observers.length < 2) return observers[0]
  return {
    decoded: (input, events, from) => {
      for (const one of observers) one.decoded?.(input, events, from)
    },
    filtering: (filter, batch) => {
      const after = observers.flatMap((one) => one.filtering?.(filter, batch) ?? [])
      return after.length === 0 ? undefined : (result) => after.forEach((call) => void call(result))
    },
    flushed: (filter, events) => {
      for (const one of observers) one.flushed?.(filter, events)
    },
    delivering: (output, batch) => {
      for (const one of observers) one.delivering?.(output, batch)
    },
    batchOver: () => {
      for (const one of observers) one.batchOver?.()
    },
  }
}
