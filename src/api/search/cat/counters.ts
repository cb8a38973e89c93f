/** Counters of shards, indices and the node, by the names of their columns in `_cat` tables. */
import type { ShardFigures } from '../../../search/index/shards/shard-figures.ts'
import type { IndexUsage } from '../../../search/index/usage.ts'
import { Bytes, Millis } from './cat-table.ts'
import type { NamedCells } from './columns/columns.ts'

/** Search counters are those of the index, which has mostly one shard. What is not here is zero. */
export function counters(shard: ShardFigures, usage: IndexUsage): NamedCells {
  const { gets, getsFound, getMillis } = usage
  const share = (count: number) => new Millis(gets === 0 ? 0 : (getMillis * count) / gets)
  return {
    'docs.deleted': shard.deleted,
    'flush.total': shard.flushes,
    'flush.total_time': new Millis(shard.flushMillis),
    'get.time': new Millis(getMillis),
    'get.total': gets,
    'get.exists_time': share(getsFound),
    'get.exists_total': getsFound,
    'get.missing_time': share(gets - getsFound),
    'get.missing_total': gets - getsFound,
    'indexing.delete_total': shard.removed,
    'indexing.index_time': new Millis(usage.indexMillis),
    'indexing.index_total': shard.indexed,
    'indexing.index_failed': shard.indexFailures,
    'merges.total': shard.merges,
    'merges.total_docs': shard.mergedDocs,
    'merges.total_size': new Bytes(shard.mergedBytes),
    'merges.total_time': new Millis(shard.mergeMillis),
    'refresh.total': shard.refreshes,
    'refresh.time': new Millis(shard.refreshMillis),
    'refresh.external_total': shard.refreshes,
    'refresh.external_time': new Millis(shard.refreshMillis),
    'search.fetch_total': usage.fetches,
    'search.query_current': usage.running,
    'search.query_time': new Millis(usage.queryMillis),
    'search.query_total': usage.queries,
    'search.scroll_total': usage.scrolls,
    'search.point_in_time_total': usage.pits,
    'suggest.total': usage.suggests,
    'segments.count': shard.segments,
    'segments.memory': new Bytes(shard.segmentBytes),
    'seq_no.max': shard.maxSeqNo,
    'seq_no.local_checkpoint': shard.maxSeqNo,
    'seq_no.global_checkpoint': shard.maxSeqNo,
  }
}
