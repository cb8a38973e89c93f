/**
 * What `GET _mapping/field/…?include_defaults=true` shows of parameters that a field does not set, by type, in the order
 * of OpenSearch 3.8. Types that are not here show the defaults of their parameters.
 */
import { JsonNumber } from '../../request/json-literals.ts'

type Defaults = Readonly<Record<string, unknown>>

const one = new JsonNumber('1.0')
const meta = {}
const stored: Defaults = { index: true, doc_values: true, store: false }
const analyzers: Defaults = {
  analyzer: 'default',
  search_analyzer: 'default',
  search_quote_analyzer: 'default',
}

const text: Defaults = {
  boost: one,
  index: true,
  store: false,
  meta,
  index_options: 'positions',
  term_vector: 'no',
  norms: true,
  ...analyzers,
  similarity: null,
  eager_global_ordinals: false,
  position_increment_gap: -1,
  fielddata: false,
  fielddata_frequency_filter: {
    min: new JsonNumber('0.0'),
    max: new JsonNumber('2.147483647E9'),
    min_segment_size: 0,
  },
  index_prefixes: null,
  index_phrases: false,
}
const number: Defaults = {
  ...stored,
  skip_list: false,
  ignore_malformed: false,
  coerce: true,
  null_value: null,
  meta,
}
const date: Defaults = {
  ...stored,
  skip_list: false,
  format: 'strict_date_optional_time||epoch_millis',
  print_format: 'strict_date_optional_time',
  locale: '',
  null_value: null,
  ignore_malformed: false,
  boost: one,
  meta,
}
const range: Defaults = { ...stored, coerce: true, boost: one, meta, ignore_malformed: false }
/** The sub-fields of `search_as_you_type`. */
export const subFieldDefaults: Defaults = { boost: one, index: true, doc_values: false, store: false, meta }

/** The fields of a join with the ids of parents. */
export const joinDefaults: Defaults = { boost: one, ...stored, meta }

export const parentJoinName = '_parent_join'

/** The metadata field that an index with a join has. */
export function parentJoinJson(withDefaults: boolean): Defaults {
  const json = { type: 'parent_join', index: false, doc_values: false }
  return withDefaults ? { ...json, boost: one, store: false, meta } : json
}

export const shownDefaults: ReadonlyMap<string, Defaults> = new Map<string, Defaults>([
  ['text', text],
  ['match_only_text', text],
  [
    'keyword',
    {
      ...stored,
      null_value: null,
      eager_global_ordinals: false,
      ignore_above: 2_147_483_647,
      index_options: 'docs',
      norms: false,
      similarity: null,
      use_similarity: false,
      normalizer: 'default',
      split_queries_on_whitespace: false,
      boost: one,
      meta,
    },
  ],
  [
    'wildcard',
    { null_value: null, ignore_above: 2_147_483_647, normalizer: 'default', doc_values: true, meta },
  ],
  ...[
    'long',
    'integer',
    'short',
    'byte',
    'unsigned_long',
    'double',
    'float',
    'half_float',
    'scaled_float',
  ].map((name): [string, Defaults] => [name, number]),
  ['date', date],
  ['date_nanos', date],
  ['boolean', { meta, boost: one, doc_values: true, index: true, null_value: null, store: false }],
  ['ip', { ...stored, ignore_malformed: false, null_value: null, meta }],
  [
    'geo_point',
    { boost: one, ...stored, meta, ignore_malformed: false, ignore_z_value: true, null_value: null },
  ],
  ['binary', { meta, store: false, doc_values: false }],
  ...['integer_range', 'long_range', 'float_range', 'double_range', 'ip_range'].map(
    (name): [string, Defaults] => [name, range],
  ),
  ['date_range', { ...range, format: 'strict_date_optional_time||epoch_millis', locale: '' }],
  [
    'completion',
    {
      analyzer: 'simple',
      search_analyzer: 'simple',
      preserve_separators: true,
      preserve_position_increments: true,
      max_input_length: 50,
      meta,
    },
  ],
  ['percolator', { meta }],
  ['rank_feature', { positive_score_impact: true, meta }],
  ['rank_features', { meta, positive_score_impact: true }],
  [
    'search_as_you_type',
    {
      index: true,
      store: false,
      doc_values: false,
      max_shingle_size: 3,
      ...analyzers,
      similarity: null,
      index_options: 'positions',
      norms: true,
      term_vector: 'no',
      meta,
    },
  ],
  ['token_count', { ...stored, null_value: null, enable_position_increments: true, meta, skip_list: false }],
  ['constant_keyword', {}],
  ['flat_object', { boost: one, ...stored, meta }],
  [
    'geo_shape',
    {
      boost: one,
      ...stored,
      meta,
      ignore_malformed: false,
      ignore_z_value: true,
      coerce: false,
      orientation: 'RIGHT',
    },
  ],
])
