import { describe, expect, it } from 'vitest'
import { testIndex } from '../collect/test-search.ts'
import { SearchError } from '../request/search-error.ts'
import { aggregated, indexOf, type Json, keysOf, one, sales } from './test-aggs.ts'

describe('terms', () => {
  it('counts values, the most frequent first, equal ones by key', () => {
    expect(one('terms', { field: 'shop' })).toEqual({
      doc_count_error_upper_bound: 0,
      sum_other_doc_count: 0,
      buckets: [
        { key: 'north', doc_count: 3 },
        { key: 'south', doc_count: 1 },
        { key: 'west', doc_count: 1 },
      ],
    })
  })

  it('reports sum_other_doc_count', () => {
    const { sum_other_doc_count, buckets } = one('terms', { field: 'shop', size: 1 })
    expect(sum_other_doc_count).toBe(2)
    expect(buckets).toEqual([{ key: 'north', doc_count: 3 }])
  })

  it('gives numbers, flags, dates and addresses their keys', () => {
    expect(keysOf(one('terms', { field: 'price', size: 2 }))).toEqual([
      [30, 2],
      [10, 1],
    ])
    expect(one('terms', { field: 'paid' })['buckets']).toEqual([
      { key: 1, key_as_string: 'true', doc_count: 3 },
      { key: 0, key_as_string: 'false', doc_count: 2 },
    ])
    expect((one('terms', { field: 'sold', size: 1 })['buckets'] as Json[])[0]).toEqual({
      key: Date.UTC(2024, 0, 1, 10),
      key_as_string: '2024-01-01T10:00:00.000Z',
      doc_count: 1,
    })
    expect(keysOf(one('terms', { field: 'from', size: 1 }))).toEqual([['10.0.0.1', 1]])
    expect(keysOf(one('terms', { field: '_index' }))).toEqual([['test', 5]])
  })

  it('orders by key, by sub-aggregations, by several', () => {
    expect(keysOf(one('terms', { field: 'shop', order: { _key: 'desc' } }))).toEqual([
      ['west', 1],
      ['south', 1],
      ['north', 3],
    ])
    const max = { m: { max: { field: 'price' } } }
    expect(
      keysOf(one('terms', { field: 'shop', order: { m: 'asc' } }, max)).map((key) => (key as unknown[])[0]),
    ).toEqual(['south', 'north', 'west'])
    const stats = { s: { stats: { field: 'price' } } }
    const order = [{ 's.min': 'desc' }, { _key: 'asc' }]
    expect(keysOf(one('terms', { field: 'shop', order }, stats)).map((key) => (key as unknown[])[0])).toEqual(
      ['west', 'south', 'north'],
    )
  })

  it('refuses an order by an unknown aggregation', () => {
    expect(() => one('terms', { field: 'shop', order: { nope: 'asc' } })).toThrow(
      expect.objectContaining({ type: 'search_phase_execution_exception' }),
    )
  })

  it('includes and excludes by list, pattern and partition', () => {
    expect(keysOf(one('terms', { field: 'shop', include: '.*th', exclude: ['south'] }))).toEqual([
      ['north', 3],
    ])
    expect(keysOf(one('terms', { field: 'price', exclude: [30, 10] }))).toEqual([
      [20, 1],
      [40, 1],
      [50, 1],
    ])
    const parts = [0, 1, 2].flatMap((partition) =>
      keysOf(one('terms', { field: 'shop', include: { partition, num_partitions: 3 } })),
    )
    expect(parts.sort()).toEqual([
      ['north', 3],
      ['south', 1],
      ['west', 1],
    ])
  })

  it('puts documents without a value where `missing` says', () => {
    expect(keysOf(one('terms', { field: 'rate', missing: 0.5 }))[0]).toEqual([0.5, 2])
    expect(keysOf(one('terms', { field: 'nowhere', missing: 'none' }))).toEqual([['none', 5]])
    expect(keysOf(one('terms', { field: 'nowhere' }))).toEqual([])
  })

  it('shows terms without documents with min_doc_count 0', () => {
    const aggs = { a: { terms: { field: 'shop', min_doc_count: 0 } } }
    const found = aggregated(sales, aggs, { query: { term: { shop: 'west' } } })['a'] as Json
    expect(keysOf(found)).toEqual([
      ['west', 1],
      ['north', 0],
      ['south', 0],
    ])
  })

  it('keeps integers beyond 2^53 apart', () => {
    const sources = ['9007199254740993', '9007199254740992', '9007199254740993', '1'].map((n) => `{"n":${n}}`)
    const docs = sources.map((source, at) => ({ id: String(at), source }))
    const long = testIndex([[docs.slice(0, 2), docs.slice(2)]], {
      mappings: { properties: { n: { type: 'long' } } },
    })
    const found = aggregated(long, { a: { terms: { field: 'n' } }, c: { cardinality: { field: 'n' } } })
    expect(keysOf(found['a'] as Json)).toEqual([
      [9007199254740993n, 2],
      [1, 1],
      [9007199254740992n, 1],
    ])
    expect(found['c']).toEqual({ value: 3 })
  })

  it.each([
    [{ field: 'shop', size: 0 }, '[terms] failed to parse field [size]'],
    [{}, 'Required one of fields [field, script], but none were specified. '],
    [{ field: 'shop', order: { _key: 'up' } }, '[terms] failed to parse field [order]'],
    [{ field: 'shop', sise: 1 }, '[terms] unknown field [sise] did you mean [size]?'],
  ])('refuses %j', (body, reason) => {
    expect(() => one('terms', body)).toThrow(reason)
  })
})

describe('aggregation trees', () => {
  it('collect metrics under buckets under buckets', () => {
    const found = one(
      'terms',
      { field: 'shop', size: 1 },
      {
        days: {
          date_histogram: { field: 'sold', calendar_interval: 'day' },
          aggs: { sum: { sum: { field: 'price' } } },
        },
      },
    )
    const [north] = found['buckets'] as Json[]
    expect((north!['days'] as Json)['buckets']).toEqual([
      { key_as_string: '2024-01-01T00:00:00.000Z', key: 1704067200000, doc_count: 1, sum: { value: 10 } },
      { key_as_string: '2024-01-02T00:00:00.000Z', key: 1704153600000, doc_count: 1, sum: { value: 20 } },
      { key_as_string: '2024-01-03T00:00:00.000Z', key: 1704240000000, doc_count: 0, sum: { value: 0 } },
      { key_as_string: '2024-01-04T00:00:00.000Z', key: 1704326400000, doc_count: 1, sum: { value: 70 } },
    ])
  })

  it('prefix names with typed_keys and print meta first', () => {
    const aggs = {
      a: { meta: { x: 1 }, terms: { field: 'price' }, aggs: { b: { avg: { field: 'rate' } } } },
      __proto__x: { value_count: { field: 'shop' } },
    }
    const found = aggregated(sales, aggs, {}, {}, new Map([['typed_keys', 'true']]))
    expect(Object.keys(found)).toEqual(['lterms#a', 'value_count#__proto__x'])
    const terms = found['lterms#a'] as Json
    expect(Object.keys(terms)[0]).toBe('meta')
    expect(Object.keys((terms['buckets'] as Json[])[0]!)).toEqual(['key', 'doc_count', 'avg#b'])
  })

  it('accept __proto__ and the like as names', () => {
    const aggs = JSON.parse(
      '{"__proto__": {"sum": {"field": "price"}}, "constructor": {"min": {"field": "price"}}}',
    ) as Json
    const found = aggregated(sales, aggs)
    expect(Object.hasOwn(found, 'constructor')).toBe(true)
    expect(found['constructor']).toEqual({ value: 10 })
  })

  it('run pipeline aggregations', () => {
    const found = aggregated(sales, {
      days: {
        date_histogram: { field: 'sold', calendar_interval: 'day' },
        aggs: { sum: { sum: { field: 'price' } }, all: { cumulative_sum: { buckets_path: 'sum' } } },
      },
      best: { max_bucket: { buckets_path: 'days>sum' } },
    })
    const days = (found['days'] as Json)['buckets'] as Json[]
    expect(days.map(({ all }) => (all as Json)['value'])).toEqual([40, 60, 60, 180])
    expect(found['best']).toEqual({ value: 120, keys: ['2024-01-04T00:00:00.000Z'] })
  })

  it('see the matches, and global all documents', () => {
    const aggs = {
      all: { global: {}, aggs: { sum: { sum: { field: 'price' } } } },
      sum: { sum: { field: 'price' } },
    }
    expect(aggregated(sales, aggs, { query: { term: { shop: 'west' } } })).toEqual({
      all: { doc_count: 5, sum: { value: 180 } },
      sum: { value: 50 },
    })
  })

  it.each([
    [{ a: { nope: {} } }, 'Unknown aggregation type [nope]'],
    [{ a: { term: {} } }, 'Unknown aggregation type [term] did you mean any of [terms, ip_range]?'],
    [{ a: {} }, 'Missing definition for aggregation [a]'],
    [
      { a: { terms: { field: 'shop' }, avg: { field: 'price' } } },
      'Found two aggregation type definitions in [a]: [terms] and [avg]',
    ],
    [
      { 'a>b': { avg: { field: 'price' } } },
      "Invalid aggregation name [a>b]. Aggregation names can contain any character except '[', ']', and '>'",
    ],
    [{ a: 1 }, 'Aggregation definition for [a starts with a [VALUE_NUMBER], expected a [START_OBJECT].'],
    [{ a: { terms: 1 } }, 'Expected [START_OBJECT] under [terms], but got a [VALUE_NUMBER] in [a]'],
    [
      { a: { avg: { field: 'price' }, aggs: { b: { avg: { field: 'price' } } } } },
      'Aggregator [a] of type [avg] cannot accept sub-aggregations',
    ],
    [
      { a: { max_bucket: { buckets_path: 'b' }, aggs: {} } },
      'Aggregation [a] cannot define sub-aggregations',
    ],
    [{ a: { avg: { script: { source: 'x', lang: 'js' } } } }, 'script_lang not supported [js]'],
    [{ a: { missing: { script: 'x' } } }, 'script_lang not supported [painless]'],
  ])('refuse %j', (aggs, reason) => {
    expect(() => aggregated(sales, aggs)).toThrow(
      reason.includes('did you mean') ? /Unknown aggregation type \[term\] did you mean/ : reason,
    )
  })

  it.each([
    [
      { a: { avg: { field: 'shop' } } },
      'Field [shop] of type [keyword] is not supported for aggregation [avg]',
    ],
    [{ a: { terms: { field: 'note' } } }, 'Text fields are not optimised'],
    [
      { a: { ip_range: { field: 'price', ranges: [{ mask: '10.0.0.0/8' }] } } },
      'Field [price] of type [integer]',
    ],
  ])('report for shards what %j cannot do', (aggs, reason) => {
    try {
      aggregated(sales, aggs)
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(SearchError)
      const { type, details, status } = error as SearchError
      expect(type).toBe('search_phase_execution_exception')
      expect(status).toBe(400)
      expect(JSON.stringify(details['root_cause'])).toContain(reason)
    }
  })

  it('are refused beyond search.max_buckets', () => {
    const aggs = { a: { histogram: { field: 'price', interval: 0.001 } } }
    try {
      aggregated(sales, aggs, {}, { maxBuckets: () => 100 })
      expect.unreachable()
    } catch (error) {
      const { status, causedBy } = error as SearchError
      expect(status).toBe(503)
      expect((causedBy as SearchError).type).toBe('too_many_buckets_exception')
      expect((causedBy as SearchError).details['max_buckets']).toBe(100)
    }
  })

  it('report an index that cannot be aggregated as a shard failure', () => {
    const text = indexOf([{ shop: 'x' }], {
      name: 'text',
      mappings: { properties: { shop: { type: 'text' } } },
    })
    const found = aggregated([sales, text], { a: { terms: { field: 'shop' } } })
    expect(keysOf(found['a'] as Json)[0]).toEqual(['north', 3])
  })
})

describe('histograms', () => {
  it('fill gaps and extended bounds', () => {
    const body = { field: 'price', interval: 20, extended_bounds: { min: -20, max: 70 } }
    expect(keysOf(one('histogram', body))).toEqual([
      [-20, 0],
      [0, 1],
      [20, 3],
      [40, 2],
      [60, 0],
    ])
    expect(keysOf(one('histogram', { field: 'price', interval: 20, min_doc_count: 1, offset: 10 }))).toEqual([
      [10, 2],
      [30, 2],
      [50, 1],
    ])
  })

  it('are printed as an object with keyed', () => {
    const found = one('histogram', { field: 'price', interval: 40, keyed: true })
    expect(found['buckets']).toEqual({
      '0.0': { key: 0, doc_count: 4 },
      '40.0': { key: 40, doc_count: 2 },
    })
  })

  it('use time zones', () => {
    const found = one('date_histogram', {
      field: 'sold',
      calendar_interval: '1d',
      time_zone: '+01:00',
      min_doc_count: 1,
    })
    expect(
      (found['buckets'] as Json[]).map(({ key_as_string, doc_count }) => [key_as_string, doc_count]),
    ).toEqual([
      ['2024-01-01T00:00:00.000+01:00', 1],
      ['2024-01-02T00:00:00.000+01:00', 2],
      ['2024-01-04T00:00:00.000+01:00', 2],
    ])
  })

  it('take an order and a format', () => {
    const body = { field: 'sold', fixed_interval: '2d', format: 'dd.MM.', order: { _count: 'desc' } }
    expect(
      (one('date_histogram', body)['buckets'] as Json[]).map(({ key_as_string, doc_count }) => [
        key_as_string,
        doc_count,
      ]),
    ).toEqual([
      ['31.12.', 2],
      ['04.01.', 2],
      ['02.01.', 1],
    ])
  })

  it('choose their interval automatically', () => {
    const found = one('auto_date_histogram', { field: 'sold', buckets: 4 })
    expect(found['interval']).toBe('1d')
    expect(keysOf(found).map((key) => (key as unknown[])[1])).toEqual([2, 1, 0, 2])
  })

  it.each([
    [
      { field: 'sold', calendar_interval: '2d' },
      '[date_histogram] failed to parse field [calendar_interval]',
    ],
    [{ field: 'sold' }, 'all shards failed'],
    [{ field: 'sold', fixed_interval: '1x' }, '[date_histogram] failed to parse field [fixed_interval]'],
  ])('refuse %j', (body, reason) => {
    expect(() => one('date_histogram', body)).toThrow(reason)
  })
})

describe('a pattern of `include`', () => {
  it.each([
    ['ip', '10.0.0.1', 'Use an array of values for include/exclude clauses'],
    ['long', 7, 'Use an array of numeric values for include/exclude clauses used to filter numeric fields'],
  ])('is refused on fields of type %s', (type, value, instead) => {
    const index = indexOf([{ a: value }], { mappings: { properties: { a: { type } } } })
    let refusal: unknown
    try {
      aggregated(index, { a: { terms: { field: 'a', include: '1.*' } } })
    } catch (error) {
      refusal = error
    }
    expect(JSON.stringify((refusal as SearchError).details)).toContain(
      `as they can only be applied to string fields. ${instead}"`,
    )
  })
})
