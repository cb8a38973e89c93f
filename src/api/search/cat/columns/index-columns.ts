/** Columns of `_cat/indices`. The columns and their words are those of OpenSearch's `help`. */
import { columns } from './columns.ts'

export const indexColumns = columns(`
health|h|current health status|
status|s|open/close status|
index|i,idx|index name|
uuid|id,uuid|index uuid|
pri|p,shards.primary,shardsPrimary|number of primary shards|n
rep|r,shards.replica,shardsReplica|number of replica shards|n
docs.count|dc,docsCount|available docs|n
docs.deleted|dd,docsDeleted|deleted docs|n
creation.date|cd|index creation date (millisecond value)|-
creation.date.string|cds|index creation date (as string)|-
store.size|ss,storeSize|store size of primaries & replicas|b
pri.store.size||store size of primaries|b
completion.size|cs,completionSize|size of completion|-b
pri.completion.size||size of completion|-b
fielddata.memory_size|fm,fielddataMemory|used fielddata cache|-b
pri.fielddata.memory_size||used fielddata cache|-b
fielddata.evictions|fe,fielddataEvictions|fielddata evictions|-n
pri.fielddata.evictions||fielddata evictions|-n
query_cache.memory_size|qcm,queryCacheMemory|used query cache|-b
pri.query_cache.memory_size||used query cache|-b
query_cache.evictions|qce,queryCacheEvictions|query cache evictions|-n
pri.query_cache.evictions||query cache evictions|-n
request_cache.memory_size|rcm,requestCacheMemory|used request cache|-b
pri.request_cache.memory_size||used request cache|-b
request_cache.evictions|rce,requestCacheEvictions|request cache evictions|-n
pri.request_cache.evictions||request cache evictions|-n
request_cache.hit_count|rchc,requestCacheHitCount|request cache hit count|-n
pri.request_cache.hit_count||request cache hit count|-n
request_cache.miss_count|rcmc,requestCacheMissCount|request cache miss count|-n
pri.request_cache.miss_count||request cache miss count|-n
flush.total|ft,flushTotal|number of flushes|-n
pri.flush.total||number of flushes|-n
flush.total_time|ftt,flushTotalTime|time spent in flush|-t
pri.flush.total_time||time spent in flush|-t
get.current|gc,getCurrent|number of current get ops|-n
pri.get.current||number of current get ops|-n
get.time|gti,getTime|time spent in get|-t
pri.get.time||time spent in get|-t
get.total|gto,getTotal|number of get ops|-n
pri.get.total||number of get ops|-n
get.exists_time|geti,getExistsTime|time spent in successful gets|-t
pri.get.exists_time||time spent in successful gets|-t
get.exists_total|geto,getExistsTotal|number of successful gets|-n
pri.get.exists_total||number of successful gets|-n
get.missing_time|gmti,getMissingTime|time spent in failed gets|-t
pri.get.missing_time||time spent in failed gets|-t
get.missing_total|gmto,getMissingTotal|number of failed gets|-n
pri.get.missing_total||number of failed gets|-n
indexing.delete_current|idc,indexingDeleteCurrent|number of current deletions|-n
pri.indexing.delete_current||number of current deletions|-n
indexing.delete_time|idti,indexingDeleteTime|time spent in deletions|-t
pri.indexing.delete_time||time spent in deletions|-t
indexing.delete_total|idto,indexingDeleteTotal|number of delete ops|-n
pri.indexing.delete_total||number of delete ops|-n
indexing.index_current|iic,indexingIndexCurrent|number of current indexing ops|-n
pri.indexing.index_current||number of current indexing ops|-n
indexing.index_time|iiti,indexingIndexTime|time spent in indexing|-t
pri.indexing.index_time||time spent in indexing|-t
indexing.index_total|iito,indexingIndexTotal|number of indexing ops|-n
pri.indexing.index_total||number of indexing ops|-n
indexing.index_failed|iif,indexingIndexFailed|number of failed indexing ops|-n
pri.indexing.index_failed||number of failed indexing ops|-n
merges.current|mc,mergesCurrent|number of current merges|-n
pri.merges.current||number of current merges|-n
merges.current_docs|mcd,mergesCurrentDocs|number of current merging docs|-n
pri.merges.current_docs||number of current merging docs|-n
merges.current_size|mcs,mergesCurrentSize|size of current merges|-b
pri.merges.current_size||size of current merges|-b
merges.total|mt,mergesTotal|number of completed merge ops|-n
pri.merges.total||number of completed merge ops|-n
merges.total_docs|mtd,mergesTotalDocs|docs merged|-n
pri.merges.total_docs||docs merged|-n
merges.total_size|mts,mergesTotalSize|size merged|-b
pri.merges.total_size||size merged|-b
merges.total_time|mtt,mergesTotalTime|time spent in merges|-t
pri.merges.total_time||time spent in merges|-t
merges.warmer.total_invocations|mswti,mergedSegmentWarmerTotalInvocations|total invocations of merged segment warmer|-n
pri.merges.warmer.total_invocations||total invocations of merged segment warmer|-n
merges.warmer.total_time|mswtt,mergedSegmentWarmerTotalTime|total wallclock time spent in the warming operation|-t
pri.merges.warmer.total_time||total wallclock time spent in the warming operation|-t
merges.warmer.ongoing_count|mswoc,mergedSegmentWarmerOngoingCount|point-in-time metric for number of in-progress warm operations|-n
pri.merges.warmer.ongoing_count||point-in-time metric for number of in-progress warm operations|-n
merges.warmer.total_bytes_received|mswtbr,mergedSegmentWarmerTotalBytesReceived|total bytes received by a replica shard during the warm operation|-b
pri.merges.warmer.total_bytes_received||total bytes received by a replica shard during the warm operation|-b
merges.warmer.total_bytes_sent|mswtbs,mergedSegmentWarmerTotalBytesSent|total bytes sent by a primary shard during the warm operation|-b
pri.merges.warmer.total_bytes_sent||total bytes sent by a primary shard during the warm operation|-b
merges.warmer.total_receive_time|mswtrt,mergedSegmentWarmerTotalReceiveTime|total wallclock time spent receiving merged segments by a replica shard|-t
pri.merges.warmer.total_receive_time||total wallclock time spent receiving merged segments by a replica shard|-t
merges.warmer.total_failure_count|mswtfc,mergedSegmentWarmerTotalFailureCount|total failures in merged segment warmer|-n
pri.merges.warmer.total_failure_count||total failures in merged segment warmer|-n
merges.warmer.total_send_time|mswtst,mergedSegmentWarmerTotalSendTime|total wallclock time spent sending merged segments by a primary shard|-t
pri.merges.warmer.total_send_time||total wallclock time spent sending merged segments by a primary shard|-t
refresh.total|rto,refreshTotal|total refreshes|-n
pri.refresh.total||total refreshes|-n
refresh.time|rti,refreshTime|time spent in refreshes|-t
pri.refresh.time||time spent in refreshes|-t
refresh.external_total|rto,refreshTotal|total external refreshes|-n
pri.refresh.external_total||total external refreshes|-n
refresh.external_time|rti,refreshTime|time spent in external refreshes|-t
pri.refresh.external_time||time spent in external refreshes|-t
refresh.listeners|rli,refreshListeners|number of pending refresh listeners|-n
pri.refresh.listeners||number of pending refresh listeners|-n
search.fetch_current|sfc,searchFetchCurrent|current fetch phase ops|-n
pri.search.fetch_current||current fetch phase ops|-n
search.fetch_time|sfti,searchFetchTime|time spent in fetch phase|-t
pri.search.fetch_time||time spent in fetch phase|-t
search.fetch_total|sfto,searchFetchTotal|total fetch ops|-n
pri.search.fetch_total||total fetch ops|-n
search.open_contexts|so,searchOpenContexts|open search contexts|-n
pri.search.open_contexts||open search contexts|-n
search.query_current|sqc,searchQueryCurrent|current query phase ops|-n
pri.search.query_current||current query phase ops|-n
search.query_time|sqti,searchQueryTime|time spent in query phase|-t
pri.search.query_time||time spent in query phase|-t
search.query_total|sqto,searchQueryTotal|total query phase ops|-n
pri.search.query_total||total query phase ops|-n
search.query_failed|sqf,searchQueryFailed|failed query phase ops|-n
pri.search.query_failed||failed query phase ops|-n
search.concurrent_query_current|scqc,searchConcurrentQueryCurrent|current concurrent query phase ops|-n
pri.search.concurrent_query_current||current concurrent query phase ops|-n
search.concurrent_query_time|scqti,searchConcurrentQueryTime|time spent in concurrent query phase|-t
pri.search.concurrent_query_time||time spent in concurrent query phase|-t
search.concurrent_query_total|scqto,searchConcurrentQueryTotal|total query phase ops|-n
pri.search.concurrent_query_total||total query phase ops|-n
search.concurrent_avg_slice_count|casc,searchConcurrentAvgSliceCount|average query concurrency|-n
pri.search.concurrent_avg_slice_count||average query concurrency|-n
search.startree_query_current|stqc,startreeQueryCurrent|current star tree query ops|-n
pri.search.startree.query_current||current star tree query ops|-n
search.startree_query_time|stqti,startreeQueryTime|time spent in star tree queries|-t
pri.search.startree.query_time||time spent in star tree queries|-t
search.startree_query_failed|stqf,startreeQueryFailed|failed star tree query phase ops|-n
pri.search.startree_query_failed||failed star tree query phase ops|-n
search.startree_query_total|stqto,startreeQueryCurrent|total star tree resolved queries|-n
pri.search.startree.query_total||total star tree resolved queries|-n
search.scroll_current|scc,searchScrollCurrent|open scroll contexts|-n
pri.search.scroll_current||open scroll contexts|-n
search.scroll_time|scti,searchScrollTime|time scroll contexts held open|-t
pri.search.scroll_time||time scroll contexts held open|-t
search.scroll_total|scto,searchScrollTotal|completed scroll contexts|-n
pri.search.scroll_total||completed scroll contexts|-n
search.point_in_time_current|scc,searchPointInTimeCurrent|open point in time contexts|-n
pri.search.point_in_time_current||open point in time contexts|-n
search.point_in_time_time|scti,searchPointInTimeTime|time point in time contexts held open|-t
pri.search.point_in_time_time||time point in time contexts held open|-t
search.point_in_time_total|scto,searchPointInTimeTotal|completed point in time contexts|-n
pri.search.point_in_time_total||completed point in time contexts|-n
segments.count|sc,segmentsCount|number of segments|-n
pri.segments.count||number of segments|-n
segments.memory|sm,segmentsMemory|memory used by segments|-b
pri.segments.memory||memory used by segments|-b
segments.index_writer_memory|siwm,segmentsIndexWriterMemory|memory used by index writer|-b
pri.segments.index_writer_memory||memory used by index writer|-b
segments.version_map_memory|svmm,segmentsVersionMapMemory|memory used by version map|-b
pri.segments.version_map_memory||memory used by version map|-b
segments.fixed_bitset_memory|sfbm,fixedBitsetMemory|memory used by fixed bit sets for nested object field types and type filters for types referred in _parent fields|-b
pri.segments.fixed_bitset_memory||memory used by fixed bit sets for nested object field types and type filters for types referred in _parent fields|-b
warmer.current|wc,warmerCurrent|current warmer ops|-n
pri.warmer.current||current warmer ops|-n
warmer.total|wto,warmerTotal|total warmer ops|-n
pri.warmer.total||total warmer ops|-n
warmer.total_time|wtt,warmerTotalTime|time spent in warmers|-t
pri.warmer.total_time||time spent in warmers|-t
suggest.current|suc,suggestCurrent|number of current suggest ops|-n
pri.suggest.current||number of current suggest ops|-n
suggest.time|suti,suggestTime|time spend in suggest|-t
pri.suggest.time||time spend in suggest|-t
suggest.total|suto,suggestTotal|number of suggest ops|-n
pri.suggest.total||number of suggest ops|-n
memory.total|tm,memoryTotal|total used memory|-b
pri.memory.total||total user memory|-b
search.throttled|sth|indicates if the index is search throttled|-
last_index_request_timestamp|last_index_ts,lastIndexRequestTimestamp|timestamp of the last processed index request (epoch millis)|-
last_index_request_timestamp_string|last_index_ts_string,lastIndexRequestTimestampString|timestamp of the last processed index request (ISO8601 string)|-
`)
