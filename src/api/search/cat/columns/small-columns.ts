/** Columns of the smaller `_cat` tables. The columns and their words are those of OpenSearch's `help`. */
import { columns } from './columns.ts'

export const countColumns = columns(`
epoch|t,time|seconds since 1970-01-01 00:00:00|
timestamp|ts,hms,hhmmss|time in HH:MM:SS|
count|dc,docs.count,docsCount|the document count|
`)

export const healthColumns = columns(`
epoch|t,time|seconds since 1970-01-01 00:00:00|
timestamp|ts,hms,hhmmss|time in HH:MM:SS|
cluster|cl|cluster name|
status|st|health status|
node.total|nt,nodeTotal|total number of nodes|n
node.data|nd,nodeData|number of nodes that can store data|n
discovered_cluster_manager|dcm,dm,discovered_master|cluster manager is discovered or not|n
shards|t,sh,shards.total,shardsTotal|total number of shards|n
pri|p,shards.primary,shardsPrimary|number of primary shards|n
relo|r,shards.relocating,shardsRelocating|number of relocating nodes|n
init|i,shards.initializing,shardsInitializing|number of initializing nodes|n
unassign|u,shards.unassigned,shardsUnassigned|number of unassigned shards|n
pending_tasks|pt,pendingTasks|number of pending tasks|n
max_task_wait_time|mtwt,maxTaskWaitTime|wait time of longest task pending|n
active_shards_percent|asp,activeShardsPercent|active number of shards in percent|n
`)

export const aliasColumns = columns(`
alias|a|alias name|
index|i,idx|index alias points to|
filter|f,fi|filter|
routing.index|ri,routingIndex|index routing|
routing.search|rs,routingSearch|search routing|
is_write_index|w,isWriteIndex|write index|
`)

export const templateColumns = columns(`
name|n|template name|
index_patterns|t|template index patterns|
order|o,p|template application order/priority number|
version|v|version|
composed_of|c|component templates comprising index template|
`)

export const segmentColumns = columns(`
index|i,idx|index name|
shard|s,sh|shard name|
prirep|p,pr,primaryOrReplica|primary or replica|
ip||ip of node where it lives|
id||unique id of node where it lives|-
segment|seg|segment name|
generation|g,gen|segment generation|n
docs.count|dc,docsCount|number of docs in segment|n
docs.deleted|dd,docsDeleted|number of deleted docs in segment|n
size|si|segment size in bytes|n
size.memory|sm,sizeMemory|segment memory in bytes|n
committed|ic,isCommitted|is segment committed|
searchable|is,isSearchable|is segment searched|
version|v,ver|version|
compound|ico,isCompound|is segment compound|
`)

export const fielddataColumns = columns(`
id||node id|
host|h|host name|
ip||ip address|
node|n|node name|
field|f|field name|
size|s|field data usage|
`)

export const pluginColumns = columns(`
id||unique node id|-
name|n|node name|
component|c|component|
version|v|component version|
description|d|plugin details|-
`)

export const pendingTaskColumns = columns(`
insertOrder|o|task insertion order|n
timeInQueue|t|how long task has been in queue|n
priority|p|task priority|
source|s|task source|
`)

export const attributeColumns = columns(`
node|name|node name|
id|id,nodeId|unique node id|-
pid|p|process id|-
host|h|host name|
ip|i|ip address|
port|po|bound transport port|-
attr|attr.name|attribute description|
value|attr.value|attribute value|
`)

export const allocationColumns = columns(`
shards|s|number of shards on node|n
disk.indices|di,diskIndices|disk used by OpenSearch indices|n
disk.used|du,diskUsed|disk used (total, not just OpenSearch)|n
disk.avail|da,diskAvail|disk available|n
disk.total|dt,diskTotal|total capacity of all volumes|n
disk.percent|dp,diskPercent|percent disk used|n
host|h|host of node|
ip||ip of node|
node|n|name of node|
`)

export const recoveryColumns = columns(`
index|i,idx|index name|
shard|s,sh|shard name|
start_time|start|recovery start time|-
start_time_millis|start_millis|recovery start time in epoch milliseconds|-
stop_time|stop|recovery stop time|-
stop_time_millis|stop_millis|recovery stop time in epoch milliseconds|-
time|t,ti|recovery time|
type|ty|recovery type|
stage|st|recovery stage|
source_host|shost|source host|
source_node|snode|source node name|
target_host|thost|target host|
target_node|tnode|target node name|
repository|rep|repository|
snapshot|snap|snapshot|
files|f|number of files to recover|
files_recovered|fr|files recovered|
files_percent|fp|percent of files recovered|
files_total|tf|total number of files|
bytes|b|number of bytes to recover|
bytes_recovered|br|bytes recovered|
bytes_percent|bp|percent of bytes recovered|
bytes_total|tb|total number of bytes|
translog_ops|to|number of translog ops to recover|
translog_ops_recovered|tor|translog ops recovered|
translog_ops_percent|top|percent of translog ops recovered|
`)

export const threadPoolColumns = columns(`
node_name|nn|node name|
node_id|id|persistent node id|-
ephemeral_node_id|eid|ephemeral node id|-
pid|p|process id|-
host|h|host name|-
ip|i|ip address|-
port|po|bound transport port|-
name|n|thread pool name|
type|t|thread pool type|-
active|a|number of active threads|n
pool_size|psz|number of threads|-n
queue|q|number of tasks currently in queue|n
queue_size|qs|maximum number of tasks permitted in queue|-n
rejected|r|number of rejected tasks|n
largest|l|highest number of seen active threads|-n
completed|c|number of completed tasks|-n
total_wait_time|twt|total time tasks spent waiting in thread_pool queue|-
core|cr|core number of threads in a scaling thread pool|-
max|mx|maximum number of threads in a scaling thread pool|-
size|sz|number of threads in a fixed thread pool|-
keep_alive|ka|thread keep alive time|-
parallelism|pl|number of worker threads in a fork_join thread pool|-
`)

export const managerColumns = columns(`
id||node id|
host|h|host name|
ip||ip address |
node|n|node name|
`)

export const taskColumns = columns(`
id||id of the task with the node|-
action|ac|task action|
task_id|ti|unique task id|
parent_task_id|pti|parent task id|
type|ty|task type|
start_time|start|start time in ms|
timestamp|ts,hms,hhmmss|start time in HH:MM:SS|
running_time_ns|time|running time ns|-
running_time|time|running time|
node_id|ni|unique node id|-
ip|i|ip address|
port|po|bound transport port|-
node|n|node name|
version|v|es version|-
x_opaque_id|x|X-Opaque-ID header|-
`)

export const repositoryColumns = columns(`
id|id,repoId|unique repository id|
type|t,type|repository type|
`)

export const snapshotColumns = columns(`
id|id,snapshot|unique snapshot|
status|s,status|snapshot name|
start_epoch|ste,startEpoch|start time in seconds since 1970-01-01 00:00:00|
start_time|sti,startTime|start time in HH:MM:SS|
end_epoch|ete,endEpoch|end time in seconds since 1970-01-01 00:00:00|
end_time|eti,endTime|end time in HH:MM:SS|
duration|dur,duration|duration|n
indices|i,indices|number of indices|n
successful_shards|ss,successful_shards|number of successful shards|n
failed_shards|fs,failed_shards|number of failed shards|n
total_shards|ts,total_shards|number of total shards|n
reason|r,reason|reason for failures|-
`)

export const replicationColumns = columns(`
shardId|s| shard Id|
target_node|tnode|target node name|
target_host|thost|target host|
checkpoints_behind|cpb|checkpoints behind primary|
bytes_behind|bb|bytes behind primary|
current_lag|clag|ongoing time elapsed waiting for replica to catch up to primary|
last_completed_lag|lcl|time taken for replica to catch up to latest primary refresh|
rejected_requests|rr|count of rejected requests for the replication group|
`)
