/** Names of the counters on the board of a pipeline, for those who write them and those who read them. */
import { shapeFor } from './histogram.ts'

export const eventKeys = {
  in: 'events.in',
  filtered: 'events.filtered',
  out: 'events.out',
  /** Time in which at least one batch was under way; what has passed since `busySince` comes on top. */
  nanos: 'events.nanos',
  /** Epoch milliseconds, with fractions, up to which `nanos` has counted; 0 when idle. */
  busySince: 'events.busy_since',
  pushNanos: 'events.push_nanos',
  /** Events that went into a filter and did not come out, or were dropped by a failing condition. */
  dropped: 'events.dropped',
  /** Bytes of the records before they are decoded. */
  bytes: 'events.bytes',
  batches: 'batch.count',
  /** The last batch: how much it was, and when it began, epoch milliseconds. */
  lastEvents: 'batch.last_events',
  lastBytes: 'batch.last_bytes',
  lastAt: 'batch.last_at',
  /** The plugin at work: its position among filters and outputs in source order, from 1; 0 for none. */
  stage: 'worker.stage',
  /** What waits in the queue; written by the host thread only. */
  queueEvents: 'queue.events',
  queueBytes: 'queue.bytes',
  /** Records that workers have; written by the host thread only. */
  inflightEvents: 'batch.inflight_events',
} as const

/** Memory of each thread of a pipeline, written once a second, and its garbage collections. */
export const heapKeys = {
  used: 'heap.used',
  committed: 'heap.committed',
  max: 'heap.max',
  physical: 'heap.physical',
  outside: 'heap.outside',
  youngUsed: 'heap.young_used',
  youngCommitted: 'heap.young_committed',
  youngCollections: 'heap.young_collections',
  youngMillis: 'heap.young_millis',
  oldCollections: 'heap.old_collections',
  oldMillis: 'heap.old_millis',
} as const

/** Events and bytes per batch: a histogram each per pipeline, fine enough for percentiles within a tenth. */
export const batchEvents = { key: 'batch.events', shape: shapeFor(2, 20) }
export const batchBytes = { key: 'batch.bytes', shape: shapeFor(2, 31) }

/** Time per event in a plugin, in quarters of a microsecond up to a second. */
export const latencyShape = shapeFor(0, 22)
export const latencyUnitNanos = 250
/**
 * A board is made of this many histograms of latency at most, for the first plugins of a configuration:
 * 24 cells each would otherwise be most of the memory of a very large one.
 */
export const maxLatencies = 256

export type PluginCounter =
  | 'in'
  | 'out'
  | 'nanos'
  | 'push_nanos'
  /** The queue of an output that has one of its own: events, bytes, and when the oldest came, epoch milliseconds. */
  | 'waiting'
  | 'waiting_bytes'
  | 'waiting_since'
  /** Records given to the codec of an input, and the time it took. */
  | 'records'
  | 'decode_nanos'
  /** Outputs that encode: bytes made, and the time it took. */
  | 'bytes'
  | 'encode_nanos'
  /** Events on which the plugin failed, and that went on with a tag. */
  | 'failures'
  /** Events that left the pipeline here without being delivered. */
  | 'given_up'
  /** Inputs: records that were cut because they were too long. */
  | 'truncated'

export function latencyKey(id: string): string {
  return `plugin/${id}/latency`
}

export function pluginKey(id: string, counter: PluginCounter): string {
  return `plugin/${id}/${counter}`
}

export function metricKey(id: string, metric: string): string {
  return `plugin/${id}/metric/${metric}`
}

export function conditionErrorKey(id: string): string {
  return `if/${id}/errors`
}
