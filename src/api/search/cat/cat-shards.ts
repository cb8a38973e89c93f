/** `_cat/shards`: the location of each shard copy, with its counters on request. */
import { metadataOptions } from '../../../search/index/index-expressions.ts'
import { replicaCount, shardCount } from '../../../search/index/index-metadata.ts'
import type { ShardFigures } from '../../../search/index/shards/shard-port.ts'
import type { IndexUsage } from '../../../search/index/usage.ts'
import type { Call } from '../call.ts'
import { figuresOf } from '../cluster/stats.ts'
import { type Answer, indicesOptions, type Route, route } from '../route.ts'
import { Bytes, type Cell, type Column, column, Millis, table, tableParameters } from './cat-table.ts'

const right = { right: true }

const placeColumns: readonly Column[] = [
  column('index', 'index name', { aliases: ['i', 'idx'] }),
  column('shard', 'shard name', { aliases: ['s', 'sh'] }),
  column('prirep', 'primary or replica', { aliases: ['p', 'pr', 'primaryOrReplica'] }),
  column('state', 'shard state', { aliases: ['st'] }),
  column('docs', 'number of docs in shard', { ...right, aliases: ['d', 'dc'] }),
  column('store', 'store size of shard (how much disk it uses)', { ...right, aliases: ['sto'] }),
  column('ip', 'ip of node where it lives'),
  column('id', 'unique id of node where it lives', { hidden: true }),
  column('node', 'name of node where it lives', { aliases: ['n'] }),
  column('sync_id', 'sync id', { hidden: true, aliases: ['sync_id'] }),
  column('unassigned.reason', 'reason shard is unassigned', { hidden: true, aliases: ['ur'] }),
  column('unassigned.at', 'time shard became unassigned (UTC)', { hidden: true, aliases: ['ua'] }),
  column('unassigned.for', 'time has been unassigned', { hidden: true, aliases: ['uf'], ...right }),
  column('unassigned.details', 'additional details as to why the shard became unassigned', {
    hidden: true,
    aliases: ['ud'],
  }),
  column('recoverysource.type', 'recovery source type', { hidden: true, aliases: ['rs'] }),
]

/** The counters of a shard; search counters are those of the index when it has one shard. */
interface Counted {
  readonly shard: ShardFigures
  readonly usage: IndexUsage
}

type Read = (counted: Counted) => Cell
type Figure = readonly [name: string, alias: string, doc: string, read: Read]

const none: Read = () => 0
const noBytes: Read = () => new Bytes(0)
const noTime: Read = () => new Millis(0)
const share = ({ gets, getMillis }: IndexUsage, count: number) =>
  gets === 0 ? 0 : (getMillis * count) / gets

const figures: readonly Figure[] = [
  ['completion.size', 'cs', 'size of completion', noBytes],
  ['fielddata.memory_size', 'fm', 'used fielddata cache', noBytes],
  ['fielddata.evictions', 'fe', 'fielddata evictions', none],
  ['query_cache.memory_size', 'qcm', 'used query cache', noBytes],
  ['query_cache.evictions', 'qce', 'query cache evictions', none],
  ['flush.total', 'ft', 'number of flushes', ({ shard }) => shard.flushes],
  ['flush.total_time', 'ftt', 'time spent in flush', ({ shard }) => new Millis(shard.flushMillis)],
  ['get.current', 'gc', 'number of current get ops', none],
  ['get.time', 'gti', 'time spent in get', ({ usage }) => new Millis(usage.getMillis)],
  ['get.total', 'gto', 'number of get ops', ({ usage }) => usage.gets],
  [
    'get.exists_time',
    'geti',
    'time spent in successful gets',
    ({ usage }) => new Millis(share(usage, usage.getsFound)),
  ],
  ['get.exists_total', 'geto', 'number of successful gets', ({ usage }) => usage.getsFound],
  [
    'get.missing_time',
    'gmti',
    'time spent in failed gets',
    ({ usage }) => new Millis(share(usage, usage.gets - usage.getsFound)),
  ],
  ['get.missing_total', 'gmto', 'number of failed gets', ({ usage }) => usage.gets - usage.getsFound],
  ['indexing.delete_current', 'idc', 'number of current deletions', none],
  ['indexing.delete_time', 'idti', 'time spent in deletions', noTime],
  ['indexing.delete_total', 'idto', 'number of delete ops', ({ shard }) => shard.removed],
  ['indexing.index_current', 'iic', 'number of current indexing ops', none],
  ['indexing.index_time', 'iiti', 'time spent in indexing', ({ usage }) => new Millis(usage.indexMillis)],
  ['indexing.index_total', 'iito', 'number of indexing ops', ({ shard }) => shard.indexed],
  ['indexing.index_failed', 'iif', 'number of failed indexing ops', ({ shard }) => shard.indexFailures],
  ['merges.current', 'mc', 'number of current merges', none],
  ['merges.current_docs', 'mcd', 'number of current merging docs', none],
  ['merges.current_size', 'mcs', 'size of current merges', noBytes],
  ['merges.total', 'mt', 'number of completed merge ops', ({ shard }) => shard.merges],
  ['merges.total_docs', 'mtd', 'docs merged', ({ shard }) => shard.mergedDocs],
  ['merges.total_size', 'mts', 'size merged', ({ shard }) => new Bytes(shard.mergedBytes)],
  ['merges.total_time', 'mtt', 'time spent in merges', ({ shard }) => new Millis(shard.mergeMillis)],
  ['refresh.total', 'rto', 'total refreshes', ({ shard }) => shard.refreshes],
  ['refresh.time', 'rti', 'time spent in refreshes', ({ shard }) => new Millis(shard.refreshMillis)],
  ['refresh.external_total', 'rto', 'total external refreshes', ({ shard }) => shard.refreshes],
  [
    'refresh.external_time',
    'rti',
    'time spent in external refreshes',
    ({ shard }) => new Millis(shard.refreshMillis),
  ],
  ['refresh.listeners', 'rli', 'number of pending refresh listeners', none],
  ['search.fetch_current', 'sfc', 'current fetch phase ops', none],
  ['search.fetch_time', 'sfti', 'time spent in fetch phase', noTime],
  ['search.fetch_total', 'sfto', 'total fetch ops', ({ usage }) => usage.fetches],
  ['search.open_contexts', 'so', 'open search contexts', none],
  ['search.query_current', 'sqc', 'current query phase ops', ({ usage }) => usage.running],
  ['search.query_time', 'sqti', 'time spent in query phase', ({ usage }) => new Millis(usage.queryMillis)],
  ['search.query_total', 'sqto', 'total query phase ops', ({ usage }) => usage.queries],
  ['search.concurrent_query_current', 'scqc', 'current concurrent query phase ops', none],
  ['search.concurrent_query_time', 'scqti', 'time spent in concurrent query phase', noTime],
  ['search.concurrent_query_total', 'scqto', 'total concurrent query phase ops', none],
  ['search.concurrent_avg_slice_count', 'casc', 'average query concurrency', none],
  ['search.scroll_current', 'scc', 'open scroll contexts', none],
  ['search.scroll_time', 'scti', 'time scroll contexts held open', noTime],
  ['search.scroll_total', 'scto', 'completed scroll contexts', ({ usage }) => usage.scrolls],
  ['search.point_in_time_current', 'spc', 'open point in time contexts', none],
  ['search.point_in_time_time', 'spti', 'time point in time contexts held open', noTime],
  ['search.point_in_time_total', 'spto', 'completed point in time contexts', ({ usage }) => usage.pits],
  ['search.search_idle_reactivate_count_total', 'ssirct', 'number of times a shard reactivated', none],
  ['segments.count', 'sc', 'number of segments', ({ shard }) => shard.segments],
  ['segments.memory', 'sm', 'memory used by segments', ({ shard }) => new Bytes(shard.segmentBytes)],
  ['segments.index_writer_memory', 'siwm', 'memory used by index writer', noBytes],
  ['segments.version_map_memory', 'svmm', 'memory used by version map', noBytes],
  ['segments.fixed_bitset_memory', 'sfbm', 'memory used by fixed bit sets', noBytes],
  ['seq_no.max', 'sqm', 'max sequence number', ({ shard }) => shard.maxSeqNo],
  ['seq_no.local_checkpoint', 'sql', 'local checkpoint', ({ shard }) => shard.maxSeqNo],
  ['seq_no.global_checkpoint', 'sqg', 'global checkpoint', ({ shard }) => shard.maxSeqNo],
  ['warmer.current', 'wc', 'current warmer ops', none],
  ['warmer.total', 'wto', 'total warmer ops', none],
  ['warmer.total_time', 'wtt', 'time spent in warmers', noTime],
  ['path.data', 'pd', 'shard data path', () => null],
  ['path.state', 'ps', 'shard state path', () => null],
  ['docs.deleted', 'dd', 'number of deleted docs in shard', ({ shard }) => shard.deleted],
]

/** `flush.total_time` is also `flushTotalTime`. */
function camelCase(name: string): string {
  return name.replace(/[._]([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

const columns: readonly Column[] = [
  ...placeColumns,
  ...figures.map(([name, alias, doc]) =>
    column(name, doc, { ...right, hidden: true, aliases: [alias, camelCase(name)] }),
  ),
]

const noFigures: readonly Cell[] = figures.map(() => null)

function shards(call: Call): Answer {
  const options = call.indices({ ...metadataOptions, expandHidden: true, expandClosed: true })
  const rows: Cell[][] = []
  const found = call.cluster.resolve(call.expressions, options).map(({ index }) => index)
  const { name, id } = call.node
  for (const { index, shards: all } of figuresOf(call, found)) {
    const usage = call.cluster.usage.of(index.uuid)
    const created = new Date(index.creationDate).toISOString()
    const since = new Millis(call.cluster.now() - index.creationDate)
    const failures = call.cluster.failures(index)
    for (let number = 0; number < shardCount(index); number++) {
      const failure = failures.get(number)
      if (failure !== undefined) {
        rows.push([
          ...[index.name, number, 'p', 'UNASSIGNED', null, null, null, null, null],
          ...[null, 'ALLOCATION_FAILED', created, since, failure.message, 'existing_store'],
          ...noFigures,
        ])
        continue
      }
      const shard = all[number]
      const size = shard === undefined ? null : new Bytes(shard.bytes)
      rows.push([
        ...[index.name, number, 'p', 'STARTED', shard?.docs ?? null, size, '127.0.0.1', id, name],
        ...[null, null, null, null, null, null],
        ...(shard === undefined ? noFigures : figures.map(([, , , read]) => read({ shard, usage }))),
      ])
      for (let replica = 0; replica < replicaCount(index); replica++)
        rows.push([
          ...[index.name, number, 'r', 'UNASSIGNED', null, null, null, null, null],
          ...[null, 'INDEX_CREATED', created, since, null, 'peer'],
          ...noFigures,
        ])
    }
  }
  return table(call, columns, rows)
}

export const catShardRoutes: readonly Route[] = [
  route('GET', '/_cat/shards /_cat/shards/:index', `${tableParameters} ${indicesOptions}`, shards),
]
