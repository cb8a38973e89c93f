/** Columns about searches that nodes, shards and indices have alike. */
export const searchColumns = `search.fetch_current|sfc,searchFetchCurrent|current fetch phase ops|-n
search.fetch_time|sfti,searchFetchTime|time spent in fetch phase|-t
search.fetch_total|sfto,searchFetchTotal|total fetch ops|-n
search.open_contexts|so,searchOpenContexts|open search contexts|-n
search.query_current|sqc,searchQueryCurrent|current query phase ops|-n
search.query_time|sqti,searchQueryTime|time spent in query phase|-t
search.query_total|sqto,searchQueryTotal|total query phase ops|-n`

export const concurrentSearchColumns = `search.concurrent_query_current|scqc,searchConcurrentQueryCurrent|current concurrent query phase ops|-n
search.concurrent_query_time|scqti,searchConcurrentQueryTime|time spent in concurrent query phase|-t
search.concurrent_query_total|scqto,searchConcurrentQueryTotal|total concurrent query phase ops|-n
search.concurrent_avg_slice_count|casc,searchConcurrentAvgSliceCount|average query concurrency|-n`

export const scrollColumns = `search.scroll_current|scc,searchScrollCurrent|open scroll contexts|-n
search.scroll_time|scti,searchScrollTime|time scroll contexts held open|-t
search.scroll_total|scto,searchScrollTotal|completed scroll contexts|-n`

/** Columns of nodes and indices; shards have other aliases. */
export const pointInTimeColumns = `search.point_in_time_current|scc,searchPointInTimeCurrent|open point in time contexts|-n
search.point_in_time_time|scti,searchPointInTimeTime|time point in time contexts held open|-t
search.point_in_time_total|scto,searchPointInTimeTotal|completed point in time contexts|-n`

/** Columns of nodes and shards. */
export const starTreeColumns = `search.startree_query_current|stqc,startreeQueryCurrent|current star tree query ops|-n
search.startree_query_time|stqti,startreeQueryTime|time spent in star tree queries|-t
search.startree_query_total|stqto,startreeQueryTotal|total star tree resolved queries|-n`
