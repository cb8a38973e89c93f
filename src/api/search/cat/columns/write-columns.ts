/** Counters of writes, gets, merges and refreshes, which nodes, shards and indices have alike. */
export const writeColumns = `flush.total|ft,flushTotal|number of flushes|-n
flush.total_time|ftt,flushTotalTime|time spent in flush|-t
get.current|gc,getCurrent|number of current get ops|-n
get.time|gti,getTime|time spent in get|-t
get.total|gto,getTotal|number of get ops|-n
get.exists_time|geti,getExistsTime|time spent in successful gets|-t
get.exists_total|geto,getExistsTotal|number of successful gets|-n
get.missing_time|gmti,getMissingTime|time spent in failed gets|-t
get.missing_total|gmto,getMissingTotal|number of failed gets|-n
indexing.delete_current|idc,indexingDeleteCurrent|number of current deletions|-n
indexing.delete_time|idti,indexingDeleteTime|time spent in deletions|-t
indexing.delete_total|idto,indexingDeleteTotal|number of delete ops|-n
indexing.index_current|iic,indexingIndexCurrent|number of current indexing ops|-n
indexing.index_time|iiti,indexingIndexTime|time spent in indexing|-t
indexing.index_total|iito,indexingIndexTotal|number of indexing ops|-n
indexing.index_failed|iif,indexingIndexFailed|number of failed indexing ops|-n
merges.current|mc,mergesCurrent|number of current merges|-n
merges.current_docs|mcd,mergesCurrentDocs|number of current merging docs|-n
merges.current_size|mcs,mergesCurrentSize|size of current merges|-b
merges.total|mt,mergesTotal|number of completed merge ops|-n
merges.total_docs|mtd,mergesTotalDocs|docs merged|-n
merges.total_size|mts,mergesTotalSize|size merged|-b
merges.total_time|mtt,mergesTotalTime|time spent in merges|-t
merges.warmer.total_invocations|mswti,mergedSegmentWarmerTotalInvocations|total invocations of merged segment warmer|-n
merges.warmer.total_time|mswtt,mergedSegmentWarmerTotalTime|total wallclock time spent in the warming operation|-t
merges.warmer.ongoing_count|mswoc,mergedSegmentWarmerOngoingCount|point-in-time metric for number of in-progress warm operations|-n
merges.warmer.total_bytes_received|mswtbr,mergedSegmentWarmerTotalBytesReceived|total bytes received by a replica shard during the warm operation|-b
merges.warmer.total_bytes_sent|mswtbs,mergedSegmentWarmerTotalBytesSent|total bytes sent by a primary shard during the warm operation|-b
merges.warmer.total_receive_time|mswtrt,mergedSegmentWarmerTotalReceiveTime|total wallclock time spent receiving merged segments by a replica shard|-t
merges.warmer.total_failure_count|mswtfc,mergedSegmentWarmerTotalFailureCount|total failures in merged segment warmer|-n
merges.warmer.total_send_time|mswtst,mergedSegmentWarmerTotalSendTime|total wallclock time spent sending merged segments by a primary shard|-t
refresh.total|rto,refreshTotal|total refreshes|-n
refresh.time|rti,refreshTime|time spent in refreshes|-t
refresh.external_total|rto,refreshTotal|total external refreshes|-n
refresh.external_time|rti,refreshTime|time spent in external refreshes|-t
refresh.listeners|rli,refreshListeners|number of pending refresh listeners|-n`
