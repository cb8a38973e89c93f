/** The queue of a pipeline in the stats: the same few numbers for both kinds, and what a queue on the disk adds. */
import { readFileSync } from 'node:fs'
import type { Settings } from '../../../settings/settings.ts'
import type { Body } from '../envelope.ts'
import { outputLags } from '../metrics/output-lag.ts'
import { queueDepth } from '../metrics/queue-depth.ts'
import type { PipelineView } from '../view.ts'

type QueueFigures = NonNullable<NonNullable<PipelineView['thread']>['queue']>

export function queueStats(pipeline: PipelineView): Body {
  const { settings } = pipeline.config
  const figures = pipeline.thread?.queue
  if (settings.get('queue.type') === 'persisted') return persistedQueue(settings, pipeline, figures)
  const { events, bytes } = queueDepth(pipeline)
  return {
    type: 'memory',
    events,
    events_count: events,
    queue_size_in_bytes: bytes,
    max_queue_size_in_bytes: settings.get('queue.memory.max_bytes'),
  }
}

/** A pipeline that does not run has told nothing. */
function persistedQueue(settings: Settings, { id }: PipelineView, figures: QueueFigures | undefined): Body {
  const events = figures?.unreadEvents ?? 0
  const bytes = figures?.queueBytes ?? 0
  const maxBytes = settings.get('queue.max_bytes')
  const path = figures?.path ?? `${settings.get('path.queue')}/${id}`
  return {
    type: 'persisted',
    events,
    events_count: events,
    queue_size_in_bytes: bytes,
    max_queue_size_in_bytes: maxBytes,
    capacity: {
      page_capacity_in_bytes: settings.get('queue.page_capacity'),
      max_queue_size_in_bytes: maxBytes,
      queue_size_in_bytes: bytes,
      max_unread_events: settings.get('queue.max_events'),
    },
    data: { path, free_space_in_bytes: figures?.freeBytes ?? 0, storage_type: storageType(path) },
    ...compression(settings, figures),
  }
}

function compression(settings: Settings, figures: QueueFigures | undefined): Body {
  const goal = settings.get('queue.compression')
  if (goal === 'none' || goal === 'disabled') return {}
  const counters = figures?.counters
  const encode = {
    ratio: { lifetime: ratio(counters?.storedBytes, counters?.rawBytes) },
    spend: { lifetime: spend(counters?.packNanos) },
  }
  const decode = {
    ratio: { lifetime: ratio(counters?.unpackedBytes, counters?.packedBytes) },
    spend: { lifetime: spend(counters?.unpackNanos) },
  }
  return { compression: { encode: { goal, ...encode }, decode } }
}

/** Bytes out by bytes in, to four digits as in Logstash; before anything went through, nothing has changed. */
function ratio(out = 0, taken = 0): number {
  return taken === 0 ? 1 : Number((out / taken).toPrecision(4))
}

/** The share of the time since the start. */
function spend(nanos = 0): number {
  return Number((nanos / 1e9 / process.uptime()).toPrecision(4))
}

/** What the stats of Logstash lack about a queue on the disk; zeros mean that nothing went wrong. */
export function queueExtras({ thread }: PipelineView): Body {
  const figures = thread?.queue
  if (figures === undefined) return {}
  const { unackedEvents, isDiskFull, counters } = figures
  return {
    queue: {
      unacked_events: unackedEvents,
      disk_full: isDiskFull,
      damaged_records: counters.corruptRecords,
      lost_events: counters.lostEvents,
      failed_syncs: counters.failedSyncs,
      commits: counters.commits,
      syncs: counters.syncs,
      checkpoints: counters.checkpoints,
    },
  }
}

/** With `output.isolation`: what waits for each output, and for how long the oldest of it has. */
export function outputQueues(pipeline: PipelineView): Body {
  const queues = outputLags(pipeline)
  if (queues === undefined) return {}
  const { settings } = pipeline.config
  const type = settings.get('queue.type')
  const max = settings.get(type === 'persisted' ? 'queue.max_bytes' : 'queue.memory.max_bytes')
  return {
    output_queues: queues.map(({ id, name, events, bytes, lagMillis }) => ({
      id,
      name,
      type,
      events_count: events,
      queue_size_in_bytes: bytes,
      max_queue_size_in_bytes: max,
      lag_in_millis: lagMillis,
    })),
  }
}

const storageTypes = new Map<string, string>()

/** The file system that a path is on, as the kernel calls it. */
function storageType(path: string): string {
  let type = storageTypes.get(path)
  if (type === undefined) {
    type = findStorageType(path)
    storageTypes.set(path, type)
  }
  return type
}

function findStorageType(path: string): string {
  let best = { point: '', type: 'unknown' }
  try {
    for (const line of readFileSync('/proc/self/mountinfo', 'utf8').split('\n')) {
      const [mount = '', source = ''] = line.split(' - ')
      const point = mount.split(' ')[4]
      if (point === undefined || point.length < best.point.length) continue
      const isInside = path === point || path.startsWith(point.endsWith('/') ? point : `${point}/`)
      if (isInside) best = { point, type: source.split(' ')[0] ?? 'unknown' }
    }
  } catch {
    // Only Linux has the table.
  }
  return best.type
}
