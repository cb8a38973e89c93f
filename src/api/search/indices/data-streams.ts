/** Data stream routes. */
import type { DataStream } from '../../../search/index/cluster-state.ts'
import { replicaCount } from '../../../search/index/index-metadata.ts'
import {
  createDataStream,
  deleteDataStreams,
  findDataStreams,
  timestampField,
} from '../../../search/index/templates/data-streams.ts'
import { matchingTemplate } from '../../../search/index/templates/templates.ts'
import type { JsonObject } from '../../../search/request/json-object.ts'
import type { Call } from '../call.ts'
import { type Answer, type Route, route, timeouts } from '../route.ts'

const acknowledged: Answer = { body: { acknowledged: true } }

function found(call: Call, isDeletion = false): DataStream[] {
  return findDataStreams(call.cluster, call.list('name'), isDeletion).filter(({ name }) => call.permits(name))
}

function shown(call: Call, stream: DataStream): JsonObject {
  const indices = stream.indices
    .map((name) => call.cluster.index(name))
    .filter((index) => index !== undefined)
  const isWhole = indices.every((index) => replicaCount(index) === 0)
  return {
    name: stream.name,
    timestamp_field: { name: timestampField },
    indices: indices.map(({ name, uuid }) => ({ index_name: name, index_uuid: uuid })),
    generation: stream.generation,
    status: isWhole ? 'GREEN' : 'YELLOW',
    template: matchingTemplate(call.cluster.state, stream.name)?.name ?? '',
    ...(!call.cluster.compat.isOpenSearch && { hidden: stream.hidden, system: false }),
  }
}

function stats(call: Call): Answer {
  const streams = found(call).map((stream) => {
    const bytes = stream.indices
      .map((name) => call.cluster.index(name))
      .flatMap((index) => (index === undefined ? [] : (call.cluster.openStore(index)?.shards ?? [])))
      .reduce((sum, shard) => sum + shard.figures().bytes, 0)
    return {
      data_stream: stream.name,
      backing_indices: stream.indices.length,
      store_size_bytes: bytes,
      maximum_timestamp: 0,
    }
  })
  const total = streams.length
  return {
    body: {
      _shards: { total, successful: total, failed: 0 },
      data_stream_count: total,
      backing_indices: streams.reduce((sum, one) => sum + one.backing_indices, 0),
      total_store_size_bytes: streams.reduce((sum, one) => sum + one.store_size_bytes, 0),
      data_streams: streams,
    },
  }
}

export const dataStreamRoutes: readonly Route[] = [
  route(
    'GET',
    '/_data_stream /_data_stream/:name',
    'expand_wildcards include_defaults master_timeout',
    (call) => ({
      body: {
        data_streams: found(call).map((stream) => shown(call, stream)),
      },
    }),
  ),
  route('PUT', '/_data_stream/:name', timeouts, (call) => {
    createDataStream(call.cluster, call.part('name'))
    return acknowledged
  }),
  route('DELETE', '/_data_stream/:name', `expand_wildcards ${timeouts}`, async (call) => {
    await deleteDataStreams(call.cluster, found(call, true))
    return acknowledged
  }),
  route('GET', '/_data_stream/_stats /_data_stream/:name/_stats', 'expand_wildcards', stats),
]
