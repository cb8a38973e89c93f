/** `_cat` tables about indices: indices, count, aliases, templates, segments, recovery. */

import { metadataOptions, openOptions, sortedByName } from '../../../search/index/index-expressions.ts'
import { replicaCount, shardCount } from '../../../search/index/index-metadata.ts'
import { illegalArgument } from '../../../search/request/errors.ts'
import { simpleMatch } from '../../../search/request/simple-match.ts'
import type { Call } from '../call.ts'
import { sumFigures } from '../cluster/shard-stats.ts'
import { figuresOf, health } from '../cluster/stats.ts'
import { aliasFilter } from '../indices/aliases.ts'
import { type Answer, indicesOptions, type Route, route } from '../route.ts'
import { Bytes, type Cell, column, table, tableParameters } from './cat-table.ts'

const right = { right: true }
const hidden = { hidden: true }

const indexColumns = [
  column('health', 'current health status', { aliases: ['h'] }),
  column('status', 'open/close status', { aliases: ['s'] }),
  column('index', 'index name', { aliases: ['i', 'idx'] }),
  column('uuid', 'index uuid', { aliases: ['id'] }),
  column('pri', 'number of primary shards', { ...right, aliases: ['p', 'shards.primary', 'shardsPrimary'] }),
  column('rep', 'number of replica shards', { ...right, aliases: ['r', 'shards.replica', 'shardsReplica'] }),
  column('docs.count', 'available docs', { ...right, aliases: ['dc', 'docsCount'] }),
  column('docs.deleted', 'deleted docs', { ...right, aliases: ['dd', 'docsDeleted'] }),
  column('creation.date', 'index creation date (millisecond value)', { ...hidden, aliases: ['cd'] }),
  column('creation.date.string', 'index creation date (as string)', { ...hidden, aliases: ['cds'] }),
  column('store.size', 'store size of primaries & replicas', { ...right, aliases: ['ss', 'storeSize'] }),
  column('pri.store.size', 'store size of primaries', right),
]

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
      const sum = index.isOpen ? sumFigures(shards) : undefined
      const size = sum === undefined ? null : new Bytes(sum.bytes)
      return [
        health(call.cluster, index),
        index.isOpen ? 'open' : 'close',
        index.name,
        index.uuid,
        shardCount(index),
        replicaCount(index),
        sum?.docs ?? null,
        sum?.deleted ?? null,
        index.creationDate,
        new Date(index.creationDate).toISOString(),
        size,
        size,
      ]
    })
  return table(call, indexColumns, rows)
}

async function count(call: Call): Promise<Answer> {
  const now = new Date(call.cluster.now())
  const columns = [
    column('epoch', 'seconds since 1970-01-01 00:00:00', { aliases: ['t', 'time'] }),
    column('timestamp', 'time in HH:MM:SS', { aliases: ['ts', 'hms', 'hhmmss'] }),
    column('count', 'the document count', { aliases: ['dc', 'docs.count', 'docsCount'] }),
  ]
  const total = call.cluster
    .resolve(call.expressions, call.indices(openOptions))
    .flatMap(({ index }) => call.cluster.store(index).shards)
    .reduce((sum, shard) => sum + shard.reader().liveCount, 0)
  return table(call, columns, [[Math.floor(now.getTime() / 1000), now.toISOString().slice(11, 19), total]])
}

const aliasColumns = [
  column('alias', 'alias name', { aliases: ['a'] }),
  column('index', 'index alias points to', { aliases: ['i', 'idx'] }),
  column('filter', 'filter', { aliases: ['f', 'fi'] }),
  column('routing.index', 'index routing', { aliases: ['ri', 'routingIndex'] }),
  column('routing.search', 'search routing', { aliases: ['rs', 'routingSearch'] }),
  column('is_write_index', 'write index', { aliases: ['w', 'isWriteIndex'] }),
]

function aliases(call: Call): Answer {
  const isWanted = aliasFilter(call.list('name'))
  const states = call.indices({ ...metadataOptions, expandClosed: true, expandHidden: true })
  const rows = sortedByName(call.cluster.state.indices).flatMap((index) =>
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

const templateColumns = [
  column('name', 'template name', { aliases: ['n'] }),
  column('index_patterns', 'template index patterns', { aliases: ['t'] }),
  column('order', 'template application order/priority number', { aliases: ['o', 'p'] }),
  column('version', 'version', { aliases: ['v'] }),
  column('composed_of', 'component templates comprising index template', { aliases: ['c'] }),
]

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
      `[${one.composed_of.join(', ')}]`,
    ]),
  ].filter(([name]) => isWanted(String(name)))
  return table(call, templateColumns, rows)
}

function segments(call: Call): Answer {
  const columns = [
    column('index', 'index name', { aliases: ['i', 'idx'] }),
    column('shard', 'shard name', { aliases: ['s', 'sh'] }),
    column('prirep', 'primary or replica', { aliases: ['p', 'pr', 'primaryOrReplica'] }),
    column('ip', 'ip of node where it lives'),
    column('id', 'unique id of node where it lives', hidden),
    column('segment', 'segment name', { aliases: ['seg'] }),
    column('generation', 'segment generation', { ...right, aliases: ['g', 'gen'] }),
    column('docs.count', 'number of docs in segment', { ...right, aliases: ['dc', 'docsCount'] }),
    column('docs.deleted', 'number of deleted docs in segment', { ...right, aliases: ['dd', 'docsDeleted'] }),
    column('size', 'segment size in bytes', { ...right, aliases: ['si'] }),
    column('size.memory', 'segment memory in bytes', { ...right, aliases: ['sm', 'sizeMemory'] }),
    column('committed', 'is segment committed', { aliases: ['ic', 'isCommitted'] }),
    column('searchable', 'is segment searched', { aliases: ['is', 'isSearchable'] }),
    column('version', 'version', { aliases: ['v', 'ver'] }),
    column('compound', 'is segment compound', { aliases: ['ico', 'isCompound'] }),
  ]
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
  return table(call, columns, rows)
}

function recovery(call: Call): Answer {
  const columns = ['index', 'shard', 'start_time', 'time', 'type', 'stage', 'source_host', 'target_host'].map(
    (name) => column(name, name.replace('_', ' ')),
  )
  const rows = call.cluster
    .resolve(call.expressions, call.indices(openOptions))
    .flatMap(({ index }) =>
      Array.from({ length: shardCount(index) }, (_, shard): Cell[] => [
        index.name,
        shard,
        new Date(index.creationDate).toISOString(),
        '0s',
        'empty_store',
        'done',
        'n/a',
        '127.0.0.1',
      ]),
    )
  return table(call, columns, rows)
}

export const catIndexRoutes: readonly Route[] = [
  route(
    'GET',
    '/_cat/indices /_cat/indices/:index',
    `${tableParameters} health pri include_unloaded_segments ${indicesOptions}`,
    indices,
  ),
  route('GET', '/_cat/count /_cat/count/:index', `${tableParameters} ${indicesOptions}`, count),
  route('GET', '/_cat/aliases /_cat/aliases/:name', `${tableParameters} ${indicesOptions}`, aliases),
  route('GET', '/_cat/templates /_cat/templates/:name', tableParameters, templates),
  route('GET', '/_cat/segments /_cat/segments/:index', `${tableParameters} ${indicesOptions}`, segments),
  route(
    'GET',
    '/_cat/recovery /_cat/recovery/:index',
    `${tableParameters} active_only detailed index`,
    recovery,
  ),
]
