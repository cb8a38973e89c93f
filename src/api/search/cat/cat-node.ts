/** `_cat` tables about the node: health, nodes, manager, plugins, tasks, thread pools, and the list of them all. */
import { freemem, loadavg, totalmem } from 'node:os'
import { replicaCount, shardCount } from '../../../search/index/index-metadata.ts'
import type { Call } from '../call.ts'
import { healthOf } from '../cluster/cluster-health.ts'
import { threadPools as poolsOf } from '../cluster/memory-figures.ts'
import { attributes, roles } from '../cluster/nodes.ts'
import { sumFigures } from '../cluster/shard-stats.ts'
import { figuresOf } from '../cluster/stats.ts'
import { type Answer, type Route, route } from '../route.ts'
import { Bytes, type Cell, type Column, column, Millis, table, tableParameters } from './cat-table.ts'

const right = { right: true }
const hidden = { hidden: true }

function health(call: Call): Answer {
  const now = new Date(call.cluster.now())
  const { isOpenSearch } = call.cluster.compat
  const { status, primaries, unassigned } = healthOf(call.cluster, Object.values(call.cluster.state.indices))
  const withTime = call.flag('ts', true)
  const cells: (readonly [Column, Cell])[] = [
    ...(withTime
      ? ([
          [
            column('epoch', 'seconds since 1970-01-01 00:00:00', { aliases: ['t', 'time'] }),
            Math.floor(now.getTime() / 1000),
          ],
          [
            column('timestamp', 'time in HH:MM:SS', { aliases: ['ts', 'hms', 'hhmmss'] }),
            now.toISOString().slice(11, 19),
          ],
        ] as const)
      : []),
    [column('cluster', 'cluster name', { aliases: ['cl'] }), call.node.clusterName],
    [column('status', 'health status', { aliases: ['st'] }), status],
    [column('node.total', 'total number of nodes', { ...right, aliases: ['nt', 'nodeTotal'] }), 1],
    [
      column('node.data', 'number of nodes that can store data', { ...right, aliases: ['nd', 'nodeData'] }),
      1,
    ],
    ...(isOpenSearch
      ? ([
          [
            column('discovered_cluster_manager', 'cluster manager is discovered or not', {
              ...right,
              aliases: ['dcm', 'dm'],
            }),
            'true',
          ],
        ] as const)
      : []),
    [
      column('shards', 'total number of shards', {
        ...right,
        aliases: ['t', 'sh', 'shards.total', 'shardsTotal'],
      }),
      primaries,
    ],
    [
      column('pri', 'number of primary shards', {
        ...right,
        aliases: ['p', 'shards.primary', 'shardsPrimary'],
      }),
      primaries,
    ],
    [
      column('relo', 'number of relocating nodes', {
        ...right,
        aliases: ['r', 'shards.relocating', 'shardsRelocating'],
      }),
      0,
    ],
    [
      column('init', 'number of initializing nodes', {
        ...right,
        aliases: ['i', 'shards.initializing', 'shardsInitializing'],
      }),
      0,
    ],
    [
      column('unassign', 'number of unassigned shards', {
        ...right,
        aliases: ['u', 'shards.unassigned', 'shardsUnassigned'],
      }),
      unassigned,
    ],
    [column('pending_tasks', 'number of pending tasks', { ...right, aliases: ['pt', 'pendingTasks'] }), 0],
    [
      column('max_task_wait_time', 'wait time of longest task pending', {
        ...right,
        aliases: ['mtwt', 'maxTaskWaitTime'],
      }),
      '-',
    ],
    [
      column('active_shards_percent', 'active number of shards in percent', {
        ...right,
        aliases: ['asp', 'activeShardsPercent'],
      }),
      `${(primaries + unassigned === 0 ? 100 : (primaries * 100) / (primaries + unassigned)).toFixed(1)}%`,
    ],
  ]
  return table(
    call,
    cells.map(([one]) => one),
    [cells.map(([, cell]) => cell)],
  )
}

function nodes(call: Call): Answer {
  const { isOpenSearch, number } = call.cluster.compat
  const { figures } = call.node
  const { used: heapUsed, most: heapMost } = figures.heap
  const { open_file_descriptors: files, max_file_descriptors: mostFiles } = figures.process
  const { total, available } = figures.disk
  const taken = total - available
  const [one = 0, five = 0, fifteen = 0] = loadavg()
  const used = totalmem() - freemem()
  const id = call.flag('full_id') ? call.node.id : call.node.id.slice(0, 4)
  const cells: (readonly [Column, Cell])[] = [
    [column('id', 'unique node id', { ...hidden, aliases: ['id', 'nodeId'] }), id],
    [column('pid', 'process id', { ...hidden, aliases: ['p'] }), process.pid],
    [column('ip', 'ip address', { aliases: ['i'] }), '127.0.0.1'],
    [column('port', 'bound transport port', { ...hidden, aliases: ['po'] }), 9300],
    [
      column('http_address', 'bound http address', { ...hidden, aliases: ['http'] }),
      `127.0.0.1:${call.node.address()?.port ?? 9200}`,
    ],
    [column('version', 'version', { ...hidden, aliases: ['v'] }), number],
    [column('type', 'distribution type', { ...hidden, aliases: ['t'] }), 'tar'],
    [column('build', 'build hash', { ...hidden, aliases: ['b'] }), 'unknown'],
    [column('jdk', 'jdk version', { ...hidden, aliases: ['j'] }), process.versions.node],
    [
      column('disk.total', 'total disk space', { ...hidden, ...right, aliases: ['dt', 'diskTotal'] }),
      new Bytes(total),
    ],
    [
      column('disk.used', 'used disk space', { ...hidden, ...right, aliases: ['du', 'diskUsed'] }),
      new Bytes(taken),
    ],
    [
      column('disk.avail', 'available disk space', {
        ...hidden,
        ...right,
        aliases: ['d', 'da', 'disk', 'diskAvail'],
      }),
      new Bytes(available),
    ],
    [
      column('disk.used_percent', 'used disk space percentage', {
        ...hidden,
        ...right,
        aliases: ['dup', 'diskUsedPercent'],
      }),
      total === 0 ? '0.00' : ((taken * 100) / total).toFixed(2),
    ],
    [
      column('heap.current', 'used heap', { ...hidden, ...right, aliases: ['hc', 'heapCurrent'] }),
      new Bytes(heapUsed),
    ],
    [
      column('heap.percent', 'used heap ratio', { ...right, aliases: ['hp', 'heapPercent'] }),
      Math.round((heapUsed * 100) / heapMost),
    ],
    [
      column('heap.max', 'max configured heap', { ...hidden, ...right, aliases: ['hm', 'heapMax'] }),
      new Bytes(heapMost),
    ],
    [
      column('ram.current', 'used machine memory', { ...hidden, ...right, aliases: ['rc', 'ramCurrent'] }),
      new Bytes(used),
    ],
    [
      column('ram.percent', 'used machine memory ratio', { ...right, aliases: ['rp', 'ramPercent'] }),
      Math.round((used * 100) / totalmem()),
    ],
    [
      column('ram.max', 'total machine memory', { ...hidden, ...right, aliases: ['rm', 'ramMax'] }),
      new Bytes(totalmem()),
    ],
    [
      column('file_desc.current', 'used file descriptors', {
        ...hidden,
        ...right,
        aliases: ['fdc', 'fileDescriptorCurrent'],
      }),
      files,
    ],
    [
      column('file_desc.percent', 'used file descriptor ratio', {
        ...hidden,
        ...right,
        aliases: ['fdp', 'fileDescriptorPercent'],
      }),
      mostFiles > 0 ? Math.round((files * 100) / mostFiles) : 0,
    ],
    [
      column('file_desc.max', 'max file descriptors', {
        ...hidden,
        ...right,
        aliases: ['fdm', 'fileDescriptorMax'],
      }),
      mostFiles,
    ],
    [column('cpu', 'recent cpu usage', right), figures.processorPercent],
    [column('load_1m', '1m load avg', { ...right, aliases: ['l'] }), one.toFixed(2)],
    [column('load_5m', '5m load avg', { ...right, aliases: ['l'] }), five.toFixed(2)],
    [column('load_15m', '15m load avg', { ...right, aliases: ['l'] }), fifteen.toFixed(2)],
    [
      column('uptime', 'node uptime', { ...hidden, ...right, aliases: ['u'] }),
      new Millis(call.cluster.now() - call.node.startTime),
    ],
    [column('node.role', 'node roles in short form', { aliases: ['r', 'role', 'nodeRole'] }), 'dimr'],
    ...(isOpenSearch
      ? ([
          [column('node.roles', 'node roles', { aliases: ['rs', 'all roles'] }), roles(call).join(',')],
        ] as const)
      : []),
    [
      column(isOpenSearch ? 'cluster_manager' : 'master', '* marks the elected node', {
        aliases: ['m', isOpenSearch ? 'master' : 'cluster_manager'],
      }),
      '*',
    ],
    [column('name', 'node name', { aliases: ['n'] }), call.node.name],
  ]
  return table(
    call,
    cells.map(([head]) => head),
    [cells.map(([, cell]) => cell)],
  )
}

function manager(call: Call): Answer {
  const columns = [
    column('id', 'node id'),
    column('host', 'host name', { aliases: ['h'] }),
    column('ip', 'ip address'),
    column('node', 'node name', { aliases: ['n'] }),
  ]
  return table(call, columns, [[call.node.id, '127.0.0.1', '127.0.0.1', call.node.name]])
}

function allocation(call: Call): Answer {
  const indices = Object.values(call.cluster.state.indices)
  const sum = sumFigures(figuresOf(call, indices).flatMap(({ shards }) => shards))
  const primaries = indices.reduce((total, index) => total + shardCount(index), 0)
  const missing = indices.reduce((total, index) => total + shardCount(index) * replicaCount(index), 0)
  const columns = [
    column('shards', 'number of shards on node', right),
    column('disk.indices', 'disk used by indices', { ...right, aliases: ['di', 'diskIndices'] }),
    column('disk.used', 'disk used (total, not just indices)', { ...right, aliases: ['du', 'diskUsed'] }),
    column('disk.avail', 'disk available', { ...right, aliases: ['da', 'diskAvail'] }),
    column('disk.total', 'total capacity of all volumes', { ...right, aliases: ['dt', 'diskTotal'] }),
    column('disk.percent', 'percent disk used', { ...right, aliases: ['dp', 'diskPercent'] }),
    column('host', 'host of node', { aliases: ['h'] }),
    column('ip', 'ip of node'),
    column('node', 'name of node', { aliases: ['n'] }),
  ]
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
  return table(call, columns, rows)
}

function tasks(call: Call): Answer {
  const columns = [
    'action',
    'task_id',
    'parent_task_id',
    'type',
    'start_time',
    'timestamp',
    'running_time',
    'ip',
    'node',
  ].map((name) => column(name, name.replaceAll('_', ' ')))
  const now = call.cluster.now()
  // The listing request is a task too.
  const own = { id: call.node.tasks.nextId(), action: 'cluster:monitor/tasks/lists', startTime: now }
  const rows = [...call.node.tasks.running(), own].map((task): Cell[] => [
    task.action,
    call.node.tasks.textOf(task),
    '-',
    'transport',
    task.startTime,
    new Date(task.startTime).toISOString().slice(11, 19),
    new Millis(now - task.startTime),
    '127.0.0.1',
    call.node.name,
  ])
  return table(call, columns, rows)
}

function nodeAttributes(call: Call): Answer {
  const columns = [
    column('node', 'node name', { aliases: ['name'] }),
    column('id', 'unique node id', { ...hidden, aliases: ['nodeId'] }),
    column('pid', 'process id', { ...hidden, aliases: ['p'] }),
    column('host', 'host name', { aliases: ['h'] }),
    column('ip', 'ip address', { aliases: ['i'] }),
    column('port', 'bound transport port', { ...hidden, aliases: ['po'] }),
    column('attr', 'attribute description', { aliases: ['attr.name'] }),
    column('value', 'attribute value', { aliases: ['attr.value'] }),
  ]
  const { name, id } = call.node
  const short = id.slice(0, 4)
  const rows = Object.entries(attributes(call)).map(([attr, value]): Cell[] => {
    return [name, short, process.pid, '127.0.0.1', '127.0.0.1', 9300, attr, value]
  })
  return table(call, columns, rows)
}

function threadPools(call: Call): Answer {
  const columns = [
    column('node_name', 'node name'),
    column('name', 'thread pool name'),
    column('active', 'number of active threads', right),
    column('queue', 'number of tasks currently in queue', right),
    column('rejected', 'number of rejected tasks', right),
  ]
  const rows = poolsOf(call.cluster).map(({ name, active, queue, rejected }): Cell[] => [
    call.node.name,
    name,
    active,
    queue,
    rejected,
  ])
  return table(call, columns, rows)
}

/** A table without rows. */
function empty(names: readonly string[]) {
  return (call: Call): Answer =>
    table(
      call,
      names.map((name) => column(name, name.replaceAll('_', ' '))),
      [],
    )
}

const listed = [
  'allocation',
  'shards',
  'shards/{index}',
  'nodes',
  'tasks',
  'indices',
  'indices/{index}',
  'segments',
  'segments/{index}',
  'count',
  'count/{index}',
  'recovery',
  'recovery/{index}',
  'health',
  'pending_tasks',
  'aliases',
  'aliases/{alias}',
  'thread_pool',
  'plugins',
  'fielddata',
  'nodeattrs',
  'repositories',
  'templates',
]

export const catNodeRoutes: readonly Route[] = [
  route('GET', '/_cat', 'help s', () => ({
    text: `=^.^=\n${listed.map((path) => `/_cat/${path}\n`).join('')}`,
  })),
  route('GET', '/_cat/health', tableParameters, health),
  route('GET', '/_cat/nodes', `${tableParameters} full_id include_unloaded_segments`, nodes),
  route('GET', '/_cat/master /_cat/cluster_manager', tableParameters, manager),
  route('GET', '/_cat/allocation /_cat/allocation/:node', tableParameters, allocation),
  route('GET', '/_cat/tasks', `${tableParameters} nodes actions detailed parent_task_id node_id`, tasks),
  route('GET', '/_cat/thread_pool /_cat/thread_pool/:patterns', tableParameters, threadPools),
  route(
    'GET',
    '/_cat/plugins',
    `${tableParameters} include_bootstrap`,
    empty(['name', 'component', 'version']),
  ),
  route('GET', '/_cat/nodeattrs', tableParameters, nodeAttributes),
  route('GET', '/_cat/repositories', tableParameters, empty(['id', 'type'])),
  route(
    'GET',
    '/_cat/snapshots /_cat/snapshots/:repository',
    `${tableParameters} ignore_unavailable`,
    empty(['id', 'status']),
  ),
  route(
    'GET',
    '/_cat/pending_tasks',
    tableParameters,
    empty(['insertOrder', 'timeInQueue', 'priority', 'source']),
  ),
  route(
    'GET',
    '/_cat/fielddata /_cat/fielddata/:fields',
    `${tableParameters} fields`,
    empty(['id', 'host', 'ip', 'node', 'field', 'size']),
  ),
  route(
    'GET',
    '/_cat/segment_replication /_cat/segment_replication/:index',
    `${tableParameters} active_only detailed shards index`,
    empty(['shardId', 'target_node', 'target_host', 'checkpoints_behind']),
  ),
]
