/** `_cat` tables about indices: indices, count, aliases, templates, segments, recovery. */

import { metadataOptions, openOptions, sortedByName } from '../../../search/index/index-expressions.ts'
import { replicaCount, shardCount } from '../../../search/index/index-metadata.ts'
import { illegalArgument } from '../../../search/request/errors.ts'
import { simpleMatch } from '../../../search/request/simple-match.ts'
import type { Call } from '../call.ts'
import { sumFigures } from '../cluster/shard-stats.ts'
import { figuresOf, health } from '../cluster/stats.ts'
import { aliasFilter } from '../indices/aliases.ts'
import { type Answer, indicesOptions, type Route } from '../route.ts'
import { Bytes, type Cell, Millis, narrowedTable, table } from './cat-table.ts'
import { countedRow, type NamedCells, sparseRow } from './columns/columns.ts'
import { indexColumns } from './columns/index-columns.ts'
import {
  aliasColumns,
  countColumns,
  recoveryColumns,
  segmentColumns,
  templateColumns,
} from './columns/small-columns.ts'
import { counters } from './counters.ts'

/** Each counter also stands under `pri.`, because there is one copy of a shard. */
function withPrimaries(cells: NamedCells): NamedCells {
  return Object.fromEntries(
    Object.entries(cells).flatMap(([name, cell]) => [
      [name, cell],
      [`pri.${name}`, cell],
    ]),
  )
}

function indices(call: Call): Answer {
  const wanted = call.text('health')?.toLowerCase()
  if (wanted !== undefined && !['green', 'yellow', 'red'].includes(wanted))
    throw illegalArgument(`unknown cluster health status [${wanted}]`)
  const options = call.indices({
    ...metadataOptions,
    expandClosed: true,
    expandHidden: call.parts['index'] === undefined,
  })
  const found = call.cluster.resolve(call.expressions, options).map(({ index }) => index)
  const rows = figuresOf(call, found)
    .filter(({ index }) => wanted === undefined || health(call.cluster, index) === wanted)
    .map(({ index, shards }): Cell[] => {
      const head = {
        health: health(call.cluster, index),
        status: index.isOpen ? 'open' : 'close',
        index: index.name,
        uuid: index.uuid,
        pri: shardCount(index),
        rep: replicaCount(index),
        'creation.date': index.creationDate,
        'creation.date.string': new Date(index.creationDate).toISOString(),
      }
      if (!index.isOpen) return sparseRow(indexColumns, head)
      const sum = sumFigures(shards)
      const size = new Bytes(sum.bytes)
      return countedRow(indexColumns, {
        ...withPrimaries(counters(sum, call.cluster.usage.of(index.uuid))),
        ...head,
        'docs.count': sum.docs,
        'store.size': size,
        'pri.store.size': size,
        'search.throttled': 'false',
      })
    })
  return table(call, indexColumns, rows)
}

async function count(call: Call): Promise<Answer> {
  const now = new Date(call.cluster.now())
  const total = call.cluster
    .resolve(call.expressions, call.indices(openOptions))
    .flatMap(({ index }) => call.cluster.store(index).shards)
    .reduce((sum, shard) => sum + shard.reader().liveCount, 0)
  return table(call, countColumns, [
    [Math.floor(now.getTime() / 1000), now.toISOString().slice(11, 19), total],
  ])
}

function aliases(call: Call): Answer {
  const states = call.indices({ ...metadataOptions, expandClosed: true, expandHidden: true })
  const indices = sortedByName(call.cluster.state.indices)
  const isWanted = aliasFilter(
    call.list('alias'),
    indices.flatMap((index) => Object.keys(index.aliases)),
  )
  const rows = indices.flatMap((index) =>
    Object.entries(index.aliases)
      .filter(([name]) => isWanted(name) && call.permits(name) && call.permits(index.name))
      .filter(([, alias]) => states.expandHidden || alias.is_hidden !== true)
      .map(([name, alias]): Cell[] => [
        name,
        index.name,
        alias.filter === undefined ? '-' : '*',
        alias.index_routing ?? '-',
        alias.search_routing ?? '-',
        alias.is_write_index === undefined ? '-' : String(alias.is_write_index),
      ]),
  )
  return table(call, aliasColumns, rows)
}

function templates(call: Call): Answer {
  const patterns = call.list('name')
  const isWanted = (name: string) =>
    patterns.length === 0 || patterns.some((pattern) => simpleMatch(pattern, name))
  const { legacyTemplates, indexTemplates } = call.cluster.state
  const version = (value: number | undefined): Cell => (value === undefined ? null : value)
  const rows = [
    ...Object.entries(legacyTemplates).map(([name, one]): Cell[] => [
      name,
      `[${one.index_patterns.join(', ')}]`,
      one.order,
      version(one.version),
      '',
    ]),
    ...Object.entries(indexTemplates).map(([name, one]): Cell[] => [
      name,
      `[${one.index_patterns.join(', ')}]`,
      one.priority ?? 0,
      version(one.version),
      `[${(one.composed_of ?? []).join(', ')}]`,
    ]),
  ].filter(([name]) => isWanted(String(name)))
  return table(call, templateColumns, rows)
}

function segments(call: Call): Answer {
  const rows = call.cluster.resolve(call.expressions, call.indices(openOptions)).flatMap(({ index }) =>
    call.cluster.store(index).shards.flatMap((shard, number) =>
      shard.reader().leaves.map(({ segment, live }): Cell[] => {
        const docs = live?.count ?? segment.docCount
        const size = new Bytes(segment.bytes)
        const generation = Number.parseInt(segment.name.slice(1), 10) || 0
        const { luceneVersion } = call.cluster.compat
        return [
          index.name,
          number,
          'p',
          '127.0.0.1',
          call.node.id,
          `_${generation.toString(36)}`,
          generation,
          docs,
          segment.docCount - docs,
          size,
          size,
          'true',
          'true',
          luceneVersion,
          'true',
        ]
      }),
    ),
  )
  return table(call, segmentColumns, rows)
}

function recovery(call: Call): Answer {
  const rows = call.cluster.resolve(call.expressions, call.indices(openOptions)).flatMap(({ index }) =>
    Array.from({ length: shardCount(index) }, (_, shard): Cell[] => {
      const at = new Date(index.creationDate).toISOString()
      return sparseRow(recoveryColumns, {
        ...recovered,
        index: index.name,
        shard,
        start_time: at,
        start_time_millis: index.creationDate,
        stop_time: at,
        stop_time_millis: index.creationDate,
        target_node: call.node.name,
      })
    }),
  )
  return table(call, recoveryColumns, rows)
}

/** A shard that was made where it is. */
const recovered: NamedCells = {
  time: new Millis(0),
  type: 'empty_store',
  stage: 'done',
  source_host: 'n/a',
  source_node: 'n/a',
  target_host: '127.0.0.1',
  repository: 'n/a',
  snapshot: 'n/a',
  files: 0,
  files_recovered: 0,
  files_percent: '0.0%',
  files_total: 0,
  bytes: new Bytes(0),
  bytes_recovered: new Bytes(0),
  bytes_percent: '0.0%',
  bytes_total: new Bytes(0),
  translog_ops: 0,
  translog_ops_recovered: 0,
  translog_ops_percent: '100.0%',
}

export const catIndexRoutes: readonly Route[] = [
  narrowedTable(
    '/_cat/indices /_cat/indices/:index',
    `health pri include_unloaded_segments ${indicesOptions}`,
    indices,
  ),
  narrowedTable('/_cat/count /_cat/count/:index', indicesOptions, count),
  narrowedTable('/_cat/aliases /_cat/aliases/:alias', indicesOptions, aliases),
  narrowedTable('/_cat/templates /_cat/templates/:name', '', templates),
  narrowedTable('/_cat/segments /_cat/segments/:index', indicesOptions, segments),
  narrowedTable('/_cat/recovery /_cat/recovery/:index', 'active_only detailed index', recovery),
]
