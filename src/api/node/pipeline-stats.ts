/**
 * One pipeline in the stats: the current shape (`/_node/stats/pipelines`) and the 5.0 shape of the singular
 * path (`/_node/stats/pipeline`), which has other plugin ids and no durations for outputs.
 */

import { metricKey, type PluginCounter, pluginKey } from '../../pipeline/metric-keys.ts'
import { pipelineHash } from '../../pipeline/source.ts'
import type { PluginSummary } from '../../threads/messages.ts'
import { eventCounts, millis, whole } from './counts.ts'
import type { Body } from './envelope.ts'
import { instanceId, oldPluginIds } from './identities.ts'
import type { PipelineView } from './view.ts'

type Section = 'inputs' | 'filters' | 'outputs'

const sectionOf: Readonly<Record<PluginSummary['type'], Section>> = {
  input: 'inputs',
  filter: 'filters',
  output: 'outputs',
}

export function pipelineStats(pipeline: PipelineView, queued: number): Body {
  const { board, status, summary, config } = pipeline
  const { inputs, filters, outputs } = plugins(pipeline, 'current')
  return {
    events: eventCounts(board, status === 'running'),
    plugins: { inputs, codecs: [], filters, outputs },
    reloads: reloads(pipeline),
    queue: queue(pipeline, queued),
    pipeline: sizes(pipeline),
    hash: summary?.hash ?? pipelineHash(config.parts),
    ephemeral_id: instanceId(pipeline),
  }
}

export function oldPipelineStats(pipeline: PipelineView, queued: number): Body {
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
    plugins: plugins(pipeline, 'old'),
    reloads: reloads(pipeline),
    queue: queue(pipeline, queued),
  }
}

export function sizes({ summary, config }: PipelineView) {
  return {
    workers: summary?.workers ?? config.settings.get('pipeline.workers'),
    batch_size: summary?.batchSize ?? config.settings.get('pipeline.batch.size'),
    batch_delay: summary?.batchDelay ?? config.settings.get('pipeline.batch.delay'),
  }
}

function plugins(pipeline: PipelineView, shape: 'current' | 'old'): Record<Section, Body[]> {
  const sections: Record<Section, Body[]> = { inputs: [], filters: [], outputs: [] }
  const { summary } = pipeline
  if (summary === undefined) return sections
  const ids = shape === 'old' ? oldPluginIds(summary, pipeline) : summary.plugins.map(({ id }) => id)
  summary.plugins.forEach((plugin, index) => {
    sections[sectionOf[plugin.type]].push({
      id: ids[index],
      name: plugin.name,
      events: pluginEvents(plugin, pipeline, shape),
      ...ownMetrics(plugin, pipeline),
    })
  })
  return sections
}

function pluginEvents({ id, type }: PluginSummary, { board }: PipelineView, shape: 'current' | 'old'): Body {
  const count = (counter: PluginCounter) => board?.sum(pluginKey(id, counter)) ?? 0
  const out = whole(count('out'))
  if (type === 'input') {
    // What an input has made, the queue has accepted by the time it is counted.
    return {
      ...(shape === 'old' && { in: out }),
      out,
      queue_push_duration_in_millis: millis(count('push_nanos')),
    }
  }
  const events = { in: whole(count('in')), out }
  return shape === 'old' && type === 'output'
    ? events
    : { ...events, duration_in_millis: millis(count('nanos')) }
}

/** Declared metrics; a dot in a name makes an object: `documents.successes`. */
function ownMetrics({ id, metrics }: PluginSummary, { board }: PipelineView): Body {
  const body: Body = {}
  for (const metric of metrics) {
    const path = metric.split('.')
    const last = path.pop() ?? metric
    let place = body
    for (const part of path) place = (place[part] ??= {}) as Body
    place[last] = Math.trunc(board?.sum(metricKey(id, metric)) ?? 0)
  }
  return body
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

function queue({ config: { settings } }: PipelineView, queued: number): Body {
  return {
    type: settings.get('queue.type'),
    events: queued,
    events_count: queued,
    queue_size_in_bytes: 0,
    max_queue_size_in_bytes: settings.get('queue.memory.max_bytes'),
  }
}
