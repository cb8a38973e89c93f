/**
 * Interleaved searches, as in a store with many clients: whatever two of them decode of the same segments at the
 * same time, each answers as if it ran alone.
 */
import { expect, it } from 'vitest'
import { aggregations } from '../aggs/aggregate.ts'
import { type SearchContext, type SearchPage, searchPage, searchSteps } from '../collect/execute-search.ts'
import { parseSearchRequest } from '../collect/request/parse-request.ts'
import { SearchCache } from '../collect/search-cache.ts'
import type { SearchIndex } from '../collect/search-index.ts'
import { testIndex } from '../collect/test-search.ts'
import { FilterCache } from '../query/exec/filter-cache.ts'
import type { JsonObject } from '../request/request-values.ts'
import { plainValues } from '../request/test-values.ts'
import { suggest } from '../suggest/suggest.ts'

const documents = 8000

function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * below)
  }
}

const mappings = {
  properties: {
    key: { type: 'keyword' },
    tags: { type: 'keyword' },
    number: { type: 'long' },
    rate: { type: 'double' },
    date: { type: 'date' },
    text: { type: 'text', fielddata: true },
    place: { type: 'geo_point' },
    feature: { type: 'rank_feature' },
    span: { type: 'long_range' },
    name: { type: 'completion' },
    items: { type: 'nested', properties: { number: { type: 'long' }, key: { type: 'keyword' } } },
  },
}

/** Two shards of two segments with fixed documents, and cold caches. */
function freshIndex(): SearchIndex {
  const below = random(7)
  const word = () => `w${Math.floor((below(100) * below(100)) / 25)}`
  const doc = (n: number) => ({
    id: `id${n}`,
    isDeleted: n % 101 === 0,
    source: {
      key: `k${below(5000)}`,
      tags: [`t${below(20)}`, `t${below(20)}`],
      ...(n % 7 > 0 && { number: n % 5 === 0 ? [below(1000), below(1000)] : below(1000) }),
      rate: below(100_000) / 16,
      date: 1.7e12 + below(1e9),
      text: Array.from({ length: 8 }, word).join(' '),
      place: { lat: below(160) - 80, lon: below(340) - 170 },
      feature: below(100) + 1,
      span: { gte: n, lte: n + below(100) },
      name: `name ${below(1000)}`,
      items: Array.from({ length: below(3) }, () => ({ number: below(1000), key: `i${below(100)}` })),
    },
  })
  const part = documents / 4
  const segments = [0, 1, 2, 3].map((s) => Array.from({ length: part }, (_, n) => doc(s * part + n)))
  return testIndex([segments.slice(0, 2), segments.slice(2)], { mappings })
}

const words = { match: { text: 'w1 w2 w30 w7' } }
const phrase = { match_phrase: { text: { query: 'w1 w2', slop: 4 } } }
const several = { range: { number: { gte: 100, lt: 900 } } }
const nested = { nested: { path: 'items', query: { range: { 'items.number': { gte: 500 } } } } }
const inner = { nested: { ...nested.nested, inner_hits: {} } }

const queries: readonly JsonObject[] = [
  words,
  phrase,
  several,
  nested,
  { match: { text: { query: 'w1 w2 w30', minimum_should_match: 2 } } },
  { prefix: { key: 'k12' } },
  { wildcard: { key: '*9*1*' } },
  { regexp: { text: 'w[1-3].*' } },
  { fuzzy: { text: { value: 'w11', fuzziness: 1 } } },
  { terms: { key: Array.from({ length: 3000 }, (_, n) => `k${n}`) } },
  { range: { key: { gte: 'k2', lt: 'k4' } } },
  { range: { span: { gte: 1000, lte: 2000 } } },
  { geo_distance: { distance: '3000km', place: { lat: 10, lon: 10 } } },
  { bool: { must: [words], filter: [several], must_not: [{ term: { tags: 't3' } }], should: [phrase] } },
  { dis_max: { queries: [words, { match: { text: 'w5' } }], tie_breaker: 0.3 } },
  { boosting: { positive: words, negative: { term: { tags: 't1' } }, negative_boost: 0.5 } },
  { constant_score: { filter: { exists: { field: 'number' } }, boost: 2 } },
  {
    function_score: {
      query: words,
      functions: [{ field_value_factor: { field: 'rate', modifier: 'log1p' } }],
    },
  },
  { rank_feature: { field: 'feature', saturation: { pivot: 8 } } },
  { terms_set: { tags: { terms: ['t1', 't2', 't3'], minimum_should_match_field: 'number' } } },
  { query_string: { query: 'text:(w1 OR w2*) AND NOT tags:t5' } },
  { more_like_this: { fields: ['text', 'tags'], like: 'w1 w2 w3 w1 w2 t1 t1' } },
  { multi_match: { query: 'w1 w4', type: 'cross_fields', fields: ['text', 'tags'] } },
  {
    span_near: {
      clauses: [{ span_term: { text: 'w1' } }, { span_term: { text: 'w2' } }],
      slop: 5,
      in_order: false,
    },
  },
  {
    intervals: {
      text: { all_of: { intervals: [{ match: { query: 'w1' } }, { prefix: { prefix: 'w2' } }] } },
    },
  },
]

const sorts: readonly (readonly unknown[])[] = [
  [{ number: 'asc' }],
  [{ key: 'desc' }, { rate: 'asc' }],
  [{ tags: { order: 'desc', mode: 'max' } }, '_score'],
  [{ 'items.number': { order: 'asc', mode: 'min', nested: { path: 'items' } } }],
  [{ _geo_distance: { place: { lat: 0, lon: 0 }, order: 'desc', unit: 'km' } }],
  [{ number: { order: 'desc', missing: 17 } }, { _doc: 'asc' }],
]

const average = { avg: { field: 'rate' } }
const aggs: readonly JsonObject[] = [
  { terms: { field: 'key', size: 4000 } },
  { terms: { field: 'key', size: 50, order: { m: 'desc' } }, aggs: { m: average } },
  { terms: { field: 'number', size: 500 }, aggs: { t: { terms: { field: 'tags', size: 3 } } } },
  { terms: { field: 'text', size: 100 } },
  { terms: { field: 'tags' }, aggs: { h: { top_hits: { size: 5, sort: [{ rate: 'desc' }] } } } },
  { rare_terms: { field: 'key', max_doc_count: 1 } },
  { multi_terms: { size: 100, terms: [{ field: 'tags' }, { field: 'number' }] } },
  {
    composite: {
      size: 1000,
      sources: [{ a: { terms: { field: 'key' } } }, { b: { terms: { field: 'tags' } } }],
    },
  },
  {
    date_histogram: { field: 'date', fixed_interval: '1h' },
    aggs: { m: average, c: { cumulative_sum: { buckets_path: 'm' } } },
  },
  { auto_date_histogram: { field: 'date', buckets: 20 }, aggs: { m: average } },
  { variable_width_histogram: { field: 'rate', buckets: 20 } },
  { histogram: { field: 'span', interval: 500 } },
  { range: { field: 'rate', ranges: Array.from({ length: 100 }, (_, n) => ({ from: n * 10 })) } },
  {
    filters: { filters: { a: words, b: several, c: nested } },
    aggs: { p: { percentiles: { field: 'rate' } } },
  },
  { adjacency_matrix: { filters: { a: words, b: several, c: phrase } } },
  { significant_terms: { field: 'tags' } },
  { significant_text: { field: 'text' } },
  { sampler: { shard_size: 500 }, aggs: { t: { terms: { field: 'tags' } } } },
  {
    nested: { path: 'items' },
    aggs: { k: { terms: { field: 'items.key' }, aggs: { r: { reverse_nested: {}, aggs: { m: average } } } } },
  },
  { global: {}, aggs: { c: { cardinality: { field: 'key' } }, s: { string_stats: { field: 'key' } } } },
  { geotile_grid: { field: 'place', precision: 6 } },
  { median_absolute_deviation: { field: 'rate' } },
]

const bodies: readonly JsonObject[] = [
  ...queries.map((query, at) => ({ query, from: at * 7, size: 20 })),
  ...queries.map((query, at) => ({ query, sort: sorts[at % sorts.length]!, from: at * 50, size: 20 })),
  ...sorts.map((sort) => ({ sort, from: 6000, size: 300 })),
  ...sorts.map((sort) => ({ query: several, sort, size: 20, track_scores: true })),
  ...aggs.map((agg) => ({ size: 0, aggs: { a: agg } })),
  ...aggs.map((agg, at) => ({ size: 3, query: queries[at % queries.length]!, aggs: { a: agg } })),
  { query: inner, size: 100 },
  { collapse: { field: 'key', inner_hits: { name: 'x', size: 3 } }, size: 50, sort: [{ rate: 'desc' }] },
  { query: words, collapse: { field: 'key' }, from: 500, size: 50 },
  { query: words, rescore: { window_size: 2000, query: { rescore_query: phrase } }, size: 50 },
  { query: words, size: 300, highlight: { fields: { text: {} } }, explain: true },
  { size: 100, fields: ['*'], docvalue_fields: ['rate'] },
  { sort: [{ key: 'asc' }], search_after: ['k3'], size: 50 },
  {
    size: 0,
    suggest: {
      s: { text: 'w1x w22y', term: { field: 'text' } },
      c: { prefix: 'name 1', completion: { field: 'name' } },
    },
  },
].map((body) => ({ track_total_hits: true, ...body }))

const requests = bodies.map((body) => parseSearchRequest(body))
const settings = aggregations({ node: 'node' })
const context = (own: Partial<SearchContext>): SearchContext => ({
  node: 'node',
  aggregations: settings,
  suggest,
  ...own,
})

function shown({ response: { took: _, ...rest } }: SearchPage): unknown {
  return plainValues(rest)
}

it('answers each search as if it were alone', () => {
  const alone = freshIndex()
  const expected = requests.map((request) => shown(searchPage([alone], request, context({}))))
  const index = freshIndex()
  const shared = context({ cache: new SearchCache(1000), filters: new FilterCache() })
  const seed = Date.now() % 1e6
  const below = random(seed)
  let taken = 0
  // In the second round most is cached; every search runs twice concurrently.
  for (let round = 0; round < 2; round++) {
    const going = [...requests, ...requests].map((request, at) => ({
      at: at % requests.length,
      steps: searchSteps([index], request, shared),
    }))
    while (going.length > 0) {
      const place = below(going.length)
      const { at, steps } = going[place]!
      const next = steps.next()
      taken++
      if (!next.done) continue
      going.splice(place, 1)
      expect(shown(next.value), `seed ${seed}: ${JSON.stringify(bodies[at]).slice(0, 300)}`).toEqual(
        expected[at],
      )
    }
  }
  // The searches were really interleaved.
  expect(taken).toBeGreaterThan(40 * requests.length)
})
