/** `_cluster/*` except health: state, settings, statistics, allocation. */

import { blocksOf } from '../../../search/index/admin/index-admin.ts'
import { flattenSettings, shownSettings } from '../../../search/index/admin/index-settings.ts'
import { metadataOptions, openOptions } from '../../../search/index/index-expressions.ts'
import {
  type IndexMetadata,
  replicaCount,
  routingShards,
  shardCount,
} from '../../../search/index/index-metadata.ts'
import { shardLimitSetting } from '../../../search/index/shards/shard-limit.ts'
import { illegalArgument, numberFormat, validationFailed } from '../../../search/request/errors.ts'
import { isObject, type JsonObject, own } from '../../../search/request/json-object.ts'
import { SearchError } from '../../../search/request/search-error.ts'
import type { Call } from '../call.ts'
import { fullSettings } from '../indices/index-views.ts'
import { type Answer, indicesOptions, type Route, route, timeouts } from '../route.ts'
import { healthOf } from './cluster-health.ts'
import { osInfo } from './node-figures.ts'
import { nodeIdentity } from './nodes.ts'
import { statsBody, sumFigures } from './shard-stats.ts'
import { figuresOf, health } from './stats.ts'

const metrics = [
  'version',
  'master_node',
  'cluster_manager_node',
  'blocks',
  'nodes',
  'metadata',
  'routing_table',
  'routing_nodes',
  'customs',
]

function state(call: Call): Answer {
  const { cluster, node } = call
  const asked = call.list('metric')
  const has = (metric: string) => asked.length === 0 || asked.includes('_all') || asked.includes(metric)
  const wrong = asked.find((metric) => metric !== '_all' && !metrics.includes(metric))
  if (wrong !== undefined) throw illegalArgument(`Unknown metric [${wrong}]`)
  const options = call.indices({ ...metadataOptions, expandClosed: true, expandHidden: true })
  const indices = cluster.resolve(call.expressions, options).map(({ index }) => index)
  const { uuid, version } = cluster.state
  const stateUuid = Buffer.from(`${uuid}${version}`).toString('base64url').slice(0, 22)
  const body: JsonObject = {
    cluster_name: node.clusterName,
    cluster_uuid: uuid,
    ...(has('version') && { version, state_uuid: stateUuid }),
    ...((has('master_node') || (has('cluster_manager_node') && !cluster.compat.isOpenSearch)) && {
      master_node: node.id,
    }),
    ...(has('cluster_manager_node') && cluster.compat.isOpenSearch && { cluster_manager_node: node.id }),
    ...(has('blocks') && { blocks: blocks(indices) }),
    ...(has('nodes') && { nodes: { [node.id]: nodeIdentity(call) } }),
    ...(has('metadata') && { metadata: metadata(call, indices) }),
    ...(has('routing_table') && {
      routing_table: {
        indices: Object.fromEntries(indices.map((index) => [index.name, { shards: routing(call, index) }])),
      },
    }),
    ...(has('routing_nodes') && {
      routing_nodes: {
        unassigned: indices.flatMap((index) => copies(call, index, false)),
        nodes: { [node.id]: indices.flatMap((index) => copies(call, index, true)) },
      },
    }),
  }
  return { body }
}

const blockIds: Readonly<
  Record<string, readonly [id: string, description: string, levels: readonly string[]]>
> = {
  'index.blocks.read_only': ['5', 'index read-only (api)', ['write', 'metadata_write']],
  'index.blocks.read': ['7', 'index read (api)', ['read']],
  'index.blocks.write': ['8', 'index write (api)', ['write']],
  'index.blocks.metadata': ['9', 'index metadata (api)', ['metadata_read', 'metadata_write']],
  'index.blocks.read_only_allow_delete': [
    '12',
    'index read-only / allow delete (api)',
    ['write', 'metadata_write'],
  ],
}

function blocks(indices: readonly IndexMetadata[]): JsonObject {
  const blocked = indices.map((index): [string, JsonObject] => {
    const own = blocksOf(index).map((name) => {
      const [id, description, levels] = blockIds[name]!
      return [id, { description, retryable: false, levels }]
    })
    if (!index.isOpen)
      own.push(['4', { description: 'index closed', retryable: false, levels: ['read', 'write'] }])
    return [index.name, Object.fromEntries(own)]
  })
  const some = blocked.filter(([, own]) => Object.keys(own).length > 0)
  return some.length === 0 ? {} : { indices: Object.fromEntries(some) }
}

function metadata(call: Call, indices: readonly IndexMetadata[]): JsonObject {
  const { cluster } = call
  const shown = indices.map((index) => [
    index.name,
    {
      version: index.version,
      mapping_version: index.mappingVersion,
      settings_version: index.settingsVersion,
      aliases_version: index.aliasesVersion,
      routing_num_shards: routingShards(index),
      state: index.isOpen ? 'open' : 'close',
      settings: shownSettings(fullSettings(cluster, index), call.flag('flat_settings')),
      mappings: { _doc: cluster.mappingsOf(index) },
      aliases: Object.keys(index.aliases),
      primary_terms: Object.fromEntries(range(shardCount(index)).map((shard) => [shard, 1])),
      in_sync_allocations: Object.fromEntries(
        range(shardCount(index)).map((shard) => [shard, [`${index.uuid}${shard}`]]),
      ),
      rollover_info: {},
      system: false,
    },
  ])
  const { uuid, legacyTemplates, indexTemplates, componentTemplates, dataStreams, pipelines, scripts } =
    cluster.state
  return {
    cluster_uuid: uuid,
    cluster_uuid_committed: true,
    cluster_coordination: {
      term: 1,
      last_committed_config: [call.node.id],
      last_accepted_config: [call.node.id],
      voting_config_exclusions: [],
    },
    templates: legacyTemplates,
    indices: Object.fromEntries(shown),
    index_template: { index_template: indexTemplates },
    component_template: { component_template: componentTemplates },
    data_stream: { data_stream: dataStreams },
    ingest: { pipeline: Object.entries(pipelines).map(([id, config]) => ({ id, config })) },
    ...(Object.keys(scripts).length > 0 && { stored_scripts: scripts }),
    'index-graveyard': { tombstones: [] },
  }
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}

function copies(call: Call, index: IndexMetadata, isAssigned: boolean): JsonObject[] {
  return range(shardCount(index)).flatMap((shard) =>
    routingOf(call, index, shard).filter(({ primary }) => primary === isAssigned),
  )
}

export function routingOf(call: Call, index: IndexMetadata, shard: number): JsonObject[] {
  const base = {
    ...(call.cluster.compat.isOpenSearch && { searchOnly: false }),
    node: call.node.id,
    relocating_node: null,
    shard,
    index: index.name,
  }
  const primary = { state: 'STARTED', primary: true, ...base, allocation_id: { id: `${index.uuid}${shard}` } }
  const missing = range(replicaCount(index)).map(() => ({
    state: 'UNASSIGNED',
    primary: false,
    ...base,
    node: null,
    recovery_source: { type: 'PEER' },
    unassigned_info: {
      reason: 'INDEX_CREATED',
      at: new Date(index.creationDate).toISOString(),
      delayed: false,
      allocation_status: 'no_attempt',
    },
  }))
  return [primary, ...missing]
}

function routing(call: Call, index: IndexMetadata): JsonObject {
  return Object.fromEntries(
    range(shardCount(index)).map((shard) => [String(shard), routingOf(call, index, shard)]),
  )
}

function getSettings(call: Call): Answer {
  const isFlat = call.flag('flat_settings')
  const { cluster } = call
  return {
    body: {
      persistent: shownSettings(cluster.state.persistentSettings, isFlat),
      transient: shownSettings(cluster.transientSettings, isFlat),
      ...(call.flag('include_defaults') && {
        defaults: shownSettings(
          {
            ...call.node.settings,
            'cluster.name': call.node.clusterName,
            'node.name': call.node.name,
          },
          isFlat,
        ),
      }),
    },
  }
}

const settingPrefixes =
  /^(?:cluster|action|search|indices|logger|script|ingest|reindex|http|transport|discovery|node|network|gateway|thread_pool|xpack|plugins|opensearch|opendistro|point_in_time|persistent|breaker|snapshot|stack|slm|ilm|task_resource_tracking|search_backpressure|compatibility|remote_store|segrep|wlm|knn|index|shard_indexing_pressure|index_state_management)\./

const counts = new Set([
  'search.max_buckets',
  'search.max_open_scroll_context',
  'search.max_open_pit_context',
  shardLimitSetting,
  'indices.query.bool.max_clause_count',
])

/** A setting that is read as a number must be one: a wrong value would fail every search. */
function checkCount(name: string, value: unknown): void {
  if (value === null || !counts.has(name)) return
  const text = String(value)
  const reason = `Failed to parse value [${text}] for setting [${name}]`
  if (!/^-?\d+$/.test(text)) throw illegalArgument(reason, numberFormat(text))
  const min = name === shardLimitSetting ? 1 : 0
  if (Number(text) < min) throw illegalArgument(`${reason} must be >= ${min}`)
}

function putSettings(call: Call): Answer {
  const body = call.body.required
  const { cluster } = call
  const shown: Record<string, JsonObject> = {}
  const given = (kind: 'persistent' | 'transient') => {
    const value = own(body, kind)
    return isObject(value) ? flattenSettings(value, '') : new Map<string, string | readonly string[] | null>()
  }
  const changes = { persistent: given('persistent'), transient: given('transient') }
  const wrong = Object.keys(body).find((name) => name !== 'persistent' && name !== 'transient')
  if (wrong !== undefined && !cluster.compat.isOpenSearch)
    throw illegalArgument(`[1:1] [cluster_update_settings_request] unknown field [${wrong}]`)
  if (changes.persistent.size + changes.transient.size === 0) throw validationFailed('no settings to update')
  for (const kind of ['persistent', 'transient'] as const) {
    for (const [name, value] of changes[kind]) {
      if (value !== null && !settingPrefixes.test(name)) {
        const reason = `${kind} setting [${name}], not recognized`
        throw cluster.compat.isOpenSearch
          ? new SearchError('settings_exception', reason)
          : illegalArgument(reason)
      }
      checkCount(name, value)
    }
    const set = [...changes[kind]].filter((entry): entry is [string, string] => entry[1] !== null)
    shown[kind] = shownSettings(Object.fromEntries(set), call.flag('flat_settings'))
  }
  const changed = (
    settings: Readonly<Record<string, string | readonly string[]>>,
    kind: 'persistent' | 'transient',
  ) => {
    if (changes[kind].size === 0) return settings
    const next = new Map(Object.entries(settings))
    for (const [name, value] of changes[kind]) {
      if (value !== null) next.set(name, value)
      else if (!name.endsWith('*')) next.delete(name)
      else {
        for (const one of next.keys()) if (one.startsWith(name.slice(0, -1))) next.delete(one)
      }
    }
    return Object.fromEntries(next)
  }
  cluster.transientSettings = changed(cluster.transientSettings, 'transient')
  cluster.apply((before) => ({
    ...before,
    persistentSettings: changed(before.persistentSettings, 'persistent'),
  }))
  return { body: { acknowledged: true, ...shown } }
}

function stats(call: Call): Answer {
  const { cluster, node } = call
  const indices = Object.values(cluster.state.indices)
  const figures = sumFigures(figuresOf(call, indices).flatMap(({ shards }) => shards))
  const { heap, disk } = node.figures
  const { open_file_descriptors: files, cpu } = node.figures.process
  const os = osInfo()
  const primaries = indices.reduce((sum, index) => sum + shardCount(index), 0)
  return {
    body: {
      _nodes: { total: 1, successful: 1, failed: 0 },
      cluster_name: node.clusterName,
      cluster_uuid: cluster.state.uuid,
      timestamp: cluster.now(),
      status: healthOf(call.cluster, indices).status,
      indices: {
        count: indices.length,
        shards: primaries === 0 ? {} : { total: primaries, primaries, replication: 0 },
        ...statsBody(figures, ['docs', 'store', 'fielddata', 'query_cache', 'completion', 'segments']),
        mappings: { field_types: [] },
        analysis: {},
      },
      nodes: {
        count: { total: 1, data: 1, coordinating_only: 0, [cluster.compat.managerRole]: 1, ingest: 1 },
        versions: [cluster.compat.number],
        os: {
          available_processors: os['available_processors'],
          allocated_processors: os['allocated_processors'],
          names: [{ name: os['name'], count: 1 }],
          pretty_names: [{ pretty_name: os['pretty_name'], count: 1 }],
          mem: node.figures.osStats()['mem'],
        },
        process: {
          cpu: { percent: cpu.percent },
          open_file_descriptors: { min: files, max: files, avg: files },
        },
        jvm: {
          max_uptime_in_millis: cluster.now() - node.startTime,
          versions: [
            { version: process.versions.node, vm_name: 'Node.js', vm_version: process.versions.v8, count: 1 },
          ],
          mem: { heap_used_in_bytes: heap.used, heap_max_in_bytes: heap.max },
          threads: node.figures.threads.count,
        },
        fs: { total_in_bytes: disk.total, free_in_bytes: disk.free, available_in_bytes: disk.available },
        plugins: [],
        network_types: { transport_types: {}, http_types: {} },
        discovery_types: { 'single-node': 1 },
        packaging_types: [],
        ingest: { number_of_pipelines: Object.keys(cluster.state.pipelines).length, processor_stats: {} },
      },
    },
  }
}

/** Existing copies; `status=green,…` selects indices by health, by default those that miss a copy. */
function shardStores(call: Call): Answer {
  const wanted = call.list('status')
  const isWanted = (index: IndexMetadata) =>
    wanted.length === 0
      ? health(call.cluster, index) !== 'green'
      : wanted.includes('all') || wanted.includes(health(call.cluster, index))
  const indices = call.cluster.resolve(call.expressions, call.indices(openOptions)).map(({ index }) => index)
  const store = {
    [call.node.id]: nodeIdentity(call),
    allocation: 'primary',
  }
  const shown = indices.filter(isWanted).map((index) => {
    const shards = call.cluster.figures(index).map((_, number) => {
      const copy = { ...store, allocation_id: `${index.uuid}${number}` }
      return [String(number), { stores: [copy] }]
    })
    return [index.name, { shards: Object.fromEntries(shards) }]
  })
  return { body: { indices: Object.fromEntries(shown) } }
}

function explainAllocation(call: Call): Answer {
  const index = Object.values(call.cluster.state.indices).find((one) => replicaCount(one) > 0)
  if (index === undefined)
    throw illegalArgument(
      'unable to find any unassigned shards to explain [ClusterAllocationExplainRequest[useAnyUnassignedShard=true]',
    )
  return {
    body: {
      index: index.name,
      shard: 0,
      primary: false,
      current_state: 'unassigned',
      unassigned_info: {
        reason: 'INDEX_CREATED',
        at: new Date(index.creationDate).toISOString(),
        last_allocation_status: 'no_attempt',
      },
      can_allocate: 'no',
      allocate_explanation:
        'cannot allocate because there is only one node, and a node holds one copy of a shard',
    },
  }
}

export const clusterRoutes: readonly Route[] = [
  route('GET', '/_shard_stores /:index/_shard_stores', `status ${indicesOptions}`, shardStores),
  route(
    'GET',
    '/_cluster/state /_cluster/state/:metric /_cluster/state/:metric/:index',
    `local master_timeout cluster_manager_timeout flat_settings wait_for_metadata_version wait_for_timeout ${indicesOptions}`,
    state,
  ),
  route('GET', '/_cluster/settings', `flat_settings include_defaults local ${timeouts}`, getSettings),
  route('PUT', '/_cluster/settings', `flat_settings ${timeouts}`, putSettings),
  route('GET', '/_cluster/stats /_cluster/stats/nodes/:node', 'flat_settings timeout include_remotes', stats),
  route('GET', '/_cluster/pending_tasks', `local ${timeouts}`, () => ({ body: { tasks: [] } })),
  route(
    'GET|POST',
    '/_cluster/allocation/explain',
    'include_yes_decisions include_disk_info',
    explainAllocation,
  ),
  route('POST', '/_cluster/reroute', `dry_run explain retry_failed metric ${timeouts}`, () => ({
    body: { acknowledged: true },
  })),
  route('GET', '/_remote/info', '', () => ({ body: {} })),
]
