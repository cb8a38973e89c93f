/** Columns of `_cat/nodes`. The columns and their words are those of OpenSearch's `help`. */

import { columns } from './columns.ts'
import {
  concurrentSearchColumns,
  pointInTimeColumns,
  scrollColumns,
  searchColumns,
  starTreeColumns,
} from './search-columns.ts'
import { segmentColumns, suggestColumns } from './shared-columns.ts'
import { writeColumns } from './write-columns.ts'

export const nodeColumns = columns(`
id|id,nodeId|unique node id|-
pid|p|process id|-
ip|i|ip address|
port|po|bound transport port|-
http_address|http|bound http address|-
version|v|os version|-
type|t|os distribution type|-
build|b|os build hash|-
jdk|j|jdk version|-
disk.total|dt,diskTotal|total disk space|-b
disk.used|du,diskUsed|used disk space|-b
disk.avail|d,da,disk,diskAvail|available disk space|-b
disk.used_percent|dup,diskUsedPercent|used disk space percentage|-n
heap.current|hc,heapCurrent|used heap|-b
heap.percent|hp,heapPercent|used heap ratio|n
heap.max|hm,heapMax|max configured heap|-b
ram.current|rc,ramCurrent|used machine memory|-b
ram.percent|rp,ramPercent|used machine memory ratio|n
ram.max|rm,ramMax|total machine memory|-b
file_desc.current|fdc,fileDescriptorCurrent|used file descriptors|-n
file_desc.percent|fdp,fileDescriptorPercent|used file descriptor ratio|-n
file_desc.max|fdm,fileDescriptorMax|max file descriptors|-n
cpu|cpu|recent cpu usage|n
load_1m|l|1m load avg|n
load_5m|l|5m load avg|n
load_15m|l|15m load avg|n
uptime|u|node uptime|-t
node.role|r,role,nodeRole|m:master eligible node, d:data node, i:ingest node, -:coordinating node only|
node.roles|rs,all roles| -:coordinating node only|
cluster_manager|cm,m,master|*:current cluster manager|
name|n|node name|
completion.size|cs,completionSize|size of completion|-b
fielddata.memory_size|fm,fielddataMemory|used fielddata cache|-b
fielddata.evictions|fe,fielddataEvictions|fielddata evictions|-n
query_cache.memory_size|qcm,queryCacheMemory|used query cache|-b
query_cache.evictions|qce,queryCacheEvictions|query cache evictions|-n
query_cache.hit_count|qchc,queryCacheHitCount|query cache hit counts|-n
query_cache.miss_count|qcmc,queryCacheMissCount|query cache miss counts|-n
request_cache.memory_size|rcm,requestCacheMemory|used request cache|-b
request_cache.evictions|rce,requestCacheEvictions|request cache evictions|-n
request_cache.hit_count|rchc,requestCacheHitCount|request cache hit counts|-n
request_cache.miss_count|rcmc,requestCacheMissCount|request cache miss counts|-n
${writeColumns}
script.compilations|scrcc,scriptCompilations|script compilations|-n
script.cache_evictions|scrce,scriptCacheEvictions|script cache evictions|-n
script.compilation_limit_triggered|scrclt,scriptCacheCompilationLimitTriggered|script cache compilation limit triggered|-n
${searchColumns}
search.query_failed|sqf,searchQueryFailed|total failed query phase ops|-n
${concurrentSearchColumns}
${scrollColumns}
${pointInTimeColumns}
${starTreeColumns}
search.startree_query_failed|stqf,startreeQueryFailed|star tree failed query ops|-n
${segmentColumns}
${suggestColumns}
`)
