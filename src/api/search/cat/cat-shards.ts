/** `_cat/shards`: the location of each shard copy, with its counters on request. */
import { metadataOptions } from '../../../search/index/index-expressions.ts'
import { replicaCount, shardCount } from '../../../search/index/index-metadata.ts'
import type { Call } from '../call.ts'
import { figuresOf } from '../cluster/stats.ts'
import { type Answer, indicesOptions, type Route } from '../route.ts'
import { Bytes, type Cell, Millis, narrowedTable, table } from './cat-table.ts'
import { countedRow, sparseRow } from './columns/columns.ts'
import { shardColumns } from './columns/shard-columns.ts'
import { counters } from './counters.ts'

function shards(call: Call): Answer {
  const options = call.indices({ ...metadataOptions, expandHidden: true, expandClosed: true })
  const rows: Cell[][] = []
  const found = call.cluster.resolve(call.expressions, options).map(({ index }) => index)
  const { name, id } = call.node
  for (const { index, shards: all } of figuresOf(call, found)) {
    const usage = call.cluster.usage.of(index.uuid)
    const missing = {
      index: index.name,
      state: 'UNASSIGNED',
      'unassigned.at': new Date(index.creationDate).toISOString(),
      'unassigned.for': new Millis(call.cluster.now() - index.creationDate),
    }
    const failures = call.cluster.failures(index)
    for (let shard = 0; shard < shardCount(index); shard++) {
      const failure = failures.get(shard)
      if (failure !== undefined) {
        const why = {
          'unassigned.reason': 'ALLOCATION_FAILED',
          'unassigned.details': failure.message,
          'recoverysource.type': 'existing_store',
        }
        rows.push(sparseRow(shardColumns, { ...missing, shard, prirep: 'p', ...why }))
        continue
      }
      const place = {
        index: index.name,
        shard,
        prirep: 'p',
        state: 'STARTED',
        ip: '127.0.0.1',
        id,
        node: name,
      }
      const figures = all[shard]
      rows.push(
        figures === undefined
          ? sparseRow(shardColumns, place)
          : countedRow(shardColumns, {
              ...place,
              docs: figures.docs,
              store: new Bytes(figures.bytes),
              ...counters(figures, usage),
            }),
      )
      const why = { 'unassigned.reason': 'INDEX_CREATED', 'recoverysource.type': 'peer' }
      for (let replica = 0; replica < replicaCount(index); replica++)
        rows.push(sparseRow(shardColumns, { ...missing, shard, prirep: 'r', ...why }))
    }
  }
  return table(call, shardColumns, rows)
}

export const catShardRoutes: readonly Route[] = [
  narrowedTable('/_cat/shards /_cat/shards/:index', indicesOptions, shards),
]
