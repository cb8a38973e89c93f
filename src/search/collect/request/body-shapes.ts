/**
 * The shape of a search's body: which keys take scalars, objects or lists, and what is inside of those that
 * OpenSearch reads with object parsers. `section-checks.ts` checks a body with them, key by key in its order.
 */
import type { FieldType, ObjectShape } from '../../request/object-shape.ts'
import type { Reading } from '../../request/token-reads.ts'

/** Keys whose values are scalars; `own` is read by the key's reader. */
export const scalarKeys: ReadonlyMap<string, Reading | 'own'> = new Map<string, Reading | 'own'>([
  ['from', 'integer'],
  ['size', 'integer'],
  ['timeout', 'own'],
  ['terminate_after', 'integer'],
  ['min_score', 'number'],
  ['version', 'flag'],
  ['seq_no_primary_term', 'flag'],
  ['explain', 'flag'],
  ['track_scores', 'flag'],
  ['include_named_queries_score', 'flag'],
  ['track_total_hits', 'own'],
  ['_source', 'own'],
  ['stored_fields', 'own'],
  ['sort', 'own'],
  ['profile', 'flag'],
  ['search_pipeline', 'own'],
  ['verbose_pipeline', 'flag'],
])

export const objectKeys: ReadonlySet<string> = new Set(
  'query post_filter _source script_fields indices_boost aggs aggregations highlight suggest sort rescore ext slice collapse pit derived search_pipeline'.split(
    ' ',
  ),
)

export const listKeys: ReadonlySet<string> = new Set(
  'stored_fields docvalue_fields fields indices_boost sort rescore stats _source search_after'.split(' '),
)

/** Keys of Elasticsearch that OpenSearch has not; their readers say what is supported. */
export const foreignKeys: ReadonlySet<string> = new Set(['runtime_mappings', 'knn', 'retriever', 'rank'])

const highlighting: Readonly<Record<string, FieldType>> = {
  pre_tags: 'string array',
  post_tags: 'string array',
  order: 'string',
  highlight_filter: 'flag',
  fragment_size: 'integer',
  number_of_fragments: 'integer',
  require_field_match: 'flag',
  boundary_scanner: 'string',
  boundary_max_scan: 'integer',
  boundary_chars: 'string',
  boundary_scanner_locale: 'string',
  type: 'string',
  fragmenter: 'string',
  no_match_size: 'integer',
  force_source: 'flag',
  phrase_limit: 'integer',
  max_analyzer_offset: 'integer',
  max_analyzed_offset: 'integer',
  options: 'object',
  highlight_query: 'object',
}

export const highlightShape: ObjectShape = {
  parser: 'highlight',
  fields: { ...highlighting, tags_schema: 'string', encoder: 'string', fields: 'object array' },
}

export const highlightFieldShape: ObjectShape = {
  parser: 'highlight_field',
  fields: { ...highlighting, fragment_offset: 'integer', matched_fields: 'string array' },
}

export const rescoreShape: ObjectShape = {
  parser: 'query',
  fields: {
    rescore_query: 'object',
    query_weight: 'number',
    rescore_query_weight: 'number',
    score_mode: 'string',
  },
}

export const sliceShape: ObjectShape = {
  parser: 'slice',
  fields: { field: 'string', id: 'integer', max: 'integer' },
}

export const collapseShape: ObjectShape = {
  parser: 'collapse',
  fields: { field: 'string', max_concurrent_group_searches: 'integer', inner_hits: 'object array' },
}

export const pitShape: ObjectShape = { parser: 'pit', fields: { id: 'string', keep_alive: 'string' } }

/** An entry of `fields` or `docvalue_fields`; `include_unmapped` is Elasticsearch's. */
export const fieldAndFormatShape: ObjectShape = {
  parser: 'docvalues_field',
  fields: { field: 'string', format: 'string or null', include_unmapped: 'flag' },
}

const nestedSort: Readonly<Record<string, FieldType>> = {
  nested_path: 'string',
  nested_filter: 'object',
  nested: 'object',
}

/** `format` is Elasticsearch's. */
export const fieldSortShape: ObjectShape = {
  parser: 'field_sort',
  fields: {
    order: 'string',
    mode: 'string',
    missing: 'value',
    unmapped_type: 'string',
    numeric_type: 'string',
    format: 'string',
    ...nestedSort,
  },
}

export const scoreSortShape: ObjectShape = { parser: '_score', fields: { order: 'string' } }

export const scriptSortShape: ObjectShape = {
  parser: '_script',
  fields: { script: 'object or string', type: 'string', order: 'string', mode: 'string', ...nestedSort },
}
