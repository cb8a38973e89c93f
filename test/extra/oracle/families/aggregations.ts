/** Random aggregations: metrics, buckets, pipelines, and nestings of them. */
import type { Random } from '../random.ts'
import { broadQuery, leaf, type Query } from './queries.ts'
import { type Family, search } from './searches.ts'

const numbers = [
  'byte',
  'short',
  'int',
  'long',
  'float',
  'half',
  'double',
  'price',
  'obj.count',
  'tokens',
  'ulong',
]
const dates = ['date', 'day', 'nanos']
const keys = ['tag', 'code', 'obj.name', 'copied', 'fallback', 'alias_tag', 'title.raw', 'wild']
const any = [...numbers, ...dates, ...keys, 'flag', 'ip', 'missing_field']

const metrics: Record<string, (random: Random) => Query> = {
  simple: (random) => ({ [random.pick(['sum', 'avg', 'min', 'max', 'value_count', 'stats', 'extended_stats', 'median_absolute_deviation'])]: { field: random.pick([...numbers, 'date', 'flag', 'missing_field']), ...random.options(0.2, { missing: random.int(0, 9) }), ...random.options(0.1, { format: '0.00' }) } }),
  odd: (random) => ({ [random.pick(['sum', 'min', 'value_count', 'cardinality', 'stats'])]: { field: random.pick(any) } }),
  cardinality: (random) => ({ cardinality: { field: random.pick(any), ...random.options(0.3, { precision_threshold: random.pick([0, 3, 100]), missing: random.pick<unknown>([0, '1']) }) } }),
  percentiles: (random) => ({ percentiles: { field: random.pick(numbers), ...random.options(0.4, { percents: random.pick([[50], [1, 50, 99.9], [25, 75]]), keyed: false, missing: 1 }), ...random.options(0.3, random.pick<Query>([{ tdigest: { compression: 200 } }, { hdr: { number_of_significant_value_digits: 3 } }])) } }),
  percentile_ranks: (random) => ({ percentile_ranks: { field: random.pick([...numbers]), values: random.times(random.int(1, 3), () => random.int(-50, 300)), ...random.options(0.3, { keyed: false }) } }),
  geo_bounds: (random) => ({ geo_bounds: { field: 'place', ...random.options(0.4, { wrap_longitude: false }) } }),
  geo_centroid: () => ({ geo_centroid: { field: 'place' } }),
  weighted_avg: (random) => ({ weighted_avg: { value: { field: random.pick(numbers), ...random.options(0.3, { missing: 2 }) }, weight: { field: 'obj.count', ...random.options(0.5, { missing: 1 }) } } }),
  top_hits: (random) => ({ top_hits: { size: random.int(1, 3), _source: random.pick<unknown>([false, ['tag'], { includes: ['obj.*'] }]), sort: [{ price: 'desc' }, { _id: 'asc' }], ...random.options(0.2, { from: 1, docvalue_fields: ['int'], version: true, highlight: { fields: { title: {} } }, script_fields: { a: { script: '1' } }, seq_no_primary_term: true, explain: false }) } }),
  matrix_stats: () => ({ matrix_stats: { fields: ['price', 'double'] } }),
  scripted: (random) => ({ [random.pick(['sum', 'avg', 'max', 'value_count'])]: { script: { source: "doc['int'].size() == 0 ? 0 : doc['int'].value * params.f", params: { f: random.int(1, 3) } } } }),
  value_script: (random) => ({ [random.pick(['sum', 'avg', 'stats'])]: { field: random.pick(['int', 'price']), script: { source: '_value + 1' } } }),
  scripted_metric: () => ({ scripted_metric: { init_script: 'state.n = []', map_script: "if (doc['int'].size() > 0) state.n.add(doc['int'].value)", combine_script: 'long s = 0; for (n in state.n) { s += n } return s', reduce_script: 'long s = 0; for (a in states) { s += a } return s' } }),
} // biome-ignore format: a kind a line

function order(random: Random): Query {
  return random.options(0.3, {
    order: random.pick<unknown>([
      { _key: 'asc' },
      { _key: 'desc' },
      { _count: 'asc' },
      [{ _count: 'desc' }, { _key: 'asc' }],
    ]),
  })
}

const buckets: Record<string, (random: Random) => Query> = {
  terms: (random) => ({ terms: { field: random.pick(any), ...order(random), ...random.options(0.2, { size: random.int(1, 20), min_doc_count: random.int(0, 3), missing: random.pick<unknown>(['zzz', 0, 7]), shard_size: 50, show_term_doc_count_error: true, execution_hint: 'map', collect_mode: 'breadth_first' }) } }),
  terms_filter: (random) => ({ terms: random.pick<Query>([{ field: 'tag', include: 'r.*' }, { field: 'tag', exclude: ['red', 'blue'] }, { field: 'copied', include: { partition: 0, num_partitions: 3 } }, { field: 'int', include: [1, 2, 300] }, { field: 'code', include: '[a-e].*', exclude: 'e.*' }, { field: 'tag', min_doc_count: 0, size: 30 }, { field: 'flag', min_doc_count: 0 }, { field: 'int', format: '0000' }, { field: 'ip', include: ['10.0.0.1'] }, { field: 'date', format: 'yyyy' }, { script: "doc['tag'].size()" }, { field: 'tag', script: "_value + 'x'" }]) }),
  multi_terms: (random) => ({ multi_terms: { terms: random.some(['tag', 'code', 'obj.count', 'flag', 'byte', 'day'], 3).map((field) => ({ field, ...random.options(0.2, { missing: field === 'tag' ? 'none' : 0 }) })), ...order(random) } }),
  rare_terms: (random) => ({ rare_terms: { field: random.pick(['tag', 'copied', 'int', 'byte']), ...random.options(0.5, { max_doc_count: random.int(1, 30), exclude: ['red'] }) } }),
  significant_terms: (random) => ({ significant_terms: { field: random.pick(['tag', 'copied', 'code']), ...random.options(0.4, { min_doc_count: 1, size: 3, [random.pick(['jlh', 'chi_square', 'gnd', 'percentage', 'mutual_information'])]: {}, background_filter: { term: { flag: true } } }) } }),
  significant_text: (random) => ({ significant_text: { field: 'title', ...random.options(0.4, { min_doc_count: 2, size: 4, filter_duplicate_text: true }) } }),
  histogram: (random) => ({ histogram: { field: random.pick(['int', 'price', 'float', 'byte', 'half', 'short', 'ages']), interval: random.pick([50, 100, 33.3, 10]), ...order(random), ...random.options(0.2, { offset: random.pick([5, -7, 3.5]), min_doc_count: random.int(0, 2), keyed: true, missing: 0, extended_bounds: { min: -50, max: 200 }, hard_bounds: { min: 0, max: 150 }, format: '0.0' }) } }),
  date_histogram: (random) => ({ date_histogram: { field: random.pick(['date', 'day', 'nanos', 'span']), ...random.pick<Query>([{ calendar_interval: random.pick(['year', 'month', 'quarter', 'week', '1M', '1d', 'day']) }, { fixed_interval: random.pick(['30d', '90d', '1000h', '7d']) }]), min_doc_count: random.int(0, 2), ...order(random), ...random.options(0.2, { time_zone: random.pick(['+02:00', 'Europe/Berlin', 'America/New_York', '-03:30']), offset: random.pick(['+6h', '-1d', '+1h']), keyed: true, format: random.pick(['yyyy-MM', 'epoch_second', 'yyyy-MM-dd E']), missing: '2020-01-01', extended_bounds: { min: '2019-06-01', max: '2021-01-01' }, hard_bounds: { min: '2020-06-01', max: '2021-12-31' } }) } }),
  auto_date: (random) => ({ auto_date_histogram: { field: random.pick(['date', 'day']), buckets: random.pick([1, 3, 10, 50]), ...random.options(0.3, { format: 'yyyy-MM-dd', minimum_interval: 'month', time_zone: 'Europe/Berlin' }) } }),
  variable: (random) => ({ variable_width_histogram: { field: 'price', buckets: random.int(2, 5) } }),
  range: (random) => ({ range: { field: random.pick(['int', 'price', 'double', 'byte']), ranges: [{ to: 0 }, { from: 0, to: random.int(10, 90) }, { key: 'big', from: 50.5 }].slice(0, random.int(1, 3)), ...random.options(0.2, { keyed: true, missing: 3, format: '0.0' }) } }),
  date_range: (random) => ({ date_range: { field: random.pick(['date', 'day', 'nanos']), ranges: [{ to: '2020-12-31' }, { from: '2021-01-01', to: '2021-06-01||/M' }, { from: '2021||+1y', key: 'late' }].slice(0, random.int(1, 3)), ...random.options(0.2, { format: 'yyyy-MM-dd||yyyy', keyed: true, time_zone: '+01:00', missing: '2020-01-01' }) } }),
  ip_range: (random) => ({ ip_range: { field: 'ip', ranges: [{ mask: '10.0.0.0/8' }, { from: '192.168.0.0' }, { to: '10.0.0.2' }], ...random.options(0.3, { keyed: true }) } }),
  filter: (random) => ({ filter: leaf(random) }),
  filters: (random) => ({ filters: random.pick<Query>([{ filters: { a: leaf(random), b: leaf(random) }, ...random.options(0.3, { other_bucket: true, other_bucket_key: 'rest' }) }, { filters: [leaf(random), leaf(random)], ...random.options(0.3, { other_bucket: true }) }]) }),
  adjacency: (random) => ({ adjacency_matrix: { filters: { a: leaf(random, 'term_keyword'), b: leaf(random, 'range_number'), c: leaf(random, 'match') }, ...random.options(0.2, { separator: '|' }) } }),
  missing: (random) => ({ missing: { field: random.pick(any) } }),
  global: () => ({ global: {} }),
  sampler: (random) => random.pick<Query>([{ sampler: { shard_size: 20 } }, { diversified_sampler: { field: 'byte', shard_size: 20, max_docs_per_value: 1 } }]),
  geo_grid: (random) => random.pick<Query>([{ geohash_grid: { field: 'place', precision: random.pick<unknown>([1, 3, 5, '100km']) } }, { geotile_grid: { field: 'place', precision: random.int(0, 8), ...random.options(0.3, { size: 3, bounds: { top_left: [-10, 60], bottom_right: [20, 40] } }) } }]),
  geo_distance: (random) => ({ geo_distance: { field: 'place', origin: '52.5,13.4', unit: random.pick(['km', 'm', 'mi']), ranges: [{ to: 100 }, { from: 100, to: 2000 }, { from: 2000, key: 'far' }], ...random.options(0.3, { keyed: true, distance_type: 'plane' }) } }),
  nested: (random) => ({ nested: { path: 'comments' }, aggs: { in: random.pick<Query>([{ terms: { field: 'comments.author' }, aggs: { back: { reverse_nested: {}, aggs: { t: { terms: { field: 'tag' } } } } } }, { avg: { field: 'comments.stars' } }, { date_histogram: { field: 'comments.at', calendar_interval: 'year' } }, { top_hits: { size: 2, sort: [{ 'comments.stars': 'desc' }, '_doc'], _source: ['comments.author'] } }]) } }),
  composite: (random) => ({ composite: { sources: random.some<Query>([{ t: { terms: { field: 'tag', ...random.options(0.3, { missing_bucket: true, order: 'desc', missing_order: 'last' }) } } }, { h: { histogram: { field: 'price', interval: 25 } } }, { d: { date_histogram: { field: 'date', calendar_interval: 'year', ...random.options(0.3, { format: 'yyyy', order: 'desc', time_zone: '+01:00' }) } } }, { b: { terms: { field: 'flag' } } }, { i: { terms: { field: 'ip' } } }, { l: { terms: { field: 'long' } } }, { g: { geotile_grid: { field: 'place', precision: 3 } } }], 3), size: random.int(2, 8) } }),
  significant_none: () => ({ terms: { field: 'body' } }),
} // biome-ignore format: a kind a line

/** Metrics whose single number pipelines and orders can read. */
const single = (random: Random): Query =>
  random.pick<Query>([
    { avg: { field: 'price' } },
    { sum: { field: 'int' } },
    { max: { field: 'double' } },
    { cardinality: { field: 'tag' } },
    { value_count: { field: 'code' } },
    { min: { field: 'byte' } },
  ])

const parents: Record<string, (random: Random) => Query> = {
  derivative: (random) => ({ derivative: { buckets_path: random.pick(['m', '_count']), ...random.options(0.3, { unit: '1d', gap_policy: 'insert_zeros', format: '0.0' }) } }),
  cumulative_sum: (random) => ({ cumulative_sum: { buckets_path: random.pick(['m', '_count']), ...random.options(0.2, { format: '0.0' }) } }),
  moving_avg: (random) => ({ moving_avg: { buckets_path: 'm', window: 3, ...random.options(0.4, { model: random.pick(['simple', 'linear', 'ewma', 'holt']), predict: 2, gap_policy: 'insert_zeros' }) } }),
  moving_fn: (random) => ({ moving_fn: { buckets_path: 'm', window: random.int(1, 4), script: random.pick(['MovingFunctions.max(values)', 'MovingFunctions.unweightedAvg(values)', 'MovingFunctions.stdDev(values, MovingFunctions.unweightedAvg(values))', 'values.length', 'MovingFunctions.linearWeightedAvg(values)', 'MovingFunctions.ewma(values, 0.3)', 'MovingFunctions.sum(values)']), ...random.options(0.3, { shift: 1 }) } }),
  serial_diff: (random) => ({ serial_diff: { buckets_path: random.pick(['m', '_count']), lag: random.int(1, 3) } }),
  bucket_script: (random) => ({ bucket_script: { buckets_path: { a: 'm', n: '_count' }, script: random.pick(['params.a / params.n', 'params.a + params.n * 2', 'params.n > 3 ? 1 : 0']), ...random.options(0.3, { gap_policy: 'insert_zeros', format: '0.00' }) } }),
  bucket_selector: (random) => ({ bucket_selector: { buckets_path: { a: 'm', n: '_count' }, script: random.pick(['params.n > 5', 'params.a > 20', 'params.a != null && params.a > 0']) } }),
  bucket_sort: (random) => ({ bucket_sort: { ...random.options(0.6, { sort: [{ m: { order: random.pick(['asc', 'desc']) } }], size: 3, from: 1 }) } }),
} // biome-ignore format: a kind a line

const siblings = (random: Random): Query => {
  const path = random.pick(['h>m', 'h._count', 'h>_count', 'h>nope', 'h'])
  return random.pick<Query>([
    { avg_bucket: { buckets_path: path } },
    { sum_bucket: { buckets_path: path } },
    { max_bucket: { buckets_path: path } },
    { min_bucket: { buckets_path: path, gap_policy: 'insert_zeros' } },
    { stats_bucket: { buckets_path: path } },
    { extended_stats_bucket: { buckets_path: path, sigma: 1 } },
    { percentiles_bucket: { buckets_path: path, percents: [10, 50, 90] } },
    { avg_bucket: { buckets_path: path, format: '0.0' } },
  ])
}

export function bucket(random: Random): Query {
  return buckets[random.pick(Object.keys(buckets))]!(random)
}

export function metric(random: Random): Query {
  return metrics[random.pick(Object.keys(metrics))]!(random)
}

function aggregated(random: Random, aggs: Query): ReturnType<Family> {
  return search({ size: 0, query: broadQuery(random), aggs }, random.pick(['', '', '', '?typed_keys=true']))
}

/**
 * Buckets whose sub-aggregations OpenSearch gives documents of other buckets: `variable_width_histogram`, and
 * `rare_terms` below others.
 */
function isMixedUp(one: Query, isTop: boolean): boolean {
  return 'variable_width_histogram' in one || ('rare_terms' in one && !isTop)
}

/** `geo_bounds` of an empty bucket is an index out of bounds there. */
function innerMetric(random: Random): Query {
  for (;;) {
    const one = metric(random)
    if (!('geo_bounds' in one)) return one
  }
}

function nesting(random: Random, depth: number, isTop = true): Query {
  const one = bucket(random)
  if (depth === 0 || 'aggs' in one || isMixedUp(one, isTop)) return one
  return {
    ...one,
    aggs: {
      a: random.chance(0.5) ? innerMetric(random) : nesting(random, depth - 1, false),
      ...(random.chance(0.4) && { b: innerMetric(random) }),
    },
  }
}

export const aggregationFamilies: Record<string, Family> = {
  metric: (random) => aggregated(random, { m: metric(random), ...(random.chance(0.3) && { n: metric(random) }) }),
  bucket: (random) => aggregated(random, { b: bucket(random) }),
  nesting: (random) => aggregated(random, { b: nesting(random, 2) }),
  agg_order: (random) => aggregated(random, { b: { terms: { field: random.pick(keys), order: random.pick<Query>([{ m: 'asc' }, { m: 'desc' }, { 's.max': 'desc' }, { 'f>m': 'asc' }, { 'e.std_deviation': 'asc' }]), size: 5 }, aggs: { m: single(random), s: { stats: { field: 'price' } }, e: { extended_stats: { field: 'price' } }, f: { filter: { exists: { field: 'int' } }, aggs: { m: { avg: { field: 'int' } } } } } } }),
  pipeline: (random) => {
    const h = random.pick<Query>([{ histogram: { field: 'price', interval: 20, min_doc_count: random.int(0, 1) } }, { date_histogram: { field: 'date', calendar_interval: random.pick(['month', 'quarter', 'year']) } }, { histogram: { field: 'int', interval: 150 } }])
    const inside = { m: single(random), p: parents[random.pick(Object.keys(parents))]!(random), ...(random.chance(0.3) && { q: parents[random.pick(Object.keys(parents))]!(random) }) }
    return aggregated(random, { h: { ...h, aggs: inside }, ...(random.chance(0.5) && { sib: siblings(random) }) })
  },
} // biome-ignore format: a family a line
