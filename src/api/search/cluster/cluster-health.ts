/** Cluster health: with one node every replica is unassigned, and a failed shard makes it red. */

import type { Cluster } from '../../../search/index/cluster.ts'
import { lenientOptions } from '../../../search/index/index-expressions.ts'
import { type IndexMetadata, replicaCount, shardCount } from '../../../search/index/index-metadata.ts'
import { illegalArgument } from '../../../search/request/errors.ts'
import type { JsonObject } from '../../../search/request/json-object.ts'
import { activeShardsOf } from '../active-shards.ts'
import type { Call } from '../call.ts'
import { type Answer, type Route, route } from '../route.ts'

const ranks = ['green', 'yellow', 'red']

interface Health {
  readonly status: 'green' | 'yellow' | 'red'
  readonly primaries: number
  readonly unassigned: number
}

export function healthOf(cluster: Cluster, indices: readonly IndexMetadata[]): Health {
  let [primaries, unassigned, failed] = [0, 0, 0]
  for (const index of indices) {
    const broken = cluster.failures(index).size
    failed += broken
    primaries += shardCount(index) - broken
    unassigned += shardCount(index) * replicaCount(index) + broken
  }
  return { status: failed > 0 ? 'red' : unassigned > 0 ? 'yellow' : 'green', primaries, unassigned }
}

function counts({ primaries, unassigned }: Health): JsonObject {
  return {
    active_primary_shards: primaries,
    active_shards: primaries,
    relocating_shards: 0,
    initializing_shards: 0,
    unassigned_shards: unassigned,
  }
}

async function health(call: Call): Promise<Answer> {
  const level = call.text('level') ?? 'cluster'
  const wanted = call.text('wait_for_status')?.toLowerCase()
  if (wanted !== undefined && !ranks.includes(wanted))
    throw illegalArgument(
      `No enum constant org.elasticsearch.cluster.health.ClusterHealthStatus.${wanted.toUpperCase()}`,
    )
  const deadline = performance.now() + Math.min(call.time('timeout') ?? 30_000, 60_000)
  for (;;) {
    const state = look(call, level, wanted)
    if (state.isMet) return { body: { ...state.body } }
    if (performance.now() >= deadline || call.signal.aborted)
      return { status: 408, body: { ...state.body, timed_out: true } }
    await new Promise((resolve) =>
      setTimeout(resolve, Math.min(50, Math.max(1, deadline - performance.now()))),
    )
  }
}

function look(call: Call, level: string, wanted: string | undefined) {
  const { cluster, node } = call
  const options = call.indices({ ...lenientOptions, expandHidden: true })
  const names = call.expressions
  const indices = cluster.resolve(names, options).map(({ index }) => index)
  const missing = names.some(
    (name) => !name.includes('*') && name !== '_all' && cluster.resolve([name], options).length === 0,
  )
  const total = healthOf(cluster, indices)
  const all = healthOf(cluster, Object.values(cluster.state.indices))
  const active = activeShardsOf(call)
  const nodes = call.text('wait_for_nodes')
  const isMet =
    !missing &&
    (wanted === undefined || ranks.indexOf(total.status) <= ranks.indexOf(wanted)) &&
    (active === undefined || active === 'all'
      ? active !== 'all' || total.unassigned === 0
      : total.primaries >= active) &&
    (nodes === undefined || hasNodes(nodes))
  const percent =
    all.primaries + all.unassigned === 0 ? 100 : (all.primaries * 100) / (all.primaries + all.unassigned)
  const { isOpenSearch } = cluster.compat
  const body = {
    cluster_name: node.clusterName,
    status: missing ? 'red' : total.status,
    timed_out: false,
    number_of_nodes: 1,
    number_of_data_nodes: 1,
    ...(isOpenSearch && { discovered_master: true, discovered_cluster_manager: true }),
    ...counts(total),
    delayed_unassigned_shards: 0,
    number_of_pending_tasks: 0,
    number_of_in_flight_fetch: 0,
    task_max_waiting_in_queue_millis: 0,
    active_shards_percent_as_number: percent,
    ...(level !== 'cluster' && { indices: byIndex(cluster, indices, level) }),
  }
  return { isMet, body }
}

function byIndex(cluster: Cluster, indices: readonly IndexMetadata[], level: string): JsonObject {
  return Object.fromEntries(
    indices.map((index) => {
      const one = healthOf(cluster, [index])
      return [
        index.name,
        {
          status: one.status,
          number_of_shards: shardCount(index),
          number_of_replicas: replicaCount(index),
          ...counts(one),
          ...(level === 'shards' && { shards: byShard(cluster, index) }),
        },
      ]
    }),
  )
}

function byShard(cluster: Cluster, index: IndexMetadata): JsonObject {
  const replicas = replicaCount(index)
  const failures = cluster.failures(index)
  const entry = (isFailed: boolean) => ({
    status: isFailed ? 'red' : replicas > 0 ? 'yellow' : 'green',
    primary_active: !isFailed,
    active_shards: isFailed ? 0 : 1,
    relocating_shards: 0,
    initializing_shards: 0,
    unassigned_shards: replicas + (isFailed ? 1 : 0),
  })
  return Object.fromEntries(
    Array.from({ length: shardCount(index) }, (_, shard) => [String(shard), entry(failures.has(shard))]),
  )
}

/** Parses `1`, `>=1`, `ge(1)` and the like. */
function hasNodes(text: string): boolean {
  const [, sign, word, digits, inner] = /^(?:(>=|<=|>|<)?(\d+)|(ge|le|gt|lt)\((\d+)\))$/.exec(text)
    ? match(text)
    : []
  const number = Number(digits ?? inner ?? Number.NaN)
  if (Number.isNaN(number)) throw illegalArgument(`invalid wait_for_nodes [${text}]`)
  switch (sign ?? word) {
    case '>=':
    case 'ge':
      return 1 >= number
    case '<=':
    case 'le':
      return 1 <= number
    case '>':
    case 'gt':
      return 1 > number
    case '<':
    case 'lt':
      return 1 < number
    default:
      return number === 1
  }
}

function match(text: string): (string | undefined)[] {
  const found = /^(?:(>=|<=|>|<)?(\d+)|(ge|le|gt|lt)\((\d+)\))$/.exec(text)
  return [text, found?.[1], found?.[3], found?.[2], found?.[4]]
}

export const healthRoutes: readonly Route[] = [
  route(
    'GET',
    '/_cluster/health /_cluster/health/:index',
    'expand_wildcards level local timeout master_timeout cluster_manager_timeout wait_for_active_shards wait_for_nodes wait_for_events wait_for_no_relocating_shards wait_for_no_initializing_shards wait_for_status awareness_attribute ensure_node_weighed_in wait_for_relocating_shards return_200_for_cluster_health_timeout',
    health,
  ),
]
