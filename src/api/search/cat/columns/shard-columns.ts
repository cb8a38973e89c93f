/** Columns of `_cat/shards`. The columns and their words are those of OpenSearch's `help`. */

import { columns } from './columns.ts'
import { concurrentSearchColumns, scrollColumns, searchColumns, starTreeColumns } from './search-columns.ts'
import { segmentColumns, warmerColumns } from './shared-columns.ts'
import { writeColumns } from './write-columns.ts'

export const shardColumns = columns(`
index|i,idx|index name|
shard|s,sh|shard name|
prirep|p,pr,primaryOrReplica|primary or replica|
state|st|shard state|
docs|d,dc|number of docs in shard|n
store|sto|store size of shard (how much disk it uses)|b
ip||ip of node where it lives|
id||unique id of node where it lives|-
node|n|name of node where it lives|
sync_id|sync_id|sync id|-
unassigned.reason|ur|reason shard is unassigned|-
unassigned.at|ua|time shard became unassigned (UTC)|-
unassigned.for|uf|time has been unassigned|-
unassigned.details|ud|additional details as to why the shard became unassigned|-
recoverysource.type|rs|recovery source type|-
completion.size|cs,completionSize|size of completion|-b
fielddata.memory_size|fm,fielddataMemory|used fielddata cache|-b
fielddata.evictions|fe,fielddataEvictions|fielddata evictions|-n
query_cache.memory_size|qcm,queryCacheMemory|used query cache|-b
query_cache.evictions|qce,queryCacheEvictions|query cache evictions|-n
${writeColumns}
${searchColumns}
search.query_failed|sqf,searchQueryFailed|failed query phase ops|-n
${concurrentSearchColumns}
${starTreeColumns}
search.startree_query_failed|stqf,startreeQueryFailed|failed star tree query ops|-n
${scrollColumns}
search.point_in_time_current|spc,searchPointInTimeCurrent|open point in time contexts|-n
search.point_in_time_time|spti,searchPointInTimeTime|time point in time contexts held open|-t
search.point_in_time_total|spto,searchPointInTimeTotal|completed point in time contexts|-n
search.search_idle_reactivate_count_total|ssirct,searchSearchIdleReactivateCountTotal|number of times a shard reactivated|-n
${segmentColumns}
seq_no.max|sqm,maxSeqNo|max sequence number|-n
seq_no.local_checkpoint|sql,localCheckpoint|local checkpoint|-n
seq_no.global_checkpoint|sqg,globalCheckpoint|global checkpoint|-n
${warmerColumns}
path.data|pd,dataPath|shard data path|-
path.state|ps,statsPath|shard state path|-
docs.deleted|dd,docsDeleted|number of deleted docs in shard|-n
`)
