/** `_nodes/*`: identity, statistics and hot threads of this node. */

import { withReadableNumbers } from '../../../http/human.ts'
import { shownSettings } from '../../../search/index/admin/index-settings.ts'
import { searchQueueSize } from '../../../search/index/store-memory.ts'
import { sumUsage } from '../../../search/index/usage.ts'
import { processorTypes } from '../../../search/ingest/create-pipeline.ts'
import { illegalArgument } from '../../../search/request/errors.ts'
import type { JsonObject } from '../../../search/request/json-object.ts'
import { simpleMatch } from '../../../search/request/simple-match.ts'
import { writeBuffers } from '../../../search/shard/write-buffers.ts'
import type { Call } from '../call.ts'
import { faultCount } from '../error-envelope.ts'
import { type Answer, type Route, route } from '../route.ts'
import { breakerFigures, threadPools } from './memory-figures.ts'
import { osInfo } from './node-figures.ts'
import { groupsOf, statsBody, sumFigures } from './shard-stats.ts'
import { figuresOf } from './stats.ts'

export function roles(call: Call): string[] {
  return [call.cluster.compat.managerRole, 'data', 'ingest', 'remote_cluster_client'].sort()
}

function addressText(call: Call): string {
  const bound = call.node.address()
  if (bound === null) return '127.0.0.1:9200'
  return `${bound.host.includes(':') ? `[${bound.host}]` : bound.host}:${bound.port}`
}

/** There is no transport layer; the address only has to be well formed. */
const transportAddress = '127.0.0.1:9300'

/** The `node.attr.*` settings; every node of OpenSearch has one more. */
export function attributes(call: Call): Record<string, string> {
  const prefix = 'node.attr.'
  return Object.fromEntries([
    ...(call.cluster.compat.isOpenSearch ? [['shard_indexing_pressure_enabled', 'true'] as const] : []),
    ...Object.entries(call.node.settings)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value] as const),
  ])
}

export function nodeIdentity(call: Call): JsonObject {
  const { node } = call
  return {
    name: node.name,
    ephemeral_id: node.ephemeralId,
    transport_address: transportAddress,
    attributes: attributes(call),
    roles: roles(call),
  }
}

const infoGroups: Readonly<Record<string, (call: Call) => unknown>> = {
  settings: (call) => {
    const flat = {
      ...call.node.settings,
      'client.type': 'node',
      'cluster.name': call.node.clusterName,
      'node.name': call.node.name,
      'http.type': 'netty4',
      'transport.type': 'netty4',
    }
    return shownSettings(flat, call.flag('flat_settings'))
  },
  os: osInfo,
  process: () => ({ refresh_interval_in_millis: 1000, id: process.pid, mlockall: false }),
  jvm: (call) => ({
    pid: process.pid,
    version: process.versions.node,
    vm_name: 'Node.js',
    vm_version: process.versions.v8,
    vm_vendor: 'Node.js',
    start_time_in_millis: call.node.startTime,
    mem: memory(call),
    gc_collectors: [],
    memory_pools: [],
    input_arguments: [],
  }),
  thread_pool: () => ({
    search: { type: 'fixed', size: 1, queue_size: searchQueueSize },
    write: { type: 'fixed', size: 1, queue_size: 10_000 },
  }),
  transport: () => ({ bound_address: [transportAddress], publish_address: transportAddress, profiles: {} }),
  http: (call) => ({
    bound_address: [addressText(call)],
    publish_address: addressText(call),
    max_content_length_in_bytes: 104_857_600,
  }),
  plugins: () => [],
  modules: () => [],
  ingest: () => ({ processors: processorTypes.map((type) => ({ type })) }),
  aggregations: async () => {
    const { aggKinds } = await import('../../../search/aggs/agg-kinds.ts')
    return Object.fromEntries([...aggKinds.keys()].sort().map((name) => [name, { types: valueTypes(name) }]))
  },
  indices: () => undefined,
  search_pipelines: () => ({ request_processors: [], response_processors: [] }),
}

/** The value types of an aggregation; `other` for those over documents. */
function valueTypes(name: string): string[] {
  if (/^geo/.test(name)) return ['geopoint']
  if (name === 'ip_range') return ['ip']
  if (/histogram|range|avg|sum|min|max|stats|percentile|deviation/.test(name))
    return ['boolean', 'date', 'numeric']
  if (/terms|cardinality|value_count|missing/.test(name)) return ['boolean', 'bytes', 'date', 'ip', 'numeric']
  return ['other']
}

function memory(call: Call): JsonObject {
  const { committed, max } = call.node.figures.heap
  return {
    heap_init_in_bytes: 0,
    heap_max_in_bytes: max,
    non_heap_init_in_bytes: 0,
    non_heap_max_in_bytes: 0,
    direct_max_in_bytes: 0,
    heap_committed_in_bytes: committed,
  }
}

function envelope(call: Call, body: JsonObject | undefined): Answer {
  const total = body === undefined ? 0 : 1
  const value = {
    _nodes: { total, successful: total, failed: 0 },
    cluster_name: call.node.clusterName,
    nodes: body === undefined ? {} : { [call.node.id]: body },
  }
  return { body: call.flag('human') ? withReadableNumbers(value) : value }
}

/** True when a node expression selects this node. */
function isNode(call: Call, expression: string): boolean {
  const { id, name } = call.node
  const special = [
    '_all',
    '_local',
    '_master',
    '_cluster_manager',
    `master:true`,
    'cluster_manager:true',
    'data:true',
    'ingest:true',
    id,
    '',
  ]
  return expression
    .split(',')
    .some(
      (one) =>
        special.includes(one) ||
        simpleMatch(one, name) ||
        simpleMatch(one, id) ||
        one === '127.0.0.1' ||
        one === '*',
    )
}

/** `/_nodes/{x}`: metrics when every x is one, otherwise nodes. */
async function info(call: Call): Promise<Answer> {
  let { node = '', metric } = call.parts
  if (
    metric === undefined &&
    node !== '' &&
    node.split(',').every((one) => Object.hasOwn(infoGroups, one) || one === '_all')
  ) {
    metric = node
    node = ''
  }
  const asked = metric?.split(',') ?? []
  const names = asked.length === 0 || asked.includes('_all') ? Object.keys(infoGroups) : asked
  if (!isNode(call, node)) return envelope(call, undefined)
  const { compat } = call.cluster
  const shown: [string, unknown][] = []
  for (const name of names)
    if (Object.hasOwn(infoGroups, name)) shown.push([name, await infoGroups[name]!(call)])
  return envelope(call, {
    name: call.node.name,
    transport_address: transportAddress,
    host: '127.0.0.1',
    ip: '127.0.0.1',
    version: compat.number,
    ...(!compat.isOpenSearch && { build_flavor: 'default' }),
    build_type: 'tar',
    build_hash: 'unknown',
    total_indexing_buffer: writeBuffers.maxBytes,
    roles: roles(call),
    attributes: attributes(call),
    ...Object.fromEntries(shown),
  })
}

const completedOf = { search: 'searches', write: 'writes' } as const

const statGroups: Readonly<Record<string, (call: Call) => unknown>> = {
  os: (call) => call.node.figures.osStats(),
  process: (call) => call.node.figures.processStats(),
  jvm: (call) => call.node.figures.engineStats(call.node.startTime, call.cluster.now()),
  thread_pool: (call) => {
    const { totals } = call.cluster.usage
    return Object.fromEntries(
      threadPools(call.cluster).map(({ name, queue, active, rejected, largest }) => [
        name,
        { threads: 1, queue, active, rejected, largest, completed: totals[completedOf[name]] },
      ]),
    )
  },
  fs: (call) => call.node.figures.fsStats(),
  transport: () => ({
    server_open: 0,
    total_outbound_connections: 0,
    rx_count: 0,
    rx_size_in_bytes: 0,
    tx_count: 0,
    tx_size_in_bytes: 0,
  }),
  http: ({ node: { connections } }) => ({
    current_open: connections.open,
    total_opened: connections.opened,
  }),
  breakers: (call) => breakerFigures(call.cluster),
  breaker: () => undefined,
  script: () => ({ compilations: 0, cache_evictions: 0, compilation_limit_triggered: 0 }),
  discovery: () => ({
    cluster_state_queue: { total: 0, pending: 0, committed: 0 },
    published_cluster_states: { full_states: 0, incompatible_diffs: 0, compatible_diffs: 0 },
  }),
  ingest: () => ({ total: { count: 0, time_in_millis: 0, current: 0, failed: 0 }, pipelines: {} }),
  adaptive_selection: () => ({}),
  script_cache: () => ({ sum: { compilations: 0, cache_evictions: 0, compilation_limit_triggered: 0 } }),
  indexing_pressure: (call) => {
    const sizes = {
      combined_coordinating_and_primary_in_bytes: 0,
      coordinating_in_bytes: 0,
      primary_in_bytes: 0,
      replica_in_bytes: 0,
      all_in_bytes: 0,
    }
    const rejections = { coordinating_rejections: 0, primary_rejections: 0, replica_rejections: 0 }
    const { used, limit, tripped } = call.cluster.memory.breakers.inFlight
    const current = {
      ...sizes,
      combined_coordinating_and_primary_in_bytes: used,
      coordinating_in_bytes: used,
      all_in_bytes: used,
    }
    const total = { ...sizes, ...rejections, coordinating_rejections: tripped }
    return { memory: { current, total, limit_in_bytes: limit } }
  },
  // Not in Elasticsearch: errors that were answered with 500 because they were ours.
  ext: () => ({ faults: faultCount() }),
}

function stats(call: Call): Answer {
  const { node = '' } = call.parts
  const asked = call.list('metric')
  const all = asked.length === 0 || asked.includes('_all')
  const wrong = asked.find(
    (name) => name !== '_all' && name !== 'indices' && !Object.hasOwn(statGroups, name),
  )
  if (wrong !== undefined && !call.cluster.compat.isOpenSearch)
    throw illegalArgument(`request [${call.path}] contains unrecognized metric: [${wrong}]`)
  if (!isNode(call, node)) return envelope(call, undefined)
  const names = Object.keys(statGroups).filter((name) => all || asked.includes(name))
  const body: JsonObject = {
    timestamp: Date.now(),
    name: call.node.name,
    transport_address: transportAddress,
    host: '127.0.0.1',
    ip: '127.0.0.1:9300',
    roles: roles(call),
    ...((all || asked.includes('indices')) && { indices: indexStats(call) }),
    ...Object.fromEntries(names.map((name) => [name, statGroups[name]!(call)])),
  }
  return envelope(call, body)
}

function indexStats(call: Call): JsonObject {
  const indices = Object.values(call.cluster.state.indices)
  const figures = sumFigures(figuresOf(call, indices).flatMap(({ shards }) => shards))
  const usage = sumUsage(indices.map(({ uuid }) => call.cluster.usage.of(uuid)))
  const withFiles = call.flag('include_segment_file_sizes')
  const body = statsBody(figures, groupsOf(call.list('index_metric')), {
    usage,
    openContexts: indices.reduce((sum, { name }) => sum + call.node.search.openContexts(name), 0),
    withFiles,
    groups: call.list('groups'),
  })
  const counter = { doc_status: {}, search_response_status: {} }
  return call.cluster.compat.isOpenSearch ? { ...body, status_counter: counter } : body
}

async function hotThreads(call: Call): Promise<Answer> {
  const { hotThreads: take } = call.node
  if (take === undefined) throw illegalArgument('threads cannot be watched here')
  return { text: await take(call.parameters) }
}

function usage(call: Call): Answer {
  return envelope(call, {
    timestamp: Date.now(),
    since: call.node.startTime,
    rest_actions: {},
    aggregations: {},
  })
}

const statParameters =
  'completion_fields fielddata_fields fields groups level types timeout include_segment_file_sizes include_unloaded_segments'

export const nodeRoutes: readonly Route[] = [
  route('GET', '/_nodes /_nodes/:node /_nodes/:node/:metric', 'flat_settings timeout', info),
  route(
    'GET',
    '/_nodes/stats /_nodes/stats/:metric /_nodes/stats/:metric/:index_metric /_nodes/:node/stats /_nodes/:node/stats/:metric /_nodes/:node/stats/:metric/:index_metric',
    statParameters,
    stats,
  ),
  route(
    'GET',
    '/_nodes/hot_threads /_nodes/:node/hot_threads /_nodes/hotthreads /_nodes/:node/hotthreads /_cluster/nodes/hot_threads /_cluster/nodes/:node/hot_threads /_cluster/nodes/hotthreads /_cluster/nodes/:node/hotthreads',
    'interval snapshots threads ignore_idle_threads type timeout sort',
    hotThreads,
  ),
  route('GET', '/_nodes/usage /_nodes/:node/usage /_nodes/usage/:metric', 'timeout', usage),
  route('POST', '/_nodes/reload_secure_settings', 'timeout', (call) =>
    envelope(call, { name: call.node.name }),
  ),
]
