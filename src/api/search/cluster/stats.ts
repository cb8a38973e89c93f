/** `_stats`, `_segments` and `_recovery`. */

import { withReadableNumbers } from '../../../http/human.ts'
import type { Cluster } from '../../../search/index/cluster.ts'
import { openOptions } from '../../../search/index/index-expressions.ts'
import { type IndexMetadata, replicaCount } from '../../../search/index/index-metadata.ts'
import type { ShardFigures } from '../../../search/index/shards/shard-figures.ts'
import { sumUsage } from '../../../search/index/usage.ts'
import { illegalArgument } from '../../../search/request/errors.ts'
import type { JsonObject } from '../../../search/request/json-object.ts'
import type { Call } from '../call.ts'
import { type Answer, indicesOptions, type Route, route } from '../route.ts'
import { unrecognized } from '../unknown-parameters.ts'
import { groupsOf, noExtras, statMetrics, statsBody, sumFigures } from './shard-stats.ts'

interface IndexFigures {
  readonly index: IndexMetadata
  readonly shards: readonly ShardFigures[]
}

/** Closed indices have no statistics, unless `withClosed`. */
export function figuresOf(call: Call, indices: readonly IndexMetadata[], withClosed = false): IndexFigures[] {
  return indices.map((index) => ({
    index,
    shards: index.isOpen || withClosed ? call.cluster.figures(index) : [],
  }))
}

export function health(cluster: Cluster, index: IndexMetadata): 'green' | 'yellow' | 'red' {
  if (cluster.failures(index).size > 0) return 'red'
  return replicaCount(index) > 0 ? 'yellow' : 'green'
}

function stats(call: Call): Answer {
  const metrics = call.list('metric')
  const wrong = metrics.filter((name) => !statMetrics.includes(name))
  if (wrong.length > 0) throw illegalArgument(unrecognized(call.path, 'metric', wrong, statMetrics))
  if (metrics.includes('_all') && metrics.length > 1)
    throw illegalArgument(
      `request [${call.path}] contains _all and individual metrics [${metrics.join(',')}]`,
    )
  const level = call.text('level') ?? 'indices'
  if (!['cluster', 'indices', 'shards'].includes(level))
    throw illegalArgument(
      `level parameter must be one of [cluster] or [indices] or [shards] but was [${level}]`,
    )
  const names = groupsOf(metrics)
  const withFiles = call.flag('include_segment_file_sizes')
  const standard = { ...openOptions, forbidClosed: call.flag('forbid_closed_indices', true) }
  const indices = call.cluster.resolve(call.expressions, call.indices(standard)).map(({ index }) => index)
  const figures = figuresOf(call, indices, call.flag('include_unloaded_segments'))
  const groups = call.list('groups')
  const both = (shards: readonly ShardFigures[], of: readonly IndexMetadata[]): JsonObject => {
    const openContexts = of.reduce((sum, { name }) => sum + call.node.search.openContexts(name), 0)
    const usage = sumUsage(of.map(({ uuid }) => call.cluster.usage.of(uuid)))
    const body = statsBody(sumFigures(shards), names, { usage, openContexts, withFiles, groups })
    return { primaries: body, total: body }
  }
  const total = figures.reduce((sum, { index, shards }) => sum + shards.length * (1 + replicaCount(index)), 0)
  const successful = figures.reduce((sum, { shards }) => sum + shards.length, 0)
  const shown = figures.map(({ index, shards }) => [
    index.name,
    {
      uuid: index.uuid,
      // OpenSearch leaves health and status to `_cat/indices`.
      ...(!call.cluster.compat.isOpenSearch && {
        health: health(call.cluster, index),
        status: index.isOpen ? 'open' : 'close',
      }),
      ...both(shards, [index]),
      ...(level === 'shards' && { shards: shardEntries(call, shards, names, withFiles) }),
    },
  ])
  const body = {
    _shards: { total, successful, failed: 0 },
    _all: both(
      figures.flatMap(({ shards }) => shards),
      indices,
    ),
    ...(level !== 'cluster' && { indices: Object.fromEntries(shown) }),
  }
  return { body: call.flag('human') ? withReadableNumbers(body) : body }
}

function shardEntries(
  call: Call,
  shards: readonly ShardFigures[],
  names: readonly string[],
  withFiles: boolean,
) {
  return Object.fromEntries(
    shards.map((figures, number) => [
      String(number),
      [
        {
          routing: { state: 'STARTED', primary: true, node: call.node.id, relocating_node: null },
          ...statsBody(figures, names, { ...noExtras, withFiles }),
          commit: {
            id: `${number}-${figures.flushes}`,
            generation: figures.flushes + 1,
            user_data: {},
            num_docs: figures.docs,
          },
          seq_no: {
            max_seq_no: figures.maxSeqNo,
            local_checkpoint: figures.maxSeqNo,
            global_checkpoint: figures.maxSeqNo,
          },
          retention_leases: { primary_term: 1, version: 0, leases: [] },
          shard_path: { state_path: '', data_path: '', is_custom_data_path: false },
        },
      ],
    ]),
  )
}

function segments(call: Call): Answer {
  const indices = call.cluster.resolve(call.expressions, call.indices(openOptions)).map(({ index }) => index)
  let total = 0
  const shown = indices.map((index) => {
    const shards = call.cluster.store(index).shards.map((shard, number) => {
      total += 1
      const { leaves } = shard.reader()
      const listed = leaves.map(({ segment, live }) => {
        const docs = live?.count ?? segment.docCount
        const generation = Number.parseInt(segment.name.slice(1), 10) || 0
        return [
          `_${generation.toString(36)}`,
          {
            generation,
            num_docs: docs,
            deleted_docs: segment.docCount - docs,
            size_in_bytes: segment.bytes,
            memory_in_bytes: segment.bytes,
            committed: true,
            search: true,
            version: call.cluster.compat.luceneVersion,
            compound: true,
            attributes: {},
          },
        ]
      })
      const entry = {
        routing: { state: 'STARTED', primary: true, node: call.node.id },
        num_committed_segments: leaves.length,
        num_search_segments: leaves.length,
        segments: Object.fromEntries(listed),
      }
      return [String(number), [entry]]
    })
    return [index.name, { shards: Object.fromEntries(shards) }]
  })
  return { body: { _shards: { total, successful: total, failed: 0 }, indices: Object.fromEntries(shown) } }
}

function recovery(call: Call): Answer {
  const indices = call.cluster.resolve(call.expressions, call.indices(openOptions)).map(({ index }) => index)
  const shown = figuresOf(call, indices).map(({ index, shards }) => [
    index.name,
    {
      shards: shards.map((figures, id) => ({
        id,
        type: 'EMPTY_STORE',
        stage: 'DONE',
        primary: true,
        start_time_in_millis: index.creationDate,
        stop_time_in_millis: index.creationDate,
        total_time_in_millis: 0,
        source: {},
        target: {
          id: call.node.id,
          host: '127.0.0.1',
          transport_address: '127.0.0.1:9300',
          ip: '127.0.0.1',
          name: call.node.name,
        },
        index: {
          size: {
            total_in_bytes: figures.bytes,
            reused_in_bytes: 0,
            recovered_in_bytes: figures.bytes,
            percent: '100.0%',
          },
          files: { total: figures.segments, reused: 0, recovered: figures.segments, percent: '100.0%' },
          total_time_in_millis: 0,
          source_throttle_time_in_millis: 0,
          target_throttle_time_in_millis: 0,
        },
        translog: { recovered: 0, total: 0, percent: '100.0%', total_on_start: 0, total_time_in_millis: 0 },
        verify_index: { check_index_time_in_millis: 0, total_time_in_millis: 0 },
      })),
    },
  ])
  return { body: Object.fromEntries(shown) }
}

export const statsRoutes: readonly Route[] = [
  route(
    'GET',
    '/_stats /_stats/:metric /:index/_stats /:index/_stats/:metric',
    `completion_fields fielddata_fields fields groups level include_segment_file_sizes include_unloaded_segments forbid_closed_indices types ${indicesOptions}`,
    stats,
  ),
  route('GET', '/_segments /:index/_segments', `verbose ${indicesOptions}`, segments),
  route('GET', '/_recovery /:index/_recovery', `detailed active_only ${indicesOptions}`, recovery),
]
