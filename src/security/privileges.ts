/**
 * Which actions a privilege of Elasticsearch, or an action group of OpenSearch, stands for. The names that a refusal
 * lists are in the order of Elasticsearch: the privilege that is part of most others first.
 */
import { PatternSet } from './action-pattern.ts'

export interface Privilege {
  readonly name: string
  readonly actions: PatternSet
  /** Actions it does not stand for although the patterns match. */
  readonly except: PatternSet | undefined
}

type Table = Readonly<Record<string, string>>

const indexTable: Table = {
  none: '',
  all: 'indices:*',
  read: 'indices:data/read/*',
  read_cross_cluster: 'internal:transport/proxy/indices:data/read/* indices:admin/shards/search_shards',
  create: 'indices:data/write/index* indices:data/write/bulk*',
  create_doc:
    'indices:data/write/index indices:data/write/index[* indices:data/write/index:op_type/create indices:data/write/bulk*',
  index: 'indices:data/write/index* indices:data/write/bulk* indices:data/write/update*',
  delete: 'indices:data/write/delete* indices:data/write/bulk*',
  write: 'indices:data/write/* indices:admin/mapping/auto_put',
  monitor: 'indices:monitor/*',
  manage: 'indices:monitor/* indices:admin/* indices:data/read/field_caps*',
  create_index: 'indices:admin/create indices:admin/auto_create indices:admin/data_stream/create',
  delete_index: 'indices:admin/delete indices:admin/data_stream/delete',
  view_index_metadata:
    'indices:admin/aliases/get indices:admin/get indices:admin/mappings/fields/get* indices:admin/mappings/get ' +
    'indices:admin/shards/search_shards indices:admin/validate/query* indices:monitor/settings/get ' +
    'indices:admin/ilm/explain indices:admin/data_stream/get indices:admin/resolve/index indices:data/read/field_caps*',
  manage_follow_index:
    'indices:admin/xpack/ccr/put_follow indices:admin/xpack/ccr/unfollow indices:admin/close* ' +
    'indices:admin/data_stream/promote indices:admin/rollover',
  manage_leader_index: 'indices:admin/xpack/ccr/forget_follower*',
  manage_ilm: 'indices:admin/ilm/*',
  manage_data_stream_lifecycle: 'indices:admin/data_stream/lifecycle/*',
  maintenance:
    'indices:admin/refresh* indices:admin/flush* indices:admin/synced_flush indices:admin/forcemerge*',
  auto_configure: 'indices:admin/mapping/auto_put indices:admin/auto_create',
  cross_cluster_replication: 'indices:data/read/xpack/ccr/shard_changes*',
  cross_cluster_replication_internal: 'indices:internal/admin/ccr/restore/*',
}

const clusterTable: Table = {
  none: '',
  all: 'cluster:* indices:admin/template/* indices:admin/index_template/*',
  manage: 'cluster:* indices:admin/template/* indices:admin/index_template/*',
  monitor:
    'cluster:monitor/* indices:admin/template/get cluster:admin/component_template/get indices:admin/index_template/get',
  cancel_task: 'cluster:admin/tasks/cancel*',
  create_snapshot:
    'cluster:admin/snapshot/create cluster:admin/snapshot/status* cluster:admin/snapshot/get cluster:admin/repository/get',
  cross_cluster_replication: 'cluster:internal/remote_cluster/*',
  cross_cluster_search: 'cluster:internal/remote_cluster/handshake cluster:internal/remote_cluster/nodes',
  delegate_pki: 'cluster:admin/xpack/security/delegate_pki cluster:admin/xpack/security/token/invalidate',
  grant_api_key: 'cluster:admin/xpack/security/api_key/grant*',
  manage_api_key: 'cluster:admin/xpack/security/api_key/*',
  manage_autoscaling: 'cluster:admin/autoscaling/*',
  manage_behavioral_analytics: 'cluster:admin/xpack/application/analytics/*',
  manage_ccr: 'cluster:admin/xpack/ccr/*',
  manage_connector: 'cluster:admin/xpack/connector/*',
  manage_data_frame_transforms:
    'cluster:admin/data_frame/* cluster:monitor/data_frame/* cluster:monitor/transform/* cluster:admin/transform/*',
  manage_data_stream_global_retention: 'cluster:admin/data_stream/global_retention/*',
  manage_enrich: 'cluster:admin/xpack/enrich/*',
  manage_ilm: 'cluster:admin/ilm/*',
  manage_index_templates:
    'indices:admin/template/* indices:admin/index_template/* cluster:admin/component_template/*',
  manage_inference: 'cluster:admin/xpack/inference/* cluster:monitor/xpack/inference*',
  manage_ingest_pipelines: 'cluster:admin/ingest/pipeline/*',
  manage_logstash_pipelines: 'cluster:admin/logstash/pipeline/*',
  manage_ml: 'cluster:admin/xpack/ml/* cluster:monitor/xpack/ml/*',
  manage_oidc: 'cluster:admin/xpack/security/oidc/*',
  manage_own_api_key:
    'cluster:admin/xpack/security/api_key/create cluster:admin/xpack/security/api_key/get#own ' +
    'cluster:admin/xpack/security/api_key/invalidate#own',
  manage_pipeline: 'cluster:admin/ingest/pipeline/*',
  manage_rollup: 'cluster:admin/xpack/rollup/* cluster:monitor/xpack/rollup/*',
  manage_saml: 'cluster:admin/xpack/security/saml/*',
  manage_search_application: 'cluster:admin/xpack/application/search_application/*',
  manage_search_query_rules: 'cluster:admin/xpack/query_rules/*',
  manage_search_synonyms: 'cluster:admin/synonyms/*',
  manage_security: 'cluster:admin/xpack/security/*',
  manage_service_account: 'cluster:admin/xpack/security/service_account/*',
  manage_slm: 'cluster:admin/slm/* cluster:admin/ilm/operation_mode/get',
  manage_token: 'cluster:admin/xpack/security/token/*',
  manage_transform:
    'cluster:admin/data_frame/* cluster:monitor/data_frame/* cluster:monitor/transform/* cluster:admin/transform/*',
  manage_user_profile: 'cluster:admin/xpack/security/profile/*',
  manage_watcher: 'cluster:admin/xpack/watcher/* cluster:monitor/xpack/watcher/*',
  monitor_connector: 'cluster:monitor/xpack/connector/*',
  monitor_data_frame_transforms: 'cluster:monitor/data_frame/* cluster:monitor/transform/*',
  monitor_enrich: 'cluster:monitor/xpack/enrich/*',
  monitor_inference: 'cluster:monitor/xpack/inference*',
  monitor_ml: 'cluster:monitor/xpack/ml/*',
  monitor_rollup: 'cluster:monitor/xpack/rollup/*',
  monitor_snapshot: 'cluster:admin/snapshot/status* cluster:admin/snapshot/get cluster:admin/repository/get',
  monitor_text_structure: 'cluster:monitor/text_structure/*',
  monitor_transform: 'cluster:monitor/data_frame/* cluster:monitor/transform/*',
  monitor_watcher: 'cluster:monitor/xpack/watcher/*',
  post_behavioral_analytics_event: 'cluster:admin/xpack/application/analytics/post_event',
  read_ccr: 'cluster:monitor/state',
  read_connector_secrets: 'cluster:admin/xpack/connector/secret/get',
  read_fleet_secrets: 'cluster:admin/fleet/secrets/get',
  read_ilm: 'cluster:admin/ilm/get cluster:admin/ilm/operation_mode/get',
  read_pipeline: 'cluster:admin/ingest/pipeline/get cluster:admin/ingest/pipeline/simulate',
  read_security:
    'cluster:admin/xpack/security/api_key/get cluster:admin/xpack/security/api_key/query ' +
    'cluster:admin/xpack/security/privilege/builtin/get cluster:admin/xpack/security/privilege/get ' +
    'cluster:admin/xpack/security/role/get cluster:admin/xpack/security/role_mapping/get ' +
    'cluster:admin/xpack/security/user/get cluster:admin/xpack/security/user/list_privileges ' +
    'cluster:admin/xpack/security/user/has_privileges',
  read_slm: 'cluster:admin/slm/get cluster:admin/ilm/operation_mode/get',
  transport_client: 'cluster:monitor/nodes/liveness cluster:monitor/state',
  write_connector_secrets: 'cluster:admin/xpack/connector/secret/*',
  write_fleet_secrets: 'cluster:admin/fleet/secrets/*',
}

/** `manage` is everything but the security of the cluster. */
const clusterExceptions: Table = { manage: 'cluster:admin/xpack/security/*' }

/** Action groups of OpenSearch, where they are called otherwise than privileges. */
const groupTable: Table = {
  unlimited: '*',
  indices_all: 'indices:*',
  crud: 'indices:data/read/* indices:data/write/* indices:admin/mapping/put',
  data_access: 'indices:data/* indices:admin/mapping/put',
  get: 'indices:data/read/get* indices:data/read/mget*',
  search: 'indices:data/read/search* indices:data/read/msearch* indices:data/read/suggest*',
  suggest: 'indices:data/read/suggest*',
  indices_monitor: 'indices:monitor/*',
  manage_aliases: 'indices:admin/aliases*',
  cluster_all: 'cluster:* indices:admin/template/* indices:admin/index_template/*',
  cluster_monitor: 'cluster:monitor/*',
  cluster_composite_ops_ro: 'indices:data/read/mget indices:data/read/msearch indices:data/read/scroll',
  cluster_composite_ops: 'indices:data/write/bulk indices:data/read/mget indices:data/read/msearch',
  manage_snapshots: 'cluster:admin/snapshot/* cluster:admin/repository/*',
  cluster_manage_pipelines: 'cluster:admin/ingest/pipeline/*',
  cluster_manage_index_templates: 'indices:admin/template/* indices:admin/index_template/*',
}

function patternsOf(text: string): string[] {
  return text === '' ? [] : text.split(' ')
}

function tableOf(table: Table, exceptions: Table = {}): ReadonlyMap<string, Privilege> {
  const all = Object.entries(table).map(([name, text]): Privilege => {
    const except = Object.hasOwn(exceptions, name) ? new PatternSet(patternsOf(exceptions[name]!)) : undefined
    return { name, actions: new PatternSet(patternsOf(text)), except }
  })
  const isPart = (one: Privilege, other: Privilege) =>
    one !== other &&
    other.actions.covers(one.actions.patterns) &&
    !one.actions.patterns.some((pattern) => other.except?.matches(pattern)) &&
    (other.except === undefined || one.except !== undefined || !one.actions.covers(other.except.patterns))
  const timesPart = new Map(all.map((one) => [one, all.filter((other) => isPart(one, other)).length]))
  all.sort((a, b) => timesPart.get(b)! - timesPart.get(a)! || (a.name < b.name ? -1 : 1))
  return new Map(all.map((one) => [one.name, one]))
}

export const indexPrivileges = tableOf(indexTable)
export const clusterPrivileges = tableOf(clusterTable, clusterExceptions)
const groups = tableOf(groupTable)

/** Undefined for a name that is neither a privilege, nor an action group, nor an action. */
export function indexPrivilege(name: string): Privilege | undefined {
  return indexPrivileges.get(name.toLowerCase()) ?? ofActions(name, /^indices:|^internal:transport\/proxy\//)
}

export function clusterPrivilege(name: string): Privilege | undefined {
  return clusterPrivileges.get(name.toLowerCase()) ?? ofActions(name, /^cluster:|^indices:/)
}

function ofActions(name: string, form: RegExp): Privilege | undefined {
  const group = groups.get(name.toLowerCase())
  if (group !== undefined) return group
  if (name !== '*' && !form.test(name)) return undefined
  // As in Elasticsearch, an action stands for its parts on shards as well.
  const patterns = name.endsWith('*') ? [name] : [name, `${name}[*`]
  return { name, actions: new PatternSet(patterns), except: undefined }
}

export function grants({ actions, except }: Privilege, action: string): boolean {
  return actions.matches(action) && !(except?.matches(action) ?? false)
}

export function indexPrivilegesFor(action: string): string[] {
  return namesThatGrant(indexPrivileges, action)
}

export function clusterPrivilegesFor(action: string): string[] {
  return namesThatGrant(clusterPrivileges, action)
}

function namesThatGrant(privileges: ReadonlyMap<string, Privilege>, action: string): string[] {
  return [...privileges.values()].filter((one) => grants(one, action)).map(({ name }) => name)
}
