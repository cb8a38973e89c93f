/**
 * Metrics under the names of the widely used exporter for Logstash (kuskoman/logstash-exporter), so that its
 * dashboards and alerts go on working without it. Names that grow without ending in `_total`, or end in `_count`
 * without being a summary, are untyped: as counters or gauges they would break the rules of the format.
 * Differences: times of reloads are values in seconds rather than timestamps of a constant, and what is not
 * known is left out instead of being zero.
 */
import { hostname } from 'node:os'
import { numberAt, objectAt } from '../inner-request.ts'
import {
  type Figures,
  families,
  family,
  type PluginFigures,
  pipelinesOf,
  pluginsOf,
  type Row,
  sample,
} from './prometheus-figures.ts'
import type { Family, Labels } from './prometheus-text.ts'

const infoRows: readonly Row[] = [
  ['pipeline_workers', 'gauge', 'pipeline.workers', 'Workers of a pipeline that does not say otherwise.'],
  ['pipeline_batch_size', 'gauge', 'pipeline.batch_size', 'Events a worker takes at once, at most.'],
  [
    'pipeline_batch_delay',
    'gauge',
    'pipeline.batch_delay',
    'Milliseconds a worker waits for a fuller batch.',
  ],
]

const nodeRows: readonly Row[] = [
  ['jvm_threads_count', 'untyped', 'jvm.threads.count', 'Threads of the process.'],
  ['jvm_threads_peak_count', 'untyped', 'jvm.threads.peak_count', 'Most threads seen at once.'],
  [
    'jvm_mem_heap_used_percent',
    'gauge',
    'jvm.mem.heap_used_percent',
    'Heap in use, in percent of its limit.',
  ],
  ['jvm_mem_heap_committed_bytes', 'gauge', 'jvm.mem.heap_committed_in_bytes', 'Heap taken from the system.'],
  ['jvm_mem_heap_max_bytes', 'gauge', 'jvm.mem.heap_max_in_bytes', 'Limit of the heap.'],
  ['jvm_mem_heap_used_bytes', 'gauge', 'jvm.mem.heap_used_in_bytes', 'Heap in use.'],
  [
    'jvm_mem_non_heap_committed_bytes',
    'gauge',
    'jvm.mem.non_heap_committed_in_bytes',
    'Memory outside the heap.',
  ],
  ['jvm_uptime_millis', 'gauge', 'jvm.uptime_in_millis', 'Milliseconds since the start of the process.'],
  ['process_open_file_descriptors', 'gauge', 'process.open_file_descriptors', 'Open file descriptors.'],
  [
    'process_max_file_descriptors',
    'gauge',
    'process.max_file_descriptors',
    'Limit of open file descriptors.',
  ],
  ['process_cpu_percent', 'gauge', 'process.cpu.percent', 'Use of all processors, in percent.'],
  [
    'process_cpu_total_millis',
    'untyped',
    'process.cpu.total_in_millis',
    'Processor time so far, in milliseconds.',
  ],
  ['process_cpu_load_average_1m', 'gauge', 'process.cpu.load_average.1m', 'Load of the system, one minute.'],
  [
    'process_cpu_load_average_5m',
    'gauge',
    'process.cpu.load_average.5m',
    'Load of the system, five minutes.',
  ],
  [
    'process_cpu_load_average_15m',
    'gauge',
    'process.cpu.load_average.15m',
    'Load of the system, fifteen minutes.',
  ],
  ['process_mem_total_virtual', 'gauge', 'process.mem.total_virtual_in_bytes', 'Virtual memory, in bytes.'],
  ['reload_successes', 'untyped', 'reloads.successes', 'Reloads that succeeded.'],
  ['reload_failures', 'untyped', 'reloads.failures', 'Reloads that failed.'],
  ['queue_events_count', 'untyped', 'queue.events_count', 'Events waiting in all queues.'],
  ['events_in', 'untyped', 'events.in', 'Events taken in.'],
  ['events_filtered', 'untyped', 'events.filtered', 'Events that have passed the filters.'],
  ['events_out', 'untyped', 'events.out', 'Events handed to outputs.'],
  ['events_duration_millis', 'untyped', 'events.duration_in_millis', 'Time workers spent on events.'],
  [
    'events_queue_push_duration_millis',
    'untyped',
    'events.queue_push_duration_in_millis',
    'Time inputs spent waiting for their queue.',
  ],
]

const poolRows: readonly Row[] = [
  ['jvm_mem_pool_peak_used_bytes', 'gauge', 'peak_used_in_bytes', 'Most memory of the pool in use at once.'],
  ['jvm_mem_pool_used_bytes', 'gauge', 'used_in_bytes', 'Memory of the pool in use.'],
  ['jvm_mem_pool_peak_max_bytes', 'gauge', 'peak_max_in_bytes', 'Highest limit of the pool so far.'],
  ['jvm_mem_pool_max_bytes', 'gauge', 'max_in_bytes', 'Limit of the pool, -1 when it has none.'],
  [
    'jvm_mem_pool_committed_bytes',
    'gauge',
    'committed_in_bytes',
    'Memory of the pool taken from the system.',
  ],
]

/** Shared by the node and its pipelines. */
const flowRows: readonly Row[] = (
  [
    ['input', 'input_throughput', 'Events taken in per second'],
    ['filter', 'filter_throughput', 'Events through the filters per second'],
    ['output', 'output_throughput', 'Events handed to outputs per second'],
    ['queue_backpressure', 'queue_backpressure', 'Inputs waiting for their queue, on average'],
    ['worker_concurrency', 'worker_concurrency', 'Workers busy, on average'],
  ] as const
).flatMap(([name, key, help]) => flowPair(name, key, help))

const pipelineRows: readonly Row[] = [
  ['events_out', 'untyped', 'events.out', 'Events handed to the outputs of the pipeline.'],
  ['events_filtered', 'untyped', 'events.filtered', 'Events that have passed the filters of the pipeline.'],
  ['events_in', 'untyped', 'events.in', 'Events taken in by the pipeline.'],
  ['events_duration', 'untyped', 'events.duration_in_millis', 'Milliseconds its workers spent on events.'],
  [
    'events_queue_push_duration',
    'untyped',
    'events.queue_push_duration_in_millis',
    'Milliseconds its inputs spent waiting for the queue.',
  ],
  ['reloads_successes', 'untyped', 'reloads.successes', 'Reloads of the pipeline that succeeded.'],
  ['reloads_failures', 'untyped', 'reloads.failures', 'Reloads of the pipeline that failed.'],
  ['queue_events_count', 'untyped', 'queue.events_count', 'Events waiting in the queue.'],
  ['queue_events_queue_size', 'gauge', 'queue.queue_size_in_bytes', 'Bytes waiting in the queue.'],
  ['queue_max_size_in_bytes', 'gauge', 'queue.max_queue_size_in_bytes', 'Limit of the queue in bytes.'],
  ...flowRows,
  ...flowPair('worker_utilization', 'worker_utilization', 'Time the workers were busy, in percent'),
  [
    'dead_letter_queue_max_size_in_bytes',
    'gauge',
    'dead_letter_queue.max_queue_size_in_bytes',
    'Limit of the dead letter queue.',
  ],
  [
    'dead_letter_queue_size_in_bytes',
    'gauge',
    'dead_letter_queue.queue_size_in_bytes',
    'Size of the dead letter queue.',
  ],
  [
    'dead_letter_queue_dropped_events',
    'untyped',
    'dead_letter_queue.dropped_events',
    'Events the dead letter queue had no room for.',
  ],
  [
    'dead_letter_queue_expired_events',
    'untyped',
    'dead_letter_queue.expired_events',
    'Events removed from the dead letter queue because of their age.',
  ],
]

const pluginRows: readonly Row[] = [
  ['events_in', 'untyped', 'events.in', 'Events the plugin received.'],
  ['events_out', 'untyped', 'events.out', 'Events the plugin passed on.'],
  ['events_duration', 'untyped', 'events.duration_in_millis', 'Milliseconds spent in the plugin.'],
  [
    'events_queue_push_duration',
    'untyped',
    'events.queue_push_duration_in_millis',
    'Milliseconds the input spent waiting for the queue.',
  ],
  ['documents_successes', 'untyped', 'documents.successes', 'Documents that were stored.'],
  [
    'documents_non_retryable_failures',
    'untyped',
    'documents.non_retryable_failures',
    'Documents that were refused for good.',
  ],
  [
    'bulk_requests_errors',
    'untyped',
    'bulk_requests.with_errors',
    'Bulk requests in which something failed.',
  ],
]

function flowPair(name: string, key: string, help: string): Row[] {
  return [
    [`flow_${name}_current`, 'gauge', `flow.${key}.current`, `${help}, over the last seconds.`],
    [`flow_${name}_lifetime`, 'gauge', `flow.${key}.lifetime`, `${help}, since the start.`],
  ]
}

export function logstashFamilies(figures: Figures): Family[] {
  const host: Labels = [['hostname', hostname()]]
  const { info, stats } = figures
  const pools = Object.entries(objectAt(stats, 'jvm.mem.pools')).map(([pool, body]) => ({
    body,
    labels: [['pool', pool] as const, ...host],
  }))
  const pipelines = pipelinesOf(figures).map(([id, body]) => ({
    body,
    labels: [['pipeline', id] as const, ...host],
  }))
  return [
    ...infoFamilies(figures, host),
    ...families('logstash_info_', infoRows, [{ body: info, labels: host }]),
    ...families('logstash_stats_', [...nodeRows, ...flowRows], [{ body: stats, labels: host }]),
    ...families('logstash_stats_', poolRows, pools),
    upFamily(figures, host),
    ...families('logstash_stats_pipeline_', pipelineRows, pipelines),
    ...reloadTimes(figures, host),
    ...families('logstash_stats_pipeline_plugin_', pluginRows, pluginSubjects(figures, host)),
    responsesFamily(figures, host),
  ]
}

function infoFamilies({ info }: Figures, host: Labels): Family[] {
  const labelled = (names: readonly (readonly [label: string, key: string])[]): Labels => [
    ...names.map(([label, key]) => [label, String(info[key] ?? '')] as const),
    ...host,
  ]
  const node = ['name', 'version', 'http_address', 'host', 'id'].map((name) => [name, name] as const)
  const build = ['date', 'sha', 'snapshot'].map((name) => [name, `build_${name}`] as const)
  return [
    family('logstash_info_node', 'gauge', 'Who this node is; always 1.', sample(labelled(node), 1)),
    family('logstash_info_build', 'gauge', 'What was built when; always 1.', sample(labelled(build), 1)),
    family('logstash_info_up', 'gauge', '1 while the node answers.', sample(host, 1)),
    family(
      'logstash_info_status',
      'gauge',
      'Health of the node, named by its label; always 1.',
      sample(labelled([['status', 'status']]), 1),
    ),
  ]
}

/** Down: it does not run because of an error, or its newest configuration could not be loaded. */
function upFamily({ node }: Figures, host: Labels): Family {
  const samples = [...node.agent.pipelines.values()]
    .filter(({ config }) => !config.settings.get('pipeline.system'))
    .map(({ id, status, reloads: { lastFailure, lastSuccess } }) => {
      const isStale = lastFailure !== null && (lastSuccess === null || lastSuccess < lastFailure)
      const isDown = isStale || status === 'crashed' || status === 'failed' || status === 'restarting'
      return { labels: [['pipeline', id] as const, ...host], value: isDown ? 0 : 1 }
    })
  return family('logstash_stats_pipeline_up', 'gauge', '1 while the pipeline runs as configured.', samples)
}

function reloadTimes(figures: Figures, host: Labels): Family[] {
  return (['success', 'failure'] as const).map((outcome) => {
    const samples = pipelinesOf(figures).flatMap(([id, body]) => {
      const time = objectAt(body, 'reloads')[`last_${outcome}_timestamp`]
      return sample(
        [['pipeline', id], ...host],
        typeof time === 'string' ? Date.parse(time) / 1000 : undefined,
      )
    })
    const help = `When a reload last was a ${outcome}, in seconds since 1970.`
    return family(`logstash_stats_pipeline_reloads_last_${outcome}_timestamp`, 'gauge', help, samples)
  })
}

function pluginLabels({ type, name, id, pipeline }: PluginFigures, kind = type): Labels {
  return [
    ['plugin_type', kind],
    ['plugin', name],
    ['plugin_id', id],
    ['pipeline', pipeline],
  ]
}

/** A codec counts apart what it decodes and what it encodes. */
function pluginSubjects(figures: Figures, host: Labels) {
  return pluginsOf(figures).flatMap((plugin) => {
    if (plugin.type !== 'codec') return [{ body: plugin.body, labels: [...pluginLabels(plugin), ...host] }]
    return ['encode', 'decode'].map((way) => ({
      body: { events: codecEvents(plugin, way) },
      labels: [...pluginLabels(plugin, `codec:${way}`), ...host],
    }))
  })
}

function codecEvents({ body }: PluginFigures, way: string): Record<string, unknown> {
  const { writes_in, ...counts } = objectAt(body, way)
  return { ...counts, in: writes_in }
}

function responsesFamily(figures: Figures, host: Labels): Family {
  const samples = pluginsOf(figures).flatMap((plugin) => {
    const [type, name, id, pipeline] = pluginLabels(plugin)
    const responses = objectAt(plugin.body, 'bulk_requests.responses')
    return Object.keys(responses).flatMap((code) =>
      sample([type!, name!, id!, ['code', code], pipeline!, ...host], numberAt(responses, code)),
    )
  })
  const help = 'Bulk requests by the status they were answered with.'
  return family('logstash_stats_pipeline_plugin_bulk_requests_responses', 'untyped', help, samples)
}
