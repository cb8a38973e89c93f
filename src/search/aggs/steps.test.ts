/** Aggregations with many buckets yield often and lose nothing in between. */
import { describe, expect, it } from 'vitest'
import { searchSteps } from '../collect/execute-search.ts'
import { parseSearchRequest } from '../collect/request/parse-request.ts'
import { testIndex } from '../collect/test-search.ts'
import { aggregations } from './aggregate.ts'
import { aggregated, indexOf, type Json } from './test-aggs.ts'

const count = 5000
const numbers = Array.from({ length: count }, (_, i) => i)

/** Unsorted, so that buckets have to be sorted; the first segment has most of the documents. */
const docs = numbers.map((i) => {
  const n = (i * 1237) % count
  return {
    id: String(i),
    source: {
      k: nameOf(n),
      n,
      d: n * 60_000,
      half: n % 2 === 0 ? 'even' : 'odd',
      t: `word${n % 100} other`,
      ip: `10.0.${n >> 8}.${n & 255}`,
      loc: { lat: n / 100 - 25, lon: n / 50 },
      items: [{ m: n }],
    },
  }
})

const index = testIndex([[docs.slice(0, 4500), docs.slice(4500)]], {
  mappings: {
    properties: {
      k: { type: 'keyword' },
      n: { type: 'long' },
      d: { type: 'date' },
      half: { type: 'keyword' },
      t: { type: 'text', fielddata: true },
      ip: { type: 'ip' },
      loc: { type: 'geo_point' },
      items: { type: 'nested', properties: { m: { type: 'long' } } },
    },
  },
})

function nameOf(n: number): string {
  return `k${String(n).padStart(4, '0')}`
}

function stepsOf(aggs: Json, query: Json = { match_all: {} }): number {
  const request = parseSearchRequest({ size: 0, query, aggs })
  const steps = searchSteps([index], request, {
    node: 'node',
    aggregations: aggregations({ node: 'node' }),
  })
  let taken = 0
  while (steps.next().done !== true) taken += 1
  return taken
}

function bucketsOf(json: unknown): Json[] {
  return (json as Json)['buckets'] as Json[]
}

const allNames = numbers.map(nameOf)
const names = { terms: { field: 'k', size: count, order: { _key: 'asc' } } }

describe('as many steps as there are buckets with something in them', () => {
  const inner = { ...names, aggs: { m: { max: { field: 'n' } } } }
  const expected = numbers.map((n) => ({ key: nameOf(n), doc_count: 1, m: { value: n } }))

  it.each<[string, Json, (found: Json) => unknown]>([
    ['terms', inner, (found) => found],
    ['a filter', { filter: { match_all: {} }, aggs: { b: inner } }, ({ b }) => b as Json],
    ['global', { global: {}, aggs: { b: inner } }, ({ b }) => b as Json],
    ['missing', { missing: { field: 'none' }, aggs: { b: inner } }, ({ b }) => b as Json],
    ['a sampler', { sampler: { shard_size: count }, aggs: { b: inner } }, ({ b }) => b as Json],
    [
      'filters',
      { filters: { filters: { all: { match_all: {} } } }, aggs: { b: inner } },
      ({ buckets }) => ((buckets as Json)['all'] as Json)['b'],
    ],
    [
      'a range',
      { range: { field: 'n', ranges: [{ from: 0 }] }, aggs: { b: inner } },
      (found) => bucketsOf(found)[0]!['b'],
    ],
  ])('%s', (_, agg, innerOf) => {
    expect(stepsOf({ a: agg })).toBeGreaterThan(2 * count)
    expect(bucketsOf(innerOf(aggregated(index, { a: agg })['a'] as Json))).toEqual(expected)
  })
})

describe('a step for every few hundred buckets', () => {
  const keys = (found: unknown) => bucketsOf(found).map(({ key }) => key)

  it.each<[string, Json, (found: unknown) => unknown, unknown]>([
    ['terms', names, keys, allNames],
    ['numbers', { terms: { field: 'n', size: count, order: { _key: 'desc' } } }, keys, numbers.toReversed()],
    ['rare terms', { rare_terms: { field: 'k' } }, keys, allNames],
    ['histogram', { histogram: { field: 'n', interval: 1 } }, keys, numbers],
    [
      'histogram by count',
      { histogram: { field: 'n', interval: 1, order: { _count: 'desc' } } },
      keys,
      numbers,
    ],
    [
      'gaps',
      { histogram: { field: 'n', interval: 0.5, extended_bounds: { min: -10, max: count - 1 } } },
      (found) => bucketsOf(found).map(({ key, doc_count }) => [key, doc_count]),
      Array.from({ length: 2 * count + 19 }, (_, i) => [i / 2 - 10, i >= 20 && i % 2 === 0 ? 1 : 0]),
    ],
    [
      'keyed dates',
      { date_histogram: { field: 'd', fixed_interval: '1m', keyed: true, format: 'epoch_millis' } },
      (found) =>
        Object.entries((found as Json)['buckets'] as Json).map(([key, value]) => [
          key,
          (value as Json)['key'],
        ]),
      numbers.map((n) => [String(n * 60_000), n * 60_000]),
    ],
    [
      'composite',
      {
        composite: {
          size: count,
          sources: [{ h: { terms: { field: 'half' } } }, { n: { terms: { field: 'n' } } }],
        },
      },
      keys,
      [0, 1].flatMap((odd) =>
        numbers.filter((n) => n % 2 === odd).map((n) => ({ h: odd === 1 ? 'odd' : 'even', n })),
      ),
    ],
    [
      'composite after a key',
      { composite: { size: count, after: { k: nameOf(99) }, sources: [{ k: { terms: { field: 'k' } } }] } },
      keys,
      allNames.slice(100).map((k) => ({ k })),
    ],
    [
      'combinations',
      { multi_terms: { size: count, terms: [{ field: 'half' }, { field: 'k' }], order: { _key: 'asc' } } },
      (found) => bucketsOf(found).map(({ key }) => (key as string[])[1]),
      [0, 1].flatMap((odd) => numbers.filter((n) => n % 2 === odd).map(nameOf)),
    ],
    [
      'ranges',
      { range: { field: 'n', ranges: numbers.map((from) => ({ from, to: from + 2 })) } },
      (found) => bucketsOf(found).map(({ doc_count }) => doc_count),
      numbers.map((n) => (n === count - 1 ? 1 : 2)),
    ],
    [
      'ranges of addresses',
      {
        ip_range: {
          field: 'ip',
          ranges: numbers.map((n) => ({ key: nameOf(n), mask: `10.0.${n >> 8}.${n & 255}/32` })),
        },
      },
      (found) => bucketsOf(found).map(({ key, doc_count }) => [key, doc_count]),
      numbers.map((n) => [nameOf(n), 1]),
    ],
    [
      'a grid',
      { geotile_grid: { field: 'loc', precision: 29, size: count } },
      (found) => new Set(keys(found) as string[]).size,
      count,
    ],
    [
      'clusters',
      { variable_width_histogram: { field: 'n', buckets: count } },
      (found) => bucketsOf(found).map(({ min, max, doc_count }) => [min, max, doc_count]),
      numbers.map((n) => [n, n, 1]),
    ],
    [
      'objects',
      {
        nested: { path: 'items' },
        aggs: { b: { terms: { field: 'items.m', size: count, order: { _key: 'asc' } } } },
      },
      ({ b }: Json) => keys(b),
      numbers,
    ] as [string, Json, (found: unknown) => unknown, unknown],
  ])('%s', (_, agg, read, expected) => {
    expect(stepsOf({ a: agg })).toBeGreaterThan(2 * Math.floor(count / 256))
    expect(read(aggregated(index, { a: agg })['a'])).toEqual(expected)
  })

  it('keys of documents that do not match', () => {
    const agg = { terms: { field: 'k', size: count, min_doc_count: 0, order: { _key: 'asc' } } }
    expect(stepsOf({ a: agg }, { term: { n: 7 } })).toBeGreaterThan(2 * Math.floor(count / 256))
    const found = aggregated(index, { a: agg }, { query: { term: { n: 7 } } })['a']
    expect(bucketsOf(found).map(({ key, doc_count }) => [key, doc_count])).toEqual(
      numbers.map((n) => [nameOf(n), n === 7 ? 1 : 0]),
    )
  })
})

it('filters are found one by one', () => {
  const filters = numbers.slice(0, 300).map((n) => ({ range: { n: { gte: n } } }))
  expect(stepsOf({ a: { filters: { filters } } })).toBeGreaterThan(filters.length * 2)
  const found = bucketsOf(aggregated(index, { a: { filters: { filters } } })['a'])
  expect(found.map(({ doc_count }) => doc_count)).toEqual(filters.map((_, n) => count - n))
})

it('buckets are ordered by what stands under them in a step for each', () => {
  const agg = {
    terms: { field: 'k', size: 3, order: { 'f>m': 'desc' } },
    aggs: { f: { filter: { term: { half: 'even' } }, aggs: { m: { max: { field: 'n' } } } } },
  }
  expect(stepsOf({ a: agg })).toBeGreaterThan(count)
  const found = bucketsOf(aggregated(index, { a: agg })['a'])
  expect(found.map(({ key }) => key)).toEqual([nameOf(4998), nameOf(4996), nameOf(4994)])
})

it('significant words are counted in many steps', () => {
  const agg = { significant_text: { field: 't', background_filter: { match_all: {} } } }
  const query = { match: { t: 'word7' } }
  expect(stepsOf({ a: agg }, query)).toBeGreaterThan(15)
  const found = aggregated(index, { a: agg }, { query })['a'] as Json
  expect(bucketsOf(found)).toMatchObject([{ key: 'word7', doc_count: 50, bg_count: 50 }])
  expect(found['bg_count']).toBe(count)
})

it('documents alone in their segments are counted by automatic intervals', () => {
  const days = ['2024-01-01', '2024-01-01', '2024-01-02', '2024-01-02', '2024-01-02']
  const alone = testIndex([days.map((d, at) => [{ id: String(at), source: { d } }])], {
    mappings: { properties: { d: { type: 'date' } } },
  })
  const found = aggregated(alone, { a: { auto_date_histogram: { field: 'd', buckets: 2 } } })['a']
  expect(bucketsOf(found).map(({ doc_count }) => doc_count)).toEqual([2, 3])
})

describe('how many documents go through at a time changes nothing', () => {
  const words = ['red', 'green', 'blue', 'red green', 'blue red', 'green']
  const many = indexOf(
    Array.from({ length: 200 }, (_, i) => ({
      k: [`k${i % 7}`, `k${i % 3}`],
      n: [(i * 37) % 50, (i * 11) % 50],
      x: i % 5 === 0 ? undefined : (i * 31) % 97,
      d: Date.UTC(2024, 0, 1) + i * 7_000_000,
      t: words[i % words.length]!,
      ip: `10.0.${i % 4}.${i}`,
      loc: [
        { lat: (i % 17) * 5 - 40, lon: (i % 29) * 10 - 140 },
        { lat: (i % 13) * 5 - 30, lon: (i % 23) * 10 - 110 },
      ],
      r: { gte: i % 20, lte: (i % 20) + (i % 9) },
      items: Array.from({ length: i % 4 }, (__, at) => ({ m: (i + at) % 6 })),
    })),
    {
      shards: 2,
      mappings: {
        properties: {
          k: { type: 'keyword' },
          n: { type: 'long' },
          x: { type: 'double' },
          d: { type: 'date' },
          t: { type: 'text' },
          ip: { type: 'ip' },
          loc: { type: 'geo_point' },
          r: { type: 'long_range' },
          items: { type: 'nested', properties: { m: { type: 'long' } } },
        },
      },
    },
  )
  const leaves: Json = {
    s: { stats: { field: 'n' } },
    h: { top_hits: { size: 2, sort: [{ n: 'desc' }], _source: false } },
    t: { terms: { field: 'k', size: 3 }, aggs: { u: { sum: { field: 'x' } } } },
  }
  const kinds: Json = {
    terms: { field: 'k' },
    rare_terms: { field: 'n', max_doc_count: 5 },
    multi_terms: { terms: [{ field: 'k' }, { field: 'n' }], min_doc_count: 0, size: 400 },
    significant_terms: { field: 'k', min_doc_count: 1 },
    significant_text: { field: 't', min_doc_count: 1, filter_duplicate_text: true },
    histogram: { field: 'n', interval: 3 },
    date_histogram: { field: 'd', calendar_interval: 'day' },
    auto_date_histogram: { field: 'd', buckets: 5 },
    range: { field: 'n', ranges: [{ to: 20 }, { from: 10, to: 40 }] },
    date_range: { field: 'd', ranges: [{ to: '2024-01-05' }, { from: '2024-01-03' }] },
    ip_range: { field: 'ip', ranges: [{ mask: '10.0.0.0/24' }, { from: '10.0.1.0' }] },
    geo_distance: {
      field: 'loc',
      origin: { lat: 0, lon: 0 },
      unit: 'km',
      ranges: [{ to: 5000 }, { from: 3000 }],
    },
    geohash_grid: { field: 'loc', precision: 2 },
    geotile_grid: { field: 'loc', precision: 3 },
    filter: { range: { n: { gte: 20 } } },
    filters: { other_bucket: true, filters: { a: { term: { k: 'k1' } }, b: { range: { n: { lt: 9 } } } } },
    adjacency_matrix: { filters: { a: { term: { k: 'k1' } }, b: { range: { n: { lt: 30 } } } } },
    missing: { field: 'x' },
    sampler: { shard_size: 30 },
    diversified_sampler: { shard_size: 30, field: 'x', max_docs_per_value: 1 },
  }
  const onTop: Json = {
    composite: {
      size: 50,
      sources: [{ k: { terms: { field: 'k' } } }, { n: { histogram: { field: 'n', interval: 10 } } }],
    },
    variable_width_histogram: { field: 'x', buckets: 4 },
    global: {},
  }
  const query = { bool: { should: [{ match: { t: 'red' } }, { match_all: {} }] } }
  const found = (aggs: Json, batchSize: number) => aggregated(many, aggs, { query }, { batchSize })

  /** significant_text takes no sub-aggregations. */
  const insideOf = (kind: string) => (kind === 'significant_text' ? {} : { aggs: leaves })

  it.each(Object.entries({ ...kinds, ...onTop }))('%s', (kind, body) => {
    const aggs = { a: { [kind]: body, ...insideOf(kind) } }
    expect(found(aggs, 16)).toEqual(found(aggs, 4096))
    expect(found(aggs, 1)).toEqual(found(aggs, 4096))
  })

  it.each(Object.entries(kinds))('%s in a kind that holds documents back, and in terms', (kind, body) => {
    const inner = { b: { [kind]: body, ...insideOf(kind) } }
    const aggs = {
      a: { auto_date_histogram: { field: 'd', buckets: 4 }, aggs: inner },
      c: { terms: { field: 'k' }, aggs: inner },
    }
    expect(found(aggs, 7)).toEqual(found(aggs, 4096))
  })

  it('objects, and back', () => {
    const aggs = {
      a: {
        nested: { path: 'items' },
        aggs: {
          b: { terms: { field: 'items.m' }, aggs: { r: { reverse_nested: {}, aggs: leaves } } },
          h: { histogram: { field: 'items.m', interval: 2 }, aggs: { r: { reverse_nested: {} } } },
        },
      },
      r: { histogram: { field: 'r', interval: 3 }, aggs: leaves },
    }
    expect(found(aggs, 1)).toEqual(found(aggs, 4096))
  })
})
