/**
 * What monitoring clients read of our bodies: for each client its requests, and the members it needs with the type
 * its decoder insists on. A client decodes whole documents, so one wrong type costs it everything.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, Millrace } from '../support/millrace.ts'

type Kind = 'int' | 'num' | 'text' | 'bool' | 'object' | 'list' | 'rate' | 'texts' | 'any'

/** Dotted paths; `*` is every member of an object or item of a list. A `?` makes the last name optional. */
type Needs = Readonly<Record<string, Kind>>

interface Client {
  readonly name: string
  readonly requests: Readonly<Record<string, Needs>>
}

function each(prefix: string, kind: Kind, ...names: string[]): Needs {
  return Object.fromEntries(names.map((name) => [`${prefix}${name}`, kind]))
}

const identity = each('', 'text', 'id', 'name', 'host', 'version')
const eventCounts = each('events.', 'int', 'in', 'filtered', 'out', 'duration_in_millis')
const pipelineEvents = each('pipelines.*.events.', 'int', 'in', 'filtered', 'out', 'duration_in_millis')
const pools = each(
  'jvm.mem.pools.*.',
  'int',
  'used_in_bytes',
  'committed_in_bytes',
  'max_in_bytes',
  'peak_used_in_bytes',
  'peak_max_in_bytes',
)
const collectors = each('jvm.gc.collectors.*.', 'int', 'collection_count', 'collection_time_in_millis')
const heap = each(
  'jvm.mem.',
  'int',
  'heap_used_percent',
  'heap_committed_in_bytes',
  'heap_max_in_bytes',
  'heap_used_in_bytes',
  'non_heap_used_in_bytes',
  'non_heap_committed_in_bytes',
)
const jvm: Needs = {
  ...each('jvm.threads.', 'int', 'count', 'peak_count'),
  ...heap,
  ...pools,
  ...collectors,
  'jvm.uptime_in_millis': 'int',
}
const processStats: Needs = {
  ...each('process.', 'int', 'open_file_descriptors', 'peak_open_file_descriptors', 'max_file_descriptors'),
  'process.mem.total_virtual_in_bytes': 'int',
  ...each('process.cpu.', 'int', 'total_in_millis', 'percent'),
  ...each('process.cpu.load_average.', 'num', '1m', '5m', '15m'),
}
const nodeReloads = each('reloads.', 'int', 'successes', 'failures')
const pipelineReloads: Needs = {
  ...each('pipelines.*.reloads.', 'int', 'successes', 'failures'),
  ...each('pipelines.*.reloads.', 'any', 'last_error', 'last_success_timestamp', 'last_failure_timestamp'),
}
const queue: Needs = {
  'pipelines.*.queue.type': 'text',
  ...each(
    'pipelines.*.queue.',
    'int',
    'events',
    'events_count',
    'queue_size_in_bytes',
    'max_queue_size_in_bytes',
  ),
}
const plugins: Needs = {
  ...each('pipelines.*.plugins.', 'list', 'inputs', 'codecs', 'filters', 'outputs'),
  ...each('pipelines.*.plugins.*.*.', 'text', 'id', 'name'),
  ...each('pipelines.*.plugins.inputs.*.events.', 'int', 'out', 'queue_push_duration_in_millis'),
  ...each('pipelines.*.plugins.filters.*.events.', 'int', 'in', 'out', 'duration_in_millis'),
  ...each('pipelines.*.plugins.outputs.*.events.', 'int', 'in', 'out', 'duration_in_millis'),
}
const flows = [
  'input_throughput',
  'filter_throughput',
  'output_throughput',
  'queue_backpressure',
  'worker_concurrency',
]
const windows = ['current', 'lifetime']
const nodeFlow = Object.assign({}, ...flows.map((name) => each(`flow.${name}.`, 'num', ...windows))) as Needs
const pipelineFlow = Object.assign(
  {},
  ...[...flows, 'worker_utilization'].map((name) => each(`pipelines.*.flow.${name}.`, 'num', ...windows)),
) as Needs

const clients: readonly Client[] = [
  {
    name: 'Telegraf',
    requests: {
      '/_node/stats/jvm': { ...identity, ...jvm },
      '/_node/stats/process': { ...identity, ...processStats },
      '/_node/stats/pipelines': { ...identity, ...pipelineEvents, ...plugins, ...queue },
    },
  },
  {
    name: 'Telegraf with a single pipeline',
    requests: {
      '/_node/stats/pipeline': {
        ...identity,
        ...each('pipeline.events.', 'int', 'in', 'filtered', 'out', 'duration_in_millis'),
        ...each('pipeline.plugins.', 'list', 'inputs', 'filters', 'outputs'),
        ...each('pipeline.plugins.*.*.', 'text', 'id', 'name'),
        ...each('pipeline.plugins.*.*.events.', 'int', 'in', 'out'),
        'pipeline.queue.type': 'text',
        'pipeline.queue.events': 'int',
        'pipeline.reloads': 'object',
      },
    },
  },
  {
    name: 'Metricbeat, node',
    requests: {
      '/': { version: 'text' },
      '/_node': { id: 'text', host: 'text', version: 'text', 'jvm.version': 'text', 'jvm.pid': 'int' },
      '/_node/pipelines?graph=true': {
        ...each('pipelines.*.', 'text', 'hash', 'ephemeral_id'),
        ...each('pipelines.*.', 'int', 'batch_size', 'workers'),
        ...each('pipelines.*.graph.', 'text', 'hash', 'type', 'version'),
        ...each('pipelines.*.graph.graph.', 'list', 'vertices', 'edges'),
        ...each('pipelines.*.graph.graph.vertices.*.', 'text', 'id', 'type'),
        'pipelines.*.graph.graph.vertices.*.explicit_id': 'bool',
        'pipelines.*.graph.graph.vertices.*.meta': 'any',
        ...each('pipelines.*.graph.graph.edges.*.', 'text', 'id', 'from', 'to', 'type'),
      },
    },
  },
  {
    name: 'Metricbeat, node_stats',
    requests: {
      '/_node/stats?vertices=true': {
        ...identity,
        ...each('', 'text', 'ephemeral_id', 'http_address', 'status'),
        snapshot: 'bool',
        ...each('pipeline.', 'int', 'batch_size', 'workers'),
        ...eventCounts,
        ...collectors,
        ...each('jvm.mem.', 'int', 'heap_max_in_bytes', 'heap_used_in_bytes', 'heap_used_percent'),
        'jvm.uptime_in_millis': 'int',
        ...nodeReloads,
        'queue.events_count': 'int',
        ...processStats,
        os: 'object',
        ...each('pipelines.*.', 'text', 'hash', 'ephemeral_id'),
        ...pipelineEvents,
        ...pipelineReloads,
        ...queue,
        'pipelines.*.vertices': 'list',
        ...each('pipelines.*.vertices.*.', 'text', 'id', 'pipeline_ephemeral_id'),
        ...each('pipelines.*.vertices.*.', 'list', 'long_counters', 'double_gauges'),
        'pipelines.*.vertices.*.events_out': 'int',
        'pipelines.*.vertices.*.events_in?': 'int',
        'pipelines.*.vertices.*.duration_in_millis?': 'int',
        'pipelines.*.vertices.*.queue_push_duration_in_millis?': 'int',
        'pipelines.*.vertices.*.long_counters.*.name': 'text',
        'pipelines.*.vertices.*.long_counters.*.value': 'int',
      },
    },
  },
  {
    name: 'Elastic Agent',
    requests: {
      '/_node/stats?graph=true&vertices=true': {
        ...identity,
        ...each(
          '',
          'object',
          'events',
          'queue',
          'reloads',
          'pipeline',
          'jvm.mem',
          'jvm.threads',
          'process.cpu',
        ),
        'jvm.uptime_in_millis': 'int',
        snapshot: 'bool',
        status: 'text',
        ...plugins,
        'pipelines.*.plugins.inputs.*.flow.throughput': 'object',
        'pipelines.*.plugins.filters.*.flow.worker_utilization.*': 'num',
        'pipelines.*.plugins.filters.*.flow.worker_millis_per_event.*': 'rate',
        'pipelines.*.batch.event_count.current': 'int',
        'pipelines.*.batch.byte_size.current': 'int',
      },
      '/_node/pipelines/main?graph=true&vertices=true': {
        'pipelines.main.workers': 'int',
        'pipelines.main.graph.graph.vertices.*.id': 'text',
      },
    },
  },
  {
    name: 'kuskoman/logstash-exporter',
    requests: {
      '/': {
        ...identity,
        ...each('', 'text', 'http_address', 'ephemeral_id', 'status', 'build_date', 'build_sha'),
        ...each('', 'bool', 'snapshot', 'build_snapshot'),
        ...each('pipeline.', 'int', 'workers', 'batch_size', 'batch_delay'),
      },
      '/_node/stats': {
        ...jvm,
        ...processStats,
        ...eventCounts,
        'events.queue_push_duration_in_millis': 'int',
        ...nodeFlow,
        ...nodeReloads,
        'queue.events_count': 'int',
        ...pipelineEvents,
        ...pipelineFlow,
        ...plugins,
        ...pipelineReloads,
        ...queue,
        ...each('pipelines.*.', 'text', 'hash', 'ephemeral_id'),
      },
    },
  },
  {
    name: 'BonnierNews and sequra exporters',
    requests: {
      '/_node': {
        ...each('os.', 'text', 'name', 'arch', 'version'),
        'os.available_processors': 'int',
        ...each('jvm.', 'text', 'version', 'vm_name', 'vm_version', 'vm_vendor'),
        ...each('jvm.', 'int', 'pid', 'start_time_in_millis'),
        ...each(
          'jvm.mem.',
          'int',
          'heap_init_in_bytes',
          'heap_max_in_bytes',
          'non_heap_init_in_bytes',
          'non_heap_max_in_bytes',
        ),
        'jvm.gc_collectors': 'texts',
        ...each('pipeline.', 'int', 'workers', 'batch_size', 'batch_delay', 'config_reload_interval'),
        'pipeline.config_reload_automatic': 'bool',
      },
      '/_node/stats': { ...jvm, ...processStats, ...pipelineEvents, ...plugins, ...queue },
    },
  },
  {
    name: 'Netdata',
    requests: {
      '/_node/stats': {
        'jvm.threads.count': 'int',
        ...heap,
        ...pools,
        ...collectors,
        'jvm.uptime_in_millis': 'int',
        'process.open_file_descriptors': 'int',
        ...pipelineEvents,
      },
    },
  },
  {
    name: 'Datadog',
    requests: {
      '/': { version: 'text' },
      '/_node/stats': { ...jvm, ...processStats, ...nodeReloads, ...pipelineEvents, ...plugins, ...queue },
    },
  },
  {
    name: 'Zabbix',
    requests: {
      '/_node/stats': {
        ...eventCounts,
        ...jvm,
        ...processStats,
        ...each('', 'text', 'status', 'version'),
        ...pipelineEvents,
        ...queue,
        ...pipelineFlow,
      },
    },
  },
  {
    name: 'NETWAYS check_logstash',
    requests: {
      '/_node/stats': {
        ...each('', 'text', 'status', 'version'),
        ...processStats,
        'jvm.mem.heap_used_percent': 'int',
        'jvm.threads.count': 'int',
      },
      '/_node/stats/pipelines/': { ...pipelineReloads, ...pipelineFlow, ...pipelineEvents, ...queue },
      '/_node/stats/pipelines/main': { ...pipelineReloads, ...pipelineFlow },
    },
  },
  {
    name: 'support-diagnostics',
    requests: {
      '/': { version: 'text' },
      '/_node': identity,
      '/_node/stats': identity,
      '/_node/plugins': { total: 'int', 'plugins.*.name': 'text', 'plugins.*.version': 'text' },
    },
  },
]

const config = `
input { stdin { } generator { count => 1 } }
filter {
  grok { match => { "message" => "^a %{WORD:w}$" } pattern_definitions => { "WORD" => "[a-z]+" } }
  mutate { add_tag => ["x"] }
}
output { null { } stdout { codec => dots } }
`

let node: Millrace

beforeAll(async () => {
  node = await Millrace.start({ config, api: true })
  await node.untilStarted()
  node.write('a b\nc d\n')
  await node.apiUntil('/_node/stats/events', (body) => (body['events'] as Json)['out'] === 3)
})

afterAll(() => node?.dispose())

describe.each(clients)('$name', ({ requests }) => {
  it.each(Object.entries(requests))('reads %s', async (path, needs) => {
    const body = await node.api(path)
    const wrong = Object.entries(needs).flatMap(([place, kind]) =>
      problems(body, place.split('.'), kind, place),
    )
    expect(wrong).toEqual([])
  })
})

describe('clients of every body', () => {
  it('find only names a metric may have among figures, and lists where they look for lists', async () => {
    const {
      pipelines,
      jvm: heapStats,
      process: processBody,
      events,
      reloads,
    } = await node.api('/_node/stats')
    const { main } = pipelines as { main: Json }
    const plugins = main['plugins'] as Record<string, Json[]>
    for (const section of Object.values(plugins)) expect(section).toBeInstanceOf(Array)
    const walked = [
      heapStats,
      processBody,
      events,
      reloads,
      main['events'],
      main['queue'],
      ...Object.values(plugins).flat(),
    ]
    const odd = walked.flatMap(keysIn).filter((key) => !/^[A-Za-z0-9_]+$/.test(key))
    expect(odd).toEqual([])
  })

  it('find no null, no NaN and no text among rates, but for plugins without events', async () => {
    const text = JSON.stringify((await node.api('/_node/stats'))['flow'])
    expect(text).not.toMatch(/null|NaN|Infinity/)
    const { pipelines } = (await node.api('/_node/stats/pipelines')) as { pipelines: { main: Json } }
    expect(JSON.stringify(pipelines.main['flow'])).not.toMatch(/null|NaN|Infinity/)
  })
})

function keysIn(value: unknown): string[] {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => [key, ...keysIn(member)])
}

function problems(value: unknown, path: readonly string[], kind: Kind, place: string): string[] {
  const [step, ...rest] = path
  if (step === undefined) return is(kind, value) ? [] : [`${place}: ${JSON.stringify(value)} is not ${kind}`]
  if (typeof value !== 'object' || value === null) return [`${place}: nothing there`]
  if (step === '*') return Object.values(value).flatMap((member) => problems(member, rest, kind, place))
  const isOptional = step.endsWith('?')
  const name = isOptional ? step.slice(0, -1) : step
  if (!Object.hasOwn(value, name)) return isOptional ? [] : [`${place}: no ${name}`]
  return problems((value as Json)[name], rest, kind, place)
}

function is(kind: Kind, value: unknown): boolean {
  switch (kind) {
    case 'int':
      return Number.isSafeInteger(value)
    case 'num':
      return typeof value === 'number'
    case 'rate':
      return typeof value === 'number' || value === 'Infinity' || value === '-Infinity'
    case 'text':
      return typeof value === 'string' && value !== ''
    case 'bool':
      return typeof value === 'boolean'
    case 'list':
      return Array.isArray(value)
    case 'texts':
      return Array.isArray(value) && value.every((item) => typeof item === 'string')
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'any':
      return value !== undefined
  }
}
