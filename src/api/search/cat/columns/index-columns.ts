/**
 * Columns of `_cat/indices`. The columns and their words are those of OpenSearch's `help`. Most come twice, for all
 * copies of the shards and for the primaries alone.
 */
import { columns, withPrimaries } from './columns.ts'
import { pointInTimeColumns, scrollColumns, searchColumns } from './search-columns.ts'
import { segmentColumns, suggestColumns, warmerColumns } from './shared-columns.ts'
import { writeColumns } from './write-columns.ts'

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
${withPrimaries(`completion.size|cs,completionSize|size of completion|-b
fielddata.memory_size|fm,fielddataMemory|used fielddata cache|-b
fielddata.evictions|fe,fielddataEvictions|fielddata evictions|-n
query_cache.memory_size|qcm,queryCacheMemory|used query cache|-b
query_cache.evictions|qce,queryCacheEvictions|query cache evictions|-n
request_cache.memory_size|rcm,requestCacheMemory|used request cache|-b
request_cache.evictions|rce,requestCacheEvictions|request cache evictions|-n
request_cache.hit_count|rchc,requestCacheHitCount|request cache hit count|-n
request_cache.miss_count|rcmc,requestCacheMissCount|request cache miss count|-n
${writeColumns}
${searchColumns}
search.query_failed|sqf,searchQueryFailed|failed query phase ops|-n
search.concurrent_query_current|scqc,searchConcurrentQueryCurrent|current concurrent query phase ops|-n
search.concurrent_query_time|scqti,searchConcurrentQueryTime|time spent in concurrent query phase|-t
search.concurrent_query_total|scqto,searchConcurrentQueryTotal|total query phase ops|-n
search.concurrent_avg_slice_count|casc,searchConcurrentAvgSliceCount|average query concurrency|-n`)}
search.startree_query_current|stqc,startreeQueryCurrent|current star tree query ops|-n
pri.search.startree.query_current||current star tree query ops|-n
search.startree_query_time|stqti,startreeQueryTime|time spent in star tree queries|-t
pri.search.startree.query_time||time spent in star tree queries|-t
search.startree_query_failed|stqf,startreeQueryFailed|failed star tree query phase ops|-n
pri.search.startree_query_failed||failed star tree query phase ops|-n
search.startree_query_total|stqto,startreeQueryCurrent|total star tree resolved queries|-n
pri.search.startree.query_total||total star tree resolved queries|-n
${withPrimaries(`${scrollColumns}
${pointInTimeColumns}
${segmentColumns}
${warmerColumns}
${suggestColumns}`)}
memory.total|tm,memoryTotal|total used memory|-b
pri.memory.total||total user memory|-b
search.throttled|sth|indicates if the index is search throttled|-
last_index_request_timestamp|last_index_ts,lastIndexRequestTimestamp|timestamp of the last processed index request (epoch millis)|-
last_index_request_timestamp_string|last_index_ts_string,lastIndexRequestTimestampString|timestamp of the last processed index request (ISO8601 string)|-
`)
