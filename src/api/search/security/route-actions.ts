/**
 * The Elasticsearch action behind each route, and what it applies to: the cluster, the indices of the path,
 * or parts of the body that the route checks itself. Routes that are missing here are for superusers only; a
 * test keeps this table and the routes in step.
 */
import type { Route } from '../route.ts'

export type Target =
  | 'cluster'
  /** The index expression of the path or of `index`; wildcards are narrowed. */
  | 'indices'
  /** The index expression of `:name` in the path; wildcards are narrowed. */
  | 'named'
  /** One index that is written to, and created when it is missing. */
  | 'write'
  /** One index by its exact name. */
  | 'index'
  /** Parts of the body, each checked by its handler. */
  | 'parts'
  /** Any authenticated user. */
  | 'self'

export interface RouteAction {
  readonly action: string
  readonly target: Target
}

/** `METHODS PATH`: the first path of a route; `*` is any method. */
const table: Readonly<Record<string, readonly [target: Target, action: string]>> = {
  '* /': ['cluster', 'cluster:monitor/main'],
  '* /_license': ['cluster', 'cluster:monitor/xpack/license/get'],
  '* /_xpack': ['cluster', 'cluster:monitor/xpack/info'],
  '* /_ilm/policy': ['cluster', 'cluster:admin/ilm/get'],
  '* /_ilm/policy/:policy': ['cluster', 'cluster:admin/ilm/get'],
  '* /:index/_doc': ['write', 'indices:data/write/index'],
  'PUT /:index/_doc/:id': ['write', 'indices:data/write/index'],
  'POST /:index/_doc/:id': ['write', 'indices:data/write/index'],
  '* /:index/_create/:id': ['write', 'indices:data/write/index:op_type/create'],
  'GET /:index/_doc/:id': ['index', 'indices:data/read/get'],
  '* /:index/_source/:id': ['index', 'indices:data/read/get'],
  'DELETE /:index/_doc/:id': ['index', 'indices:data/write/delete'],
  '* /:index/_update/:id': ['write', 'indices:data/write/update'],
  '* /_bulk': ['parts', 'indices:data/write/bulk'],
  '* /_mget': ['parts', 'indices:data/read/mget'],
  '* /_search': ['indices', 'indices:data/read/search'],
  '* /_msearch': ['parts', 'indices:data/read/msearch'],
  '* /_count': ['indices', 'indices:data/read/search'],
  '* /_validate/query': ['indices', 'indices:admin/validate/query'],
  '* /:index/_explain/:id': ['indices', 'indices:data/read/explain'],
  '* /_search/template': ['indices', 'indices:data/read/search'],
  '* /_msearch/template': ['parts', 'indices:data/read/msearch'],
  '* /_render/template': ['cluster', 'cluster:admin/script/get'],
  '* /:index/_termvectors': ['parts', 'indices:data/read/tv'],
  '* /_mtermvectors': ['parts', 'indices:data/read/mtv'],
  '* /_search/scroll': ['parts', 'indices:data/read/scroll'],
  'DELETE /_search/scroll': ['parts', 'indices:data/read/scroll/clear'],
  '* /:index/_pit': ['indices', 'indices:data/read/open_point_in_time'],
  '* /_pit': ['parts', 'indices:data/read/close_point_in_time'],
  '* /:index/_search/point_in_time': ['indices', 'indices:data/read/open_point_in_time'],
  '* /_search/point_in_time': ['parts', 'indices:data/read/close_point_in_time'],
  'DELETE /_search/point_in_time/_all': ['cluster', 'cluster:admin/point_in_time/delete_all'],
  'GET /_search/point_in_time/_all': ['cluster', 'cluster:admin/point_in_time/read_all'],
  '* /_field_caps': ['indices', 'indices:data/read/field_caps'],
  '* /_analyze': ['parts', 'indices:admin/analyze'],
  '* /_search_shards': ['indices', 'indices:admin/shards/search_shards'],
  '* /_resolve/index/:name': ['named', 'indices:admin/resolve/index'],
  'PUT /:index': ['index', 'indices:admin/create'],
  'GET /:index': ['indices', 'indices:admin/get'],
  'DELETE /:index': ['indices', 'indices:admin/delete'],
  'DELETE /': ['indices', 'indices:admin/delete'],
  '* /:index/_open': ['indices', 'indices:admin/open'],
  '* /:index/_close': ['indices', 'indices:admin/close'],
  '* /:index/_block/:block': ['indices', 'indices:admin/block/add'],
  'GET /_settings': ['indices', 'indices:monitor/settings/get'],
  'PUT /_settings': ['indices', 'indices:admin/settings/update'],
  'GET /_mapping': ['indices', 'indices:admin/mappings/get'],
  'PUT /_mapping': ['indices', 'indices:admin/mapping/put'],
  'POST /_mapping': ['indices', 'indices:admin/mapping/put'],
  '* /_mapping/field/:fields': ['indices', 'indices:admin/mappings/fields/get'],
  '* /:index/_rollover': ['index', 'indices:admin/rollover'],
  '* /:index/_shrink/:target': ['index', 'indices:admin/resize'],
  'GET /_alias': ['indices', 'indices:admin/aliases/get'],
  'POST /_aliases': ['parts', 'indices:admin/aliases'],
  '* /:index/_alias/:name': ['parts', 'indices:admin/aliases'],
  'DELETE /:index/_alias/:name': ['indices', 'indices:admin/aliases'],
  'GET /_template': ['cluster', 'indices:admin/template/get'],
  '* /_template/:name': ['cluster', 'indices:admin/template/put'],
  'GET /_index_template': ['cluster', 'indices:admin/index_template/get'],
  '* /_index_template/:name': ['cluster', 'indices:admin/index_template/put'],
  '* /_index_template/_simulate_index/:name': ['cluster', 'indices:admin/index_template/simulate_index'],
  '* /_index_template/_simulate': ['cluster', 'indices:admin/index_template/simulate'],
  'GET /_component_template': ['cluster', 'cluster:admin/component_template/get'],
  '* /_component_template/:name': ['cluster', 'cluster:admin/component_template/put'],
  'DELETE /_template/:name': ['cluster', 'indices:admin/template/delete'],
  'DELETE /_index_template/:name': ['cluster', 'indices:admin/index_template/delete'],
  'DELETE /_component_template/:name': ['cluster', 'cluster:admin/component_template/delete'],
  '* /_data_stream': ['named', 'indices:admin/data_stream/get'],
  'PUT /_data_stream/:name': ['named', 'indices:admin/data_stream/create'],
  'DELETE /_data_stream/:name': ['named', 'indices:admin/data_stream/delete'],
  '* /_data_stream/_stats': ['named', 'indices:monitor/data_stream/stats'],
  '* /_refresh': ['indices', 'indices:admin/refresh'],
  '* /_flush': ['indices', 'indices:admin/flush'],
  '* /_flush/synced': ['indices', 'indices:admin/synced_flush'],
  '* /_forcemerge': ['indices', 'indices:admin/forcemerge'],
  '* /_cache/clear': ['indices', 'indices:admin/cache/clear'],
  '* /_stats': ['indices', 'indices:monitor/stats'],
  '* /_segments': ['indices', 'indices:monitor/segments'],
  '* /_recovery': ['indices', 'indices:monitor/recovery'],
  '* /_cluster/health': ['cluster', 'cluster:monitor/health'],
  '* /_shard_stores': ['indices', 'indices:monitor/shard_stores'],
  '* /_cluster/state': ['cluster', 'cluster:monitor/state'],
  'GET /_cluster/settings': ['cluster', 'cluster:monitor/settings'],
  'PUT /_cluster/settings': ['cluster', 'cluster:admin/settings/update'],
  '* /_cluster/stats': ['cluster', 'cluster:monitor/stats'],
  '* /_cluster/pending_tasks': ['cluster', 'cluster:monitor/task'],
  '* /_cluster/allocation/explain': ['cluster', 'cluster:monitor/allocation/explain'],
  '* /_cluster/reroute': ['cluster', 'cluster:admin/reroute'],
  '* /_remote/info': ['cluster', 'cluster:monitor/remote/info'],
  '* /_nodes': ['cluster', 'cluster:monitor/nodes/info'],
  '* /_nodes/stats': ['cluster', 'cluster:monitor/nodes/stats'],
  '* /_nodes/hot_threads': ['cluster', 'cluster:monitor/nodes/hot_threads'],
  '* /_nodes/usage': ['cluster', 'cluster:monitor/nodes/usage'],
  '* /_nodes/reload_secure_settings': ['cluster', 'cluster:admin/nodes/reload_secure_settings'],
  '* /_cat/indices': ['indices', 'indices:monitor/stats'],
  '* /_cat/count': ['indices', 'indices:data/read/search'],
  '* /_cat/aliases': ['indices', 'indices:admin/aliases/get'],
  '* /_cat/templates': ['cluster', 'indices:admin/template/get'],
  '* /_cat/segments': ['indices', 'indices:monitor/segments'],
  '* /_cat/recovery': ['indices', 'indices:monitor/recovery'],
  '* /_cat/shards': ['indices', 'indices:monitor/stats'],
  '* /_cat/segment_replication': ['indices', 'indices:monitor/segment_replication'],
  '* /_cat': ['self', ''],
  '* /_cat/health': ['cluster', 'cluster:monitor/health'],
  '* /_cat/nodes': ['cluster', 'cluster:monitor/nodes/stats'],
  '* /_cat/master': ['cluster', 'cluster:monitor/state'],
  '* /_cat/allocation': ['cluster', 'cluster:monitor/nodes/stats'],
  '* /_cat/tasks': ['cluster', 'cluster:monitor/tasks/lists'],
  '* /_cat/thread_pool': ['cluster', 'cluster:monitor/nodes/stats'],
  '* /_cat/plugins': ['cluster', 'cluster:monitor/nodes/info'],
  '* /_cat/nodeattrs': ['cluster', 'cluster:monitor/nodes/info'],
  '* /_cat/repositories': ['cluster', 'cluster:admin/repository/get'],
  '* /_cat/snapshots': ['cluster', 'cluster:admin/snapshot/get'],
  '* /_cat/pending_tasks': ['cluster', 'cluster:monitor/task'],
  '* /_cat/fielddata': ['cluster', 'cluster:monitor/nodes/stats'],
  '* /_tasks': ['cluster', 'cluster:monitor/tasks/lists'],
  '* /_tasks/:task': ['cluster', 'cluster:monitor/task/get'],
  '* /_tasks/_cancel': ['cluster', 'cluster:admin/tasks/cancel'],
  '* /:index/_update_by_query': ['indices', 'indices:data/write/update/byquery'],
  '* /:index/_delete_by_query': ['indices', 'indices:data/write/delete/byquery'],
  '* /_reindex': ['parts', 'indices:data/write/reindex'],
  '* /_reindex/:task/_rethrottle': ['cluster', 'cluster:admin/reindex/rethrottle'],
  'GET /_ingest/pipeline': ['cluster', 'cluster:admin/ingest/pipeline/get'],
  'PUT /_ingest/pipeline/:id': ['cluster', 'cluster:admin/ingest/pipeline/put'],
  'DELETE /_ingest/pipeline/:id': ['cluster', 'cluster:admin/ingest/pipeline/delete'],
  '* /_ingest/pipeline/_simulate': ['cluster', 'cluster:admin/ingest/pipeline/simulate'],
  'GET /_ingest/processor/grok': ['cluster', 'cluster:admin/ingest/processor/grok/get'],
  'GET /_script_context': ['cluster', 'cluster:admin/script_context/get'],
  'GET /_script_language': ['cluster', 'cluster:admin/script_language/get'],
  'GET /_scripts/:id': ['cluster', 'cluster:admin/script/get'],
  '* /_scripts/:id': ['cluster', 'cluster:admin/script/put'],
  'DELETE /_scripts/:id': ['cluster', 'cluster:admin/script/delete'],
  '* /_snapshot': ['cluster', 'cluster:admin/repository/get'],
  '* /_snapshot/:repository': ['cluster', 'cluster:admin/snapshot/get'],
}

/** Undefined for a route without an entry. */
export function routeAction(route: Route, method: string): RouteAction | undefined {
  const [path = ''] = route.paths
  const wanted = method === 'HEAD' ? 'GET' : method
  const row = rowOf(`${wanted} ${path}`) ?? rowOf(`* ${path}`)
  return row && { target: row[0], action: row[1] }
}

function rowOf(key: string): readonly [Target, string] | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
