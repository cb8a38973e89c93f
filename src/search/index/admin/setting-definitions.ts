/**
 * The index settings: valid values and when they may change. `final` never changes, `static` only while the index is
 * closed, `dynamic` always. Groups end in a dot and accept any name below them.
 */
type SettingScope = 'final' | 'static' | 'dynamic'

export type SettingKind =
  | 'text'
  | 'boolean'
  | 'time'
  | 'bytes'
  | { readonly min: number; readonly max?: number }
  | { readonly oneOf: readonly string[] }
  | 'decimal'

interface SettingDefinition {
  readonly kind: SettingKind
  readonly scope: SettingScope
  readonly standard?: string
}

const positive = { min: 1 }
const natural = { min: 0 }

function dynamic(kind: SettingKind, standard?: string): SettingDefinition {
  return standard === undefined ? { kind, scope: 'dynamic' } : { kind, scope: 'dynamic', standard }
}

function fixed(kind: SettingKind, standard?: string): SettingDefinition {
  return standard === undefined ? { kind, scope: 'static' } : { kind, scope: 'static', standard }
}

function final(kind: SettingKind, standard?: string): SettingDefinition {
  return standard === undefined ? { kind, scope: 'final' } : { kind, scope: 'final', standard }
}

export const settingDefinitions: ReadonlyMap<string, SettingDefinition> = new Map(
  Object.entries({
    'index.number_of_shards': final({ min: 1, max: 1024 }, '1'),
    'index.number_of_routing_shards': final({ min: 1, max: 1024 }),
    'index.routing_partition_size': final(positive, '1'),
    'index.number_of_replicas': dynamic(natural, '1'),
    'index.auto_expand_replicas': dynamic('text', 'false'),
    'index.refresh_interval': dynamic('time', '1s'),
    'index.max_result_window': dynamic(positive, '10000'),
    'index.max_inner_result_window': dynamic(positive, '100'),
    'index.max_rescore_window': dynamic(positive, '10000'),
    'index.max_docvalue_fields_search': dynamic(natural, '100'),
    'index.max_script_fields': dynamic(natural, '32'),
    'index.max_terms_count': dynamic(positive, '65536'),
    'index.max_regex_length': dynamic(positive, '1000'),
    'index.max_slices_per_scroll': dynamic(positive, '1024'),
    'index.max_slices_per_pit': dynamic(positive, '1024'),
    'index.max_ngram_diff': dynamic(natural, '1'),
    'index.max_shingle_diff': dynamic(natural, '3'),
    'index.max_adjacency_matrix_filters': dynamic({ min: 2 }, '100'),
    'index.max_refresh_listeners': dynamic(natural, '1000'),
    'index.highlight.max_analyzed_offset': dynamic(positive, '1000000'),
    'index.analyze.max_token_count': dynamic(positive, '10000'),
    'index.hidden': dynamic('boolean', 'false'),
    'index.priority': dynamic(natural, '1'),
    'index.codec': fixed('text', 'default'),
    'index.codec.': fixed('text'),
    'index.default_pipeline': dynamic('text', '_none'),
    'index.final_pipeline': dynamic('text', '_none'),
    'index.gc_deletes': dynamic('time', '60s'),
    'index.search.idle.after': dynamic('time', '30s'),
    'index.search.': dynamic('text'),
    'index.indexing.': dynamic('text'),
    'index.query.default_field': dynamic('text', '*'),
    'index.query.parse.allow_unmapped_fields': fixed('boolean', 'true'),
    'index.query.': dynamic('text'),
    'index.query_string.lenient': fixed('boolean', 'false'),
    'index.mapping.total_fields.limit': dynamic(natural, '1000'),
    'index.mapping.total_fields.ignore_dynamic_beyond_limit': dynamic('boolean', 'false'),
    'index.mapping.depth.limit': dynamic(positive, '20'),
    'index.mapping.nested_fields.limit': dynamic(natural, '50'),
    'index.mapping.nested_objects.limit': dynamic(natural, '10000'),
    'index.mapping.field_name_length.limit': dynamic(positive, '9223372036854775807'),
    'index.mapping.dimension_fields.limit': dynamic(natural),
    'index.mapping.ignore_malformed': fixed('boolean', 'false'),
    'index.mapping.coerce': fixed('boolean', 'true'),
    'index.mapping.single_type': fixed('boolean'),
    'index.mapping.': dynamic('text'),
    'index.mapper.dynamic': dynamic('boolean'),
    'index.translog.durability': dynamic({ oneOf: ['REQUEST', 'ASYNC'] }, 'REQUEST'),
    'index.translog.sync_interval': dynamic('time', '5s'),
    'index.translog.flush_threshold_size': dynamic('bytes', '512mb'),
    'index.translog.': dynamic('text'),
    'index.blocks.read_only': dynamic('boolean', 'false'),
    'index.blocks.read': dynamic('boolean', 'false'),
    'index.blocks.write': dynamic('boolean', 'false'),
    'index.blocks.metadata': dynamic('boolean', 'false'),
    'index.blocks.read_only_allow_delete': dynamic('boolean', 'false'),
    'index.requests.cache.enable': dynamic('boolean', 'true'),
    'index.load_fixed_bitset_filters_eagerly': fixed('boolean', 'true'),
    'index.format': fixed(natural, '0'),
    'index.shard.check_on_startup': fixed('text', 'false'),
    'index.soft_deletes.enabled': final('boolean', 'true'),
    'index.soft_deletes.': dynamic('text'),
    'index.data_path': fixed('text'),
    'index.mode': final('text'),
    'index.resize.': fixed('text'),
    'index.verified_before_close': dynamic('boolean', 'false'),
    'index.write.wait_for_active_shards': dynamic('text', '1'),
    'index.fielddata.cache': fixed('text', 'node'),
    'index.unassigned.node_left.delayed_timeout': dynamic('time', '1m'),
    'index.version.created': final('text'),
    'index.version.': fixed('text'),
    'index.provided_name': final('text'),
    'index.uuid': final('text'),
    'index.creation_date': final('text'),
    'index.analysis.': fixed('text'),
    'index.similarity.': fixed('text'),
    'index.sort.': final('text'),
    'index.store.': fixed('text'),
    'index.routing.': dynamic('text'),
    'index.allocation.': dynamic('text'),
    'index.recovery.': dynamic('text'),
    'index.merge.': dynamic('text'),
    'index.lifecycle.': dynamic('text'),
    'index.plugins.': dynamic('text'),
    'index.opendistro.': dynamic('text'),
    'index.replication.': final('text'),
    'index.remote_store.': final('text'),
    'index.knn': fixed('text'),
    'index.knn.': dynamic('text'),
    'index.composite_index': final('text'),
    'index.composite_index.': final('text'),
    'index.optimize_doc_id_lookup.': fixed('text'),
    'index.append_only.': final('text'),
    'index.derived_source.': final('text'),
    'index.context.': fixed('text'),
    'index.star_tree.': dynamic('text'),
    'index.time_series.': dynamic('text'),
    'index.look_ahead_time': dynamic('text'),
    'index.warmer.enabled': dynamic('boolean', 'true'),
    'index.ttl.disable_purge': dynamic('boolean'),
    'index.check_pending_flush.': dynamic('text'),
    'index.force_memory_term_dictionary': fixed('text'),
    'index.use_compound_file': dynamic('text'),
  }),
)

/** Returns the definition of a setting, or that of its group. */
export function definitionOf(name: string): SettingDefinition | undefined {
  const exact = settingDefinitions.get(name)
  if (exact !== undefined) return exact
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const group = settingDefinitions.get(name.slice(0, dot + 1))
    if (group !== undefined) return group
  }
  return undefined
}
