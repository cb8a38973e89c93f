/** `_cat` tables about the node: health, nodes, manager, plugins, tasks, thread pools, and the list of them all. */
import { freemem, loadavg, totalmem } from 'node:os'
import { replicaCount, shardCount } from '../../../search/index/index-metadata.ts'
import { sumUsage } from '../../../search/index/usage.ts'
import { simpleMatch } from '../../../search/request/simple-match.ts'
import type { Call } from '../call.ts'
import { healthOf } from '../cluster/cluster-health.ts'
import { threadPools as poolsOf } from '../cluster/memory-figures.ts'
import { attributes, roles } from '../cluster/nodes.ts'
import { sumFigures } from '../cluster/shard-stats.ts'
import { figuresOf } from '../cluster/stats.ts'
import { type Answer, type Route, route } from '../route.ts'
import { Bytes, type Cell, Millis, narrowedTable, table, tableParameters } from './cat-table.ts'
import { countedRow, type NamedColumn, sparseRow } from './columns/columns.ts'
import { nodeColumns } from './columns/node-columns.ts'
import {
  allocationColumns,
  attributeColumns,
  fielddataColumns,
  healthColumns,
  managerColumns,
  pendingTaskColumns,
  pluginColumns,
  replicationColumns,
  repositoryColumns,
  snapshotColumns,
  taskColumns,
  threadPoolColumns,
} from './columns/small-columns.ts'
import { counters } from './counters.ts'

function health(call: Call): Answer {
  const now = new Date(call.cluster.now())
  const { isOpenSearch } = call.cluster.compat
  const { status, primaries, unassigned } = healthOf(call.cluster, Object.values(call.cluster.state.indices))
  const withTime = call.flag('ts', true)
  const columns = healthColumns.filter(
    ({ name }) =>
      (withTime || (name !== 'epoch' && name !== 'timestamp')) &&
      (isOpenSearch || name !== 'discovered_cluster_manager'),
  )
  const share = primaries + unassigned === 0 ? 100 : (primaries * 100) / (primaries + unassigned)
  const row = sparseRow(columns, {
    epoch: Math.floor(now.getTime() / 1000),
    timestamp: now.toISOString().slice(11, 19),
    cluster: call.node.clusterName,
    status,
    'node.total': 1,
    'node.data': 1,
    discovered_cluster_manager: 'true',
    shards: primaries,
    pri: primaries,
    relo: 0,
    init: 0,
    unassign: unassigned,
    pending_tasks: 0,
    max_task_wait_time: '-',
    active_shards_percent: `${share.toFixed(1)}%`,
  })
  return table(call, columns, [row])
}

function nodes(call: Call): Answer {
  const { isOpenSearch, number } = call.cluster.compat
  const { figures } = call.node
  const { used: heapUsed, max: heapMax } = figures.heap
  const { open_file_descriptors: files, max_file_descriptors: maxFiles } = figures.process
  const { total, available } = figures.disk
  const taken = total - available
  const [one = 0, five = 0, fifteen = 0] = loadavg()
  const used = totalmem() - freemem()
  const id = call.flag('full_id') ? call.node.id : call.node.id.slice(0, 4)
  const indices = figuresOf(call, Object.values(call.cluster.state.indices))
  const sum = sumFigures(indices.flatMap(({ shards }) => shards))
  const usage = sumUsage(indices.map(({ index }) => call.cluster.usage.of(index.uuid)))
  const row = {
    ...counters(sum, usage),
    id,
    pid: process.pid,
    ip: '127.0.0.1',
    port: 9300,
    http_address: `127.0.0.1:${call.node.address()?.port ?? 9200}`,
    version: number,
    type: 'tar',
    build: 'unknown',
    jdk: process.versions.node,
    'disk.total': new Bytes(total),
    'disk.used': new Bytes(taken),
    'disk.avail': new Bytes(available),
    'disk.used_percent': total === 0 ? '0.00' : ((taken * 100) / total).toFixed(2),
    'heap.current': new Bytes(heapUsed),
    'heap.percent': Math.round((heapUsed * 100) / heapMax),
    'heap.max': new Bytes(heapMax),
    'ram.current': new Bytes(used),
    'ram.percent': Math.round((used * 100) / totalmem()),
    'ram.max': new Bytes(totalmem()),
    'file_desc.current': files,
    'file_desc.percent': maxFiles > 0 ? Math.round((files * 100) / maxFiles) : 0,
    'file_desc.max': maxFiles,
    cpu: figures.processorPercent,
    load_1m: one.toFixed(2),
    load_5m: five.toFixed(2),
    load_15m: fifteen.toFixed(2),
    uptime: new Millis(call.cluster.now() - call.node.startTime),
    'node.role': 'dimr',
    'node.roles': roles(call).join(','),
    cluster_manager: '*',
    master: '*',
    name: call.node.name,
  }
  const columns = isOpenSearch ? nodeColumns : elasticsearchColumns
  return table(call, columns, [countedRow(columns, row)])
}

/** Elasticsearch has another name for the manager, and roles in their short form only. */
const elasticsearchColumns = nodeColumns
  .filter(({ name }) => name !== 'node.roles')
  .map((one) => (one.name === 'cluster_manager' ? { ...one, name: 'master', aliases: ['m'] } : one))

function manager(call: Call): Answer {
  return table(call, managerColumns, [[call.node.id, '127.0.0.1', '127.0.0.1', call.node.name]])
}

function allocation(call: Call): Answer {
  const indices = Object.values(call.cluster.state.indices)
  const sum = sumFigures(figuresOf(call, indices).flatMap(({ shards }) => shards))
  const primaries = indices.reduce((total, index) => total + shardCount(index), 0)
  const missing = indices.reduce((total, index) => total + shardCount(index) * replicaCount(index), 0)
  const { total, available } = call.node.figures.disk
  const taken = total - available
  const rows: Cell[][] = [
    [
      primaries,
      new Bytes(sum.bytes),
      new Bytes(taken),
      new Bytes(available),
      new Bytes(total),
      total === 0 ? 0 : Math.round((taken * 100) / total),
      '127.0.0.1',
      '127.0.0.1',
      call.node.name,
    ],
  ]
  if (missing > 0) rows.push([missing, null, null, null, null, null, null, null, 'UNASSIGNED'])
  return table(call, allocationColumns, rows)
}

function tasks(call: Call): Answer {
  const now = call.cluster.now()
  const { tasks: all, id: node, name } = call.node
  // The listing request is a task too, and the part of it that runs on this node another one.
  const listing = { id: all.nextId(), action: 'cluster:monitor/tasks/lists', startTime: now }
  const own = { ...listing, id: all.nextId(), action: `${listing.action}[n]` }
  const rows = [...all.running(), listing, own].map((task): Cell[] => {
    const isPart = task === own
    return sparseRow(taskColumns, {
      id: task.id,
      action: task.action,
      task_id: all.textOf(task),
      parent_task_id: isPart ? all.textOf(listing) : '-',
      type: isPart ? 'direct' : 'transport',
      start_time: task.startTime,
      timestamp: new Date(task.startTime).toISOString().slice(11, 19),
      running_time_ns: (now - task.startTime) * 1_000_000,
      running_time: new Millis(now - task.startTime),
      node_id: call.flag('full_id') ? node : node.slice(0, 4),
      ip: '127.0.0.1',
      port: 9300,
      node: name,
      version: call.cluster.compat.number,
      x_opaque_id: '-',
    })
  })
  return table(call, taskColumns, rows)
}

function nodeAttributes(call: Call): Answer {
  const { name, id } = call.node
  const short = id.slice(0, 4)
  const rows = Object.entries(attributes(call)).map(([attr, value]): Cell[] => {
    return [name, short, process.pid, '127.0.0.1', '127.0.0.1', 9300, attr, value]
  })
  return table(call, attributeColumns, rows)
}

function threadPools(call: Call): Answer {
  const wanted = (call.parts['patterns'] ?? '*').split(',')
  const own = new Map<string, ReturnType<typeof poolsOf>[number]>(
    poolsOf(call.cluster).map((pool) => [pool.name, pool]),
  )
  const names = call.cluster.compat.isOpenSearch ? poolNames : [...own.keys()]
  const rows = names
    .filter((name) => wanted.some((pattern) => simpleMatch(pattern, name)))
    .map((name): Cell[] => {
      const { active = 0, queue = 0, rejected = 0 } = own.get(name) ?? {}
      const { id, name: node } = call.node
      return sparseRow(threadPoolColumns, {
        node_name: node,
        node_id: id,
        ephemeral_node_id: id,
        pid: process.pid,
        host: '127.0.0.1',
        ip: '127.0.0.1',
        port: 9300,
        name,
        type: 'fixed',
        active,
        pool_size: 1,
        queue,
        queue_size: -1,
        rejected,
        largest: 1,
        completed: 0,
        total_wait_time: -1,
        size: 1,
      })
    })
  return table(call, threadPoolColumns, rows)
}

/** Pools that clients of OpenSearch ask for by name; here one thread does their work, and only two have a queue. */
const poolNames = (
  'analyze fetch_shard_started fetch_shard_store flush force_merge generic get index_searcher listener management merge ' +
  'refresh remote_download remote_purge remote_recovery remote_refresh_retry remote_state_checksum remote_state_read ' +
  'search search_throttled snapshot snapshot_deletion stream_search system_read system_write translog_recovery ' +
  'translog_sync translog_transfer warmer write'
).split(' ')

/** A table without rows. */
function empty(columns: readonly NamedColumn[]) {
  return (call: Call): Answer => table(call, columns, [])
}

/** The tables of Elasticsearch and OpenSearch; a `+` marks those that only OpenSearch has. */
const listed = (
  'allocation +segment_replication +segment_replication/{index} shards shards/{index} +cluster_manager nodes tasks indices ' +
  'indices/{index} segments segments/{index} count count/{index} recovery recovery/{index} health pending_tasks aliases ' +
  'aliases/{alias} thread_pool thread_pool/{thread_pools} plugins fielddata fielddata/{fields} nodeattrs repositories ' +
  'snapshots/{repository} templates +pit_segments +pit_segments/{pit_id}'
).split(' ')

function list(call: Call): Answer {
  const { isOpenSearch } = call.cluster.compat
  const paths = listed.filter((path) => isOpenSearch || !path.startsWith('+'))
  return { text: `=^.^=\n${paths.map((path) => `/_cat/${path.replace('+', '')}\n`).join('')}` }
}

export const catNodeRoutes: readonly Route[] = [
  route('GET', '/_cat', '', list),
  route('GET', '/_cat/health', tableParameters, health),
  route('GET', '/_cat/nodes', `${tableParameters} full_id include_unloaded_segments`, nodes),
  route('GET', '/_cat/master /_cat/cluster_manager', tableParameters, manager),
  narrowedTable('/_cat/allocation /_cat/allocation/:nodes', '', allocation),
  route(
    'GET',
    '/_cat/tasks',
    `${tableParameters} nodes actions detailed parent_task_id node_id full_id`,
    tasks,
  ),
  route('GET', '/_cat/thread_pool /_cat/thread_pool/:patterns', tableParameters, threadPools),
  route('GET', '/_cat/plugins', `${tableParameters} include_bootstrap`, empty(pluginColumns)),
  route('GET', '/_cat/nodeattrs', tableParameters, nodeAttributes),
  route('GET', '/_cat/repositories', tableParameters, empty(repositoryColumns)),
  narrowedTable('/_cat/snapshots /_cat/snapshots/:repository', 'ignore_unavailable', empty(snapshotColumns)),
  route('GET', '/_cat/pending_tasks', tableParameters, empty(pendingTaskColumns)),
  narrowedTable('/_cat/fielddata /_cat/fielddata/:fields', 'fields', empty(fielddataColumns)),
  narrowedTable(
    '/_cat/segment_replication /_cat/segment_replication/:index',
    'active_only detailed shards index',
    empty(replicationColumns),
  ),
]
