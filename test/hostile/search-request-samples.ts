/** Requests that are right, one of each kind at least: what the fuzz of the search API begins with. */

/** The documents of the index `fuzz`. */
export const fuzzMapping = {
  properties: {
    text: { type: 'text', fielddata: true, fields: { raw: { type: 'keyword' } } },
    word: { type: 'keyword' },
    number: { type: 'long' },
    ratio: { type: 'double' },
    date: { type: 'date' },
    flag: { type: 'boolean' },
    ip: { type: 'ip' },
    place: { type: 'geo_point' },
    span: { type: 'integer_range' },
    rank: { type: 'rank_feature' },
    complete: { type: 'completion' },
    typed: { type: 'search_as_you_type' },
    flat: { type: 'flattened' },
    child: { type: 'nested', properties: { name: { type: 'keyword' }, size: { type: 'integer' } } },
    object: { properties: { inner: { type: 'text' } } },
  },
}

export const fuzzDocuments: readonly Record<string, unknown>[] = Array.from({ length: 20 }, (_, i) => ({
  text: `the quick brown fox ${i} jumps over it`,
  word: ['red', 'green', 'blue'][i % 3],
  number: i,
  ratio: i / 7,
  date: new Date(1_700_000_000_000 + i * 86_400_000).toISOString(),
  flag: i % 2 === 0,
  ip: `10.0.0.${i}`,
  place: { lat: i, lon: -i },
  span: { gte: i, lt: i + 5 },
  rank: i + 1,
  complete: { input: [`fox ${i}`], weight: i },
  typed: 'quick brown fox',
  flat: { a: { b: String(i) } },
  child: [
    { name: 'a', size: i },
    { name: 'b', size: 2 * i },
  ],
  object: { inner: 'words inside' },
}))

const leaf = { term: { word: 'red' } }
const span = { span_term: { text: 'fox' } }

export const queries: readonly unknown[] = [
  { match_all: { boost: 2 } },
  { match_none: {} },
  {
    match: { text: { query: 'quick fox', operator: 'and', fuzziness: 'AUTO', minimum_should_match: '75%' } },
  },
  { match_phrase: { text: { query: 'brown fox', slop: 2, analyzer: 'standard' } } },
  { match_phrase_prefix: { text: { query: 'brown f', max_expansions: 10 } } },
  { match_bool_prefix: { text: { query: 'brown f' } } },
  { multi_match: { query: 'fox', fields: ['text^2', 'obj*'], type: 'best_fields', tie_breaker: 0.3 } },
  { multi_match: { query: 'fox', fields: ['text', 'object.inner'], type: 'cross_fields' } },
  { combined_fields: { query: 'fox', fields: ['text', 'object.inner'] } },
  {
    query_string: {
      query: 'text:(fox OR "brown fox"~2) AND number:[1 TO 5] w?rd:r* /re.*/',
      fields: ['text'],
    },
  },
  { simple_query_string: { query: '"fox brown" +quick | -slow*', fields: ['text'], flags: 'ALL' } },
  { term: { word: { value: 'red', case_insensitive: true } } },
  { terms: { number: [1, 2, 3] } },
  { terms_set: { word: { terms: ['red', 'blue'], minimum_should_match_field: 'number' } } },
  { range: { date: { gte: 'now-1d/d', lt: '2030-01-01||+1M', time_zone: '+01:00', format: 'yyyy-MM-dd' } } },
  { range: { span: { gte: 1, lte: 5, relation: 'within' } } },
  { exists: { field: 'word' } },
  { prefix: { word: { value: 're', rewrite: 'constant_score' } } },
  { wildcard: { word: { value: 'r*d?', case_insensitive: true } } },
  { regexp: { word: { value: 'r[a-z]+|<1-10>', flags: 'ALL', max_determinized_states: 1000 } } },
  { fuzzy: { word: { value: 'rde', fuzziness: 1, prefix_length: 1, transpositions: false } } },
  { ids: { values: ['1', '2'] } },
  { bool: { must: [leaf], should: leaf, filter: [leaf], must_not: [leaf], minimum_should_match: 1 } },
  { boosting: { positive: leaf, negative: leaf, negative_boost: 0.5 } },
  { constant_score: { filter: leaf, boost: 1.2 } },
  { dis_max: { queries: [leaf, leaf], tie_breaker: 0.7 } },
  {
    function_score: {
      query: leaf,
      functions: [
        { filter: leaf, weight: 2 },
        { random_score: { seed: 1, field: 'number' } },
        { field_value_factor: { field: 'number', factor: 1.2, modifier: 'log1p', missing: 1 } },
        { gauss: { date: { origin: 'now', scale: '10d', offset: '1d', decay: 0.5 } } },
        { linear: { place: { origin: '1,2', scale: '10km' } } },
        { script_score: { script: { source: "doc['number'].value * params.a", params: { a: 2 } } } },
      ],
      score_mode: 'max',
      boost_mode: 'multiply',
      max_boost: 5,
      min_score: 0,
    },
  },
  {
    nested: {
      path: 'child',
      query: { term: { 'child.name': 'a' } },
      score_mode: 'avg',
      inner_hits: { size: 2 },
    },
  },
  { geo_distance: { distance: '200km', place: { lat: 1, lon: 2 } } },
  { geo_bounding_box: { place: { top_left: { lat: 10, lon: -10 }, bottom_right: { lat: 0, lon: 0 } } } },
  {
    geo_polygon: {
      place: {
        points: [
          [0, 0],
          [0, 5],
          [5, 5],
        ],
      },
    },
  },
  { more_like_this: { fields: ['text'], like: ['fox', { _id: '1' }], min_term_freq: 1, min_doc_freq: 1 } },
  { span_term: { text: { value: 'fox' } } },
  { span_near: { clauses: [span, span], slop: 2, in_order: false } },
  { span_or: { clauses: [span, span] } },
  { span_not: { include: span, exclude: span, dist: 1 } },
  { span_first: { match: span, end: 3 } },
  { span_containing: { little: span, big: span } },
  { span_within: { little: span, big: span } },
  { span_multi: { match: { prefix: { text: { value: 'fo' } } } } },
  { field_masking_span: { query: span, field: 'text' } },
  {
    intervals: {
      text: {
        all_of: {
          ordered: true,
          intervals: [
            {
              match: {
                query: 'quick fox',
                max_gaps: 3,
                filter: { not_containing: { match: { query: 'it' } } },
              },
            },
            { any_of: { intervals: [{ prefix: { prefix: 'ju' } }, { wildcard: { pattern: 'o*r' } }] } },
            { fuzzy: { term: 'fx' } },
          ],
        },
      },
    },
  },
  { distance_feature: { field: 'date', origin: 'now', pivot: '7d' } },
  { rank_feature: { field: 'rank', saturation: { pivot: 8 } } },
  { script: { script: { source: "doc['number'].value > params.n", params: { n: 1 } } } },
  { script_score: { query: leaf, script: { source: "_score + doc['ratio'].value" } } },
]

export const aggregations: readonly unknown[] = [
  {
    terms: {
      field: 'word',
      size: 5,
      order: [{ _count: 'desc' }, { _key: 'asc' }],
      include: 'r.*',
      missing: 'x',
    },
  },
  { rare_terms: { field: 'word', max_doc_count: 2 } },
  { multi_terms: { terms: [{ field: 'word' }, { field: 'number' }] } },
  { significant_terms: { field: 'word', background_filter: leaf, jlh: {} } },
  { significant_text: { field: 'text', filter_duplicate_text: true } },
  {
    histogram: {
      field: 'number',
      interval: 5,
      min_doc_count: 0,
      extended_bounds: { min: 0, max: 50 },
      offset: 1,
    },
  },
  {
    date_histogram: { field: 'date', calendar_interval: 'month', time_zone: 'Europe/Berlin', format: 'yyyy' },
  },
  { date_histogram: { field: 'date', fixed_interval: '12h', hard_bounds: { min: '2023', max: '2024' } } },
  { auto_date_histogram: { field: 'date', buckets: 5 } },
  { variable_width_histogram: { field: 'number', buckets: 3 } },
  { range: { field: 'number', keyed: true, ranges: [{ to: 5 }, { from: 5, to: 10, key: 'mid' }] } },
  { date_range: { field: 'date', ranges: [{ to: 'now-1y' }, { from: '2023-01-01' }] } },
  { ip_range: { field: 'ip', ranges: [{ mask: '10.0.0.0/24' }, { from: '10.0.0.1', to: '10.0.0.9' }] } },
  { filter: leaf },
  { filters: { filters: { a: leaf, b: { match_all: {} } }, other_bucket: true } },
  { adjacency_matrix: { filters: { a: leaf, b: { match_all: {} } } } },
  { global: {} },
  { missing: { field: 'word' } },
  { sampler: { shard_size: 5 } },
  { diversified_sampler: { field: 'word', shard_size: 5, max_docs_per_value: 2 } },
  { nested: { path: 'child' } },
  { reverse_nested: {} },
  { geo_distance: { field: 'place', origin: '1,1', unit: 'km', ranges: [{ to: 100 }, { from: 100 }] } },
  { geohash_grid: { field: 'place', precision: 3 } },
  { geotile_grid: { field: 'place', precision: 4 } },
  {
    composite: {
      size: 3,
      sources: [
        { w: { terms: { field: 'word' } } },
        { d: { date_histogram: { field: 'date', fixed_interval: '1d' } } },
      ],
      after: { w: 'red', d: 1 },
    },
  },
  { avg: { field: 'number', missing: 3 } },
  { sum: { field: 'ratio', script: '_value * 2' } },
  { min: { field: 'date' } },
  { max: { field: 'number' } },
  { stats: { field: 'number' } },
  { extended_stats: { field: 'number', sigma: 3 } },
  { value_count: { field: 'word' } },
  { cardinality: { field: 'word', precision_threshold: 100 } },
  { percentiles: { field: 'number', percents: [1, 50, 99], hdr: { number_of_significant_value_digits: 3 } } },
  { percentile_ranks: { field: 'number', values: [5, 10], tdigest: { compression: 100 } } },
  { median_absolute_deviation: { field: 'number' } },
  { weighted_avg: { value: { field: 'number' }, weight: { field: 'ratio', missing: 1 } } },
  { string_stats: { field: 'word', show_distribution: true } },
  { geo_bounds: { field: 'place' } },
  { geo_centroid: { field: 'place' } },
  {
    top_hits: { size: 2, sort: [{ number: 'desc' }], _source: ['word'], highlight: { fields: { text: {} } } },
  },
  {
    scripted_metric: {
      init_script: 'state.n = 0',
      map_script: 'state.n += 1',
      combine_script: 'return state.n',
      reduce_script: 'return states',
    },
  },
]

export const pipelines: readonly unknown[] = [
  { derivative: { buckets_path: 'inner', unit: 'day' } },
  { cumulative_sum: { buckets_path: '_count' } },
  { moving_avg: { buckets_path: 'inner', window: 3, model: 'simple' } },
  { moving_fn: { buckets_path: 'inner', window: 3, script: 'MovingFunctions.max(values)' } },
  { serial_diff: { buckets_path: 'inner', lag: 2 } },
  { bucket_script: { buckets_path: { a: 'inner' }, script: 'params.a * 2' } },
  { bucket_selector: { buckets_path: { a: 'inner' }, script: 'params.a > 2' } },
  { bucket_sort: { sort: [{ inner: 'desc' }], size: 2, from: 1 } },
  { normalize: { buckets_path: 'inner', method: 'percent_of_sum' } },
]

export const siblings: readonly unknown[] = [
  { avg_bucket: { buckets_path: 'outer>inner', gap_policy: 'insert_zeros' } },
  { percentiles_bucket: { buckets_path: 'outer>inner', percents: [10] } },
  { extended_stats_bucket: { buckets_path: 'outer>_count' } },
]

/** Bodies of searches but for their queries and aggregations. */
export const searches: readonly Record<string, unknown>[] = [
  {
    from: 1,
    size: 3,
    track_total_hits: 100,
    timeout: '1s',
    terminate_after: 5,
    min_score: 0.1,
    explain: true,
  },
  {
    sort: [
      { number: { order: 'desc', mode: 'max', missing: '_last', unmapped_type: 'long' } },
      '_score',
      '_doc',
    ],
  },
  { sort: [{ _geo_distance: { place: [1, 2], order: 'asc', unit: 'km', mode: 'min' } }] },
  { sort: [{ _script: { type: 'number', script: "doc['number'].value", order: 'asc' } }] },
  {
    sort: [
      { 'child.size': { order: 'asc', nested: { path: 'child', filter: { term: { 'child.name': 'a' } } } } },
    ],
  },
  { search_after: [5, 'x'], sort: ['number', 'word'] },
  {
    _source: { includes: ['t*', 'child.*'], excludes: ['*.size'] },
    version: true,
    seq_no_primary_term: true,
  },
  {
    fields: ['word', { field: 'date', format: 'epoch_millis' }],
    docvalue_fields: ['number', { field: 'date', format: 'yyyy' }],
  },
  { stored_fields: ['word'], script_fields: { a: { script: { source: "doc['number'].value + 1" } } } },
  {
    highlight: {
      pre_tags: ['<b>'],
      post_tags: ['</b>'],
      order: 'score',
      number_of_fragments: 2,
      fragment_size: 20,
      encoder: 'html',
      fields: {
        'te*': {
          type: 'unified',
          no_match_size: 5,
          highlight_query: { match: { text: 'fox' } },
          boundary_scanner: 'word',
        },
      },
    },
    query: { match: { text: 'fox' } },
  },
  { collapse: { field: 'word', inner_hits: { name: 'best', size: 2, sort: [{ number: 'asc' }] } } },
  {
    rescore: [
      {
        window_size: 5,
        query: { rescore_query: leaf, query_weight: 0.5, rescore_query_weight: 2, score_mode: 'max' },
      },
    ],
  },
  { post_filter: leaf, indices_boost: [{ fuzz: 1.5 }], profile: true, stats: ['a'] },
  { slice: { id: 0, max: 2 }, pit: { id: 'xyz', keep_alive: '1m' } },
  {
    suggest: { text: 'foxx', a: { term: { field: 'text', size: 2, suggest_mode: 'always', max_edits: 2 } } },
  },
  {
    suggest: {
      a: {
        text: 'quick browm',
        phrase: {
          field: 'text',
          max_errors: 2,
          direct_generator: [{ field: 'text', min_word_length: 1 }],
          highlight: { pre_tag: '<', post_tag: '>' },
          smoothing: { laplace: { alpha: 0.7 } },
        },
      },
    },
  },
  {
    suggest: {
      a: {
        prefix: 'fo',
        completion: { field: 'complete', fuzzy: { fuzziness: 1 }, size: 3, skip_duplicates: true },
      },
    },
  },
  { suggest: { a: { regex: 'f[aeiou]x', completion: { field: 'complete' } } } },
]
