/**
 * Metrics under names of our own: base units, counters that end in `_total`, one label per question, and every
 * figure a plugin keeps. `process_*` are the names every client library uses.
 */
import { version } from '../../../version.ts'
import type { Body } from '../envelope.ts'
import { nodeHealth } from '../health/health-node.ts'
import { healthStatuses } from '../health/health-status.ts'
import { numberAt, objectAt } from '../inner-request.ts'
import { userPipelines } from '../view.ts'
import { residentBytes } from './proc-files.ts'
import {
  type Figures,
  families,
  family,
  type PluginFigures,
  pipelinesOf,
  pluginsOf,
  sample,
} from './prometheus-figures.ts'
import type { Family, Labels, Sample } from './prometheus-text.ts'

const pipelineStates = [
  'starting',
  'running',
  'finished',
  'stopped',
  'crashed',
  'failed',
  'restarting',
] as const

/** Limit of labelled figures of one plugin, which may have some for each pattern or field. */
const maxListLength = 500

export function ownFamilies(figures: Figures): Family[] {
  return [
    ...nodeFamilies(figures),
    ...pipelineFamilies(figures),
    ...pluginFamilies(figures),
    ...processFamilies(figures),
  ]
}

function nodeFamilies({ node, info, stats }: Figures): Family[] {
  const build: Labels = [
    ['version', version],
    ['logstash_version', String(info['version'])],
    ['node_version', process.versions.node],
  ]
  const { status: health } = nodeHealth(node)
  const collectors = Object.entries(objectAt(stats, 'jvm.gc.collectors'))
  return [
    family('millrace_build_info', 'gauge', 'Versions of this program; always 1.', sample(build, 1)),
    family(
      'millrace_health_status',
      'gauge',
      'Health of the node: 1 for the status it has.',
      healthStatuses.flatMap((status) => sample([['status', status]], Number(status === health))),
    ),
    family(
      'millrace_gc_collections_total',
      'counter',
      'Garbage collections.',
      collectors.flatMap(([name, body]) => sample([['collector', name]], numberAt(body, 'collection_count'))),
    ),
    family(
      'millrace_gc_seconds_total',
      'counter',
      'Time spent on garbage collection.',
      collectors.flatMap(([name, body]) =>
        sample([['collector', name]], seconds(numberAt(body, 'collection_time_in_millis'))),
      ),
    ),
  ]
}

function pipelineFamilies(figures: Figures): Family[] {
  const pipelines = pipelinesOf(figures)
  const subjects = pipelines.map(([id, body]) => ({ body, labels: [['pipeline', id] as const] }))
  const inSeconds = (name: string, path: string, help: string) =>
    family(
      name,
      'counter',
      help,
      subjects.flatMap(({ body, labels }) => sample(labels, seconds(numberAt(body, path)))),
    )
  return [
    ...families(
      'millrace_pipeline_',
      [
        ['events_in_total', 'counter', 'events.in', 'Events taken in.'],
        ['events_filtered_total', 'counter', 'events.filtered', 'Events that have passed the filters.'],
        ['events_out_total', 'counter', 'events.out', 'Events handed to outputs.'],
        ['workers', 'gauge', 'pipeline.workers', 'Workers of the pipeline.'],
        ['queue_events', 'gauge', 'queue.events_count', 'Events waiting in the queue.'],
        ['queue_bytes', 'gauge', 'queue.queue_size_in_bytes', 'Bytes waiting in the queue.'],
        ['queue_max_bytes', 'gauge', 'queue.max_queue_size_in_bytes', 'Limit of the queue.'],
      ],
      subjects,
    ),
    inSeconds(
      'millrace_pipeline_worker_seconds_total',
      'events.duration_in_millis',
      'Time workers were busy.',
    ),
    inSeconds(
      'millrace_pipeline_queue_push_seconds_total',
      'events.queue_push_duration_in_millis',
      'Time inputs waited for the queue.',
    ),
    family(
      'millrace_pipeline_status',
      'gauge',
      'State of the pipeline: 1 for the one it has.',
      states(figures),
    ),
    family(
      'millrace_pipeline_reloads_total',
      'counter',
      'Reloads by their result.',
      pipelines.flatMap(([id, body]) =>
        Object.entries({ success: 'successes', failure: 'failures' }).flatMap(([result, counter]) =>
          sample(
            [
              ['pipeline', id],
              ['result', result],
            ],
            numberAt(body, `reloads.${counter}`),
          ),
        ),
      ),
    ),
    family(
      'millrace_pipeline_flow',
      'gauge',
      'Rates of the pipeline by window.',
      pipelines.flatMap(([id, body]) => flowSamples([['pipeline', id]], body)),
    ),
    ...outputQueueFamilies(pipelines),
    family(
      'millrace_pipeline_extra',
      'untyped',
      'Further figures of the pipeline by name.',
      pipelines.flatMap(([id, body]) => namedSamples([['pipeline', id]], 'name', objectAt(body, 'ext'))),
    ),
  ]
}

/** Outputs with queues of their own. */
function outputQueueFamilies(pipelines: readonly (readonly [id: string, body: Body])[]): Family[] {
  const queues = pipelines.flatMap(([pipeline, body]) => {
    const list = objectAt(body, 'ext')['output_queues']
    return (Array.isArray(list) ? (list as Body[]) : []).map((queue) => ({
      queue,
      labels: [
        ['pipeline', pipeline],
        ['plugin', String(queue['name'])],
        ['plugin_id', String(queue['id'])],
      ] as Labels,
    }))
  })
  const gauge = (name: string, help: string, read: (queue: Body) => number | undefined) =>
    family(
      `millrace_output_${name}`,
      'gauge',
      help,
      queues.flatMap(({ queue, labels }) => sample(labels, read(queue))),
    )
  return [
    gauge('queue_events', 'Events that wait for the output.', (queue) => numberAt(queue, 'events_count')),
    gauge('queue_bytes', 'Bytes that wait for the output.', (queue) =>
      numberAt(queue, 'queue_size_in_bytes'),
    ),
    gauge('lag_seconds', 'How long the oldest event has been waiting for the output.', (queue) =>
      seconds(numberAt(queue, 'lag_in_millis')),
    ),
  ]
}

function states({ node }: Figures): Sample[] {
  return userPipelines(node.agent).flatMap(({ id, status }) =>
    pipelineStates.flatMap((state) =>
      sample(
        [
          ['pipeline', id],
          ['status', state],
        ],
        Number(state === status),
      ),
    ),
  )
}

function pluginFamilies(figures: Figures): Family[] {
  const plugins = pluginsOf(figures).filter(({ type }) => type !== 'codec')
  const subjects = plugins.map((plugin) => ({ body: plugin.body, labels: labelsOf(plugin) }))
  return [
    ...families(
      'millrace_plugin_',
      [
        ['events_in_total', 'counter', 'events.in', 'Events the plugin received.'],
        ['events_out_total', 'counter', 'events.out', 'Events the plugin passed on.'],
      ],
      subjects,
    ),
    family(
      'millrace_plugin_seconds_total',
      'counter',
      'Time spent in the plugin.',
      subjects.flatMap(({ body, labels }) =>
        sample(labels, seconds(numberAt(body, 'events.duration_in_millis'))),
      ),
    ),
    family(
      'millrace_plugin_figure',
      'untyped',
      'Figures the plugin keeps itself, by name.',
      subjects.flatMap(({ body: { id, name, events, flow, ...own }, labels }) =>
        namedSamples(labels, 'figure', own),
      ),
    ),
  ]
}

function labelsOf({ pipeline, type, name, id }: PluginFigures): Labels {
  return [
    ['pipeline', pipeline],
    ['plugin_type', type],
    ['plugin', name],
    ['plugin_id', id],
  ]
}

function flowSamples(labels: Labels, body: Body): Sample[] {
  return Object.entries(objectAt(body, 'flow')).flatMap(([flow, windows]) =>
    Object.keys(objectAt({ windows }, 'windows')).flatMap((window) =>
      sample([...labels, ['flow', flow], ['window', window]], numberAt(windows, window)),
    ),
  )
}

/** Numbers at any depth, named by their dotted path; texts and lists are left out. */
function namedSamples(labels: Labels, label: string, body: Body): Sample[] {
  const samples: Sample[] = []
  const collect = (place: Body, prefix: string): void => {
    for (const [key, value] of Object.entries(place)) {
      if (samples.length >= maxListLength) return
      if (typeof value === 'number') samples.push({ labels: [...labels, [label, prefix + key]], value })
      else if (typeof value === 'object' && value !== null && !Array.isArray(value))
        collect(value as Body, `${prefix}${key}.`)
    }
  }
  collect(body, '')
  return samples
}

function processFamilies({ stats }: Figures): Family[] {
  const started = Date.now() / 1000 - process.uptime()
  return [
    family(
      'process_cpu_seconds_total',
      'counter',
      'Processor time used.',
      sample([], seconds(numberAt(stats, 'process.cpu.total_in_millis'))),
    ),
    family('process_resident_memory_bytes', 'gauge', 'Memory in use.', sample([], residentBytes())),
    ...families(
      'process_',
      [
        ['virtual_memory_bytes', 'gauge', 'process.mem.total_virtual_in_bytes', 'Virtual memory.'],
        ['open_fds', 'gauge', 'process.open_file_descriptors', 'Open file descriptors.'],
        ['max_fds', 'gauge', 'process.max_file_descriptors', 'Limit of open file descriptors.'],
      ],
      [{ body: stats, labels: [] }],
    ),
    family(
      'process_start_time_seconds',
      'gauge',
      'When the process started, since 1970.',
      sample([], Math.round(started * 100) / 100),
    ),
  ]
}

function seconds(millis: number | undefined): number | undefined {
  return millis === undefined ? undefined : millis / 1000
}
