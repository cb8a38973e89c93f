/**
 * One pipeline in the stats: the current shape (`/_node/stats/pipelines`) and the 5.0 shape of the singular
 * path (`/_node/stats/pipeline`), which has other plugin ids and no durations for outputs.
 */
import { eventKeys } from '../../../metrics/pipeline-keys.ts'
import { pipelineHash } from '../../../pipeline/plan/source.ts'
import type { Body } from '../envelope.ts'
import type { BatchReadings } from '../metrics/batch-readings.ts'
import { eventCounts, whole } from '../metrics/counts.ts'
import type { Flow, FlowReadings } from '../metrics/flow-readings.ts'
import type { PipelineView } from '../view.ts'
import { instanceId } from './identities.ts'
import { bytesOut, oldPluginSections, pluginSections, vertices } from './plugin-stats.ts'
import { outputQueues, queueExtras, queueStats } from './queue-stats.ts'
import { workers } from './worker-stats.ts'

interface StatsOptions {
  readonly vertices: boolean
}

interface StatsReadings {
  readonly flows: FlowReadings
  readonly batches: BatchReadings
}

const noFlow: Flow = {
  input_throughput: {},
  filter_throughput: {},
  output_throughput: {},
  queue_backpressure: {},
  worker_concurrency: {},
  worker_utilization: {},
}

export function pipelineStats(
  pipeline: PipelineView,
  { flows, batches }: StatsReadings,
  options: StatsOptions,
): Body {
  const { board, status, summary, config } = pipeline
  const events = eventCounts(board, status === 'running')
  const flow = flows.pipeline(pipeline)
  const { inputs, codecs, filters, outputs } = pluginSections(pipeline, flow)
  const batch = batches.read(pipeline)
  return {
    events,
    flow: flow?.pipeline ?? noFlow,
    plugins: { inputs, codecs, filters, outputs },
    reloads: reloads(pipeline),
    queue: queueStats(pipeline),
    pipeline: sizes(pipeline),
    ...(batch !== undefined && { batch }),
    ...(config.settings.get('dead_letter_queue.enable') && { dead_letter_queue: deadLetters(pipeline) }),
    hash: summary?.hash ?? pipelineHash(config.parts),
    ephemeral_id: instanceId(pipeline),
    ...(options.vertices && { vertices: vertices(pipeline) }),
    ext: extras(pipeline),
  }
}

export function oldPipelineStats(pipeline: PipelineView): Body {
  const {
    in: taken,
    filtered,
    out,
    duration_in_millis,
  } = eventCounts(pipeline.board, pipeline.status === 'running')
  return {
    ...sizes(pipeline),
    id: pipeline.id,
    events: { duration_in_millis, in: taken, filtered, out },
    plugins: oldPluginSections(pipeline),
    reloads: reloads(pipeline),
    queue: queueStats(pipeline),
  }
}

export function sizes({ summary, config }: PipelineView) {
  return {
    workers: summary?.workers ?? config.settings.get('pipeline.workers'),
    batch_size: summary?.batchSize ?? config.settings.get('pipeline.batch.size'),
    batch_delay: summary?.batchDelay ?? config.settings.get('pipeline.batch.delay'),
  }
}

function reloads({
  reloads: { successes, failures, lastError, lastSuccess, lastFailure },
}: PipelineView): Body {
  return {
    successes,
    failures,
    last_error: lastError,
    last_success_timestamp: lastSuccess?.toISOString() ?? null,
    last_failure_timestamp: lastFailure?.toISOString() ?? null,
  }
}

/** A pipeline that does not run has told nothing. */
function deadLetters({ thread, config: { settings } }: PipelineView): Body {
  if (thread?.deadLetters !== undefined) return { ...thread.deadLetters }
  return {
    queue_size_in_bytes: 0,
    max_queue_size_in_bytes: settings.get('dead_letter_queue.max_bytes'),
    storage_policy: settings.get('dead_letter_queue.storage_policy'),
    dropped_events: 0,
    expired_events: 0,
    last_error: 'no errors',
  }
}

function extras(pipeline: PipelineView): Body {
  const { board, summary } = pipeline
  const out = summary && bytesOut(summary, board)
  return {
    dropped: whole(board?.sum(eventKeys.dropped) ?? 0),
    bytes_in: whole(board?.sum(eventKeys.bytes) ?? 0),
    ...(out !== undefined && { bytes_out: out }),
    workers: workers(pipeline),
    ...queueExtras(pipeline),
    ...outputQueues(pipeline),
    threads: threads(pipeline),
  }
}

/** How often threads were replaced, and what that has cost. */
function threads({ losses }: PipelineView): Body {
  return {
    restarts: losses.hostRestarts,
    worker_restarts: losses.workerRestarts,
    lost_events: losses.lostEvents,
    given_up_events: losses.givenUpEvents,
    last_reason: losses.lastReason ?? null,
  }
}
