import { describe, expect, it } from 'vitest'
import { aggregated, indexOf, type Json, keysOf, one } from './test-aggs.ts'

describe('range aggregations', () => {
  it('include from, exclude to, and sort the ranges', () => {
    expect(
      one('range', { field: 'price', ranges: [{ from: 30 }, { to: 30 }, { from: 10, to: 20, key: 'x' }] }),
    ).toEqual({
      buckets: [
        { key: '*-30.0', to: 30, doc_count: 2 },
        { key: 'x', from: 10, to: 20, doc_count: 1 },
        { key: '30.0-*', from: 30, doc_count: 3 },
      ],
    })
  })

  it('parse dates and date math', () => {
    const body = {
      field: 'sold',
      format: 'yyyy-MM-dd',
      ranges: [{ from: '2024-01-02', to: '2024-01-04||/d' }],
    }
    expect(one('date_range', body)['buckets']).toEqual([
      {
        key: '2024-01-02-2024-01-04',
        from: Date.UTC(2024, 0, 2),
        from_as_string: '2024-01-02',
        to: Date.UTC(2024, 0, 4),
        to_as_string: '2024-01-04',
        doc_count: 1,
      },
    ])
  })

  it('parse addresses and CIDR masks', () => {
    const body = { field: 'from', ranges: [{ mask: '10.0.0.0/24' }, { to: '10.0.0.128' }] }
    expect(one('ip_range', body)['buckets']).toEqual([
      { key: '*-10.0.0.128', to: '10.0.0.128', doc_count: 1 },
      { key: '10.0.0.0/24', from: '10.0.0.0', to: '10.0.1.0', doc_count: 2 },
    ])
  })
})

describe('filter aggregations', () => {
  it('have a bucket each, and one for the rest', () => {
    const filters = { z: { term: { shop: 'north' } }, a: { range: { price: { gte: 40 } } } }
    expect(one('filters', { filters, other_bucket: true })['buckets']).toEqual({
      a: { doc_count: 2 },
      z: { doc_count: 3 },
      _other_: { doc_count: 1 },
    })
    expect(one('filters', { filters: [{ match_all: {} }] })['buckets']).toEqual([{ doc_count: 5 }])
    expect(one('filter', { term: { paid: true } }, { n: { cardinality: { field: 'shop' } } })).toEqual({
      doc_count: 3,
      n: { value: 2 },
    })
    expect(keysOf(one('adjacency_matrix', { filters }))).toEqual([
      ['a', 2],
      ['a&z', 1],
      ['z', 3],
    ])
  })

  it('count documents without a value', () => {
    expect(one('missing', { field: 'rate' })).toEqual({ doc_count: 1 })
    expect(one('missing', { field: 'nowhere' })).toEqual({ doc_count: 5 })
  })
})

it('averages of dates are written as whole milliseconds', () => {
  const sold = [0, 1, 3].map((millis) => ({ sold: 1_620_905_520_688 + millis }))
  const dates = indexOf(sold, { mappings: { properties: { sold: { type: 'date' } } } })
  const written = (format: string) =>
    (aggregated(dates, { a: { avg: { field: 'sold', format } } })['a'] as Json)['value_as_string']
  expect(written('epoch_millis')).toBe('1620905520689')
  expect(written('epoch_second')).toBe('1620905520.689')
  expect(written('yyyy-MM-dd HH:mm:ss.SSSSSS')).toBe('2021-05-13 11:32:00.689000')
})

describe('composite', () => {
  const sources = [
    { paid: { terms: { field: 'paid', order: 'desc' } } },
    { day: { date_histogram: { field: 'sold', calendar_interval: 'day', format: 'yyyy-MM-dd' } } },
  ]

  it('gives pages in the order of its sources', () => {
    const first = one('composite', { sources, size: 3 })
    expect(first).toEqual({
      after_key: { paid: true, day: '2024-01-04' },
      buckets: [
        { key: { paid: true, day: '2024-01-01' }, doc_count: 1 },
        { key: { paid: true, day: '2024-01-02' }, doc_count: 1 },
        { key: { paid: true, day: '2024-01-04' }, doc_count: 1 },
      ],
    })
    const second = one('composite', { sources, size: 3, after: first['after_key'] })
    expect(second['buckets']).toEqual([
      { key: { paid: false, day: '2024-01-01' }, doc_count: 1 },
      { key: { paid: false, day: '2024-01-04' }, doc_count: 1 },
    ])
    expect(one('composite', { sources, after: second['after_key'] })).toEqual({ buckets: [] })
  })

  it.each<[string, unknown, string]>([
    ['shop', 5, 'invalid value, expected string, got Integer'],
    ['shop', true, 'invalid value, expected string, got Boolean'],
    ['shop', 1.5, 'invalid value, expected string, got Double'],
    ['shop', ['a'], 'Invalid value for [after.x], expected comparable, got [ArrayList]'],
    ['shop', null, 'Invalid value for [after.x], expected comparable, got [null]'],
    ['nowhere', 3, 'invalid value, expected string, got Integer'],
    ['price', 'x', 'For input string: "x"'],
    ['paid', 1, 'Cannot parse boolean [1], expected either [true] or [false]'],
    ['from', 'x', "'x' is not an IP string literal."],
    ['from', 5, 'invalid value, expected string, got Integer'],
  ])('refuses to begin after a key that the field %s cannot have: %j', (field, given, reason) => {
    const body = { sources: [{ x: { terms: { field } } }], after: { x: given } }
    const causedBy = expect.objectContaining({ message: reason })
    expect(() => one('composite', body)).toThrow(expect.objectContaining({ causedBy }))
  })

  it('has a bucket for documents without a value when asked', () => {
    const rates = [{ rate: { terms: { field: 'rate', missing_bucket: true } } }]
    expect(keysOf(one('composite', { sources: rates, size: 2 }))).toEqual([
      [{ rate: null }, 1],
      [{ rate: 0.5 }, 1],
    ])
  })
})

describe('metrics', () => {
  it.each([
    ['avg', { field: 'price' }, { value: 30 }],
    ['sum', { field: 'rate', missing: 1 }, { value: 10 }],
    [
      'max',
      { field: 'sold' },
      { value: Date.UTC(2024, 0, 4, 11), value_as_string: '2024-01-04T11:00:00.000Z' },
    ],
    ['min', { field: 'nowhere' }, { value: null }],
    ['value_count', { field: 'price' }, { value: 6 }],
    ['value_count', { field: 'from', missing: '::1' }, { value: 5 }],
    ['cardinality', { field: 'price' }, { value: 5 }],
    ['stats', { field: 'price' }, { count: 6, min: 10, max: 50, avg: 30, sum: 180 }],
    ['weighted_avg', { value: { field: 'rate' }, weight: { field: 'paid' } }, { value: 1.5 }],
    ['percentiles', { field: 'price', percents: [50] }, { values: { '50.0': 30 } }],
    ['percentile_ranks', { field: 'rate', values: [5] }, { values: { '5.0': 100 } }],
    ['string_stats', { field: 'shop' }, { count: 5, min_length: 4, max_length: 5, avg_length: 4.8 }],
  ])('%s of %j', (kind, body, expected) => {
    expect(one(kind, body)).toMatchObject(expected)
  })

  it('top_hits shows documents', () => {
    const found = one(
      'terms',
      { field: 'shop', size: 1 },
      { t: { top_hits: { size: 1, sort: [{ price: 'desc' }], _source: ['price'] } } },
    )
    const hits = ((found['buckets'] as Json[])[0]!['t'] as Json)['hits'] as Json
    expect(hits['total']).toEqual({ value: 3, relation: 'eq' })
    expect(hits['hits']).toMatchObject([{ _id: '4', _source: { price: [30, 40] }, sort: [40] }])
  })
})

describe('nested', () => {
  const orders = indexOf(
    [
      {
        c: 'x',
        items: [
          { n: 'a', p: 1 },
          { n: 'b', p: 2 },
        ],
      },
      { c: 'y', items: [{ n: 'a', p: 3 }] },
      { c: 'x' },
    ],
    {
      mappings: {
        properties: {
          c: { type: 'keyword' },
          items: { type: 'nested', properties: { n: { type: 'keyword' }, p: { type: 'long' } } },
        },
      },
    },
  )

  it('moves to nested objects and back', () => {
    const aggs = {
      i: {
        nested: { path: 'items' },
        aggs: {
          n: {
            terms: { field: 'items.n' },
            aggs: {
              sum: { sum: { field: 'items.p' } },
              back: { reverse_nested: {}, aggs: { c: { terms: { field: 'c' } } } },
            },
          },
        },
      },
    }
    const found = aggregated(orders, aggs)['i'] as Json
    expect(found['doc_count']).toBe(3)
    const [a, b] = (found['n'] as Json)['buckets'] as Json[]
    expect(a).toMatchObject({ key: 'a', doc_count: 2, sum: { value: 4 }, back: { doc_count: 2 } })
    expect(keysOf((a!['back'] as Json)['c'] as Json)).toEqual([
      ['x', 1],
      ['y', 1],
    ])
    expect(b).toMatchObject({ key: 'b', doc_count: 1, sum: { value: 2 } })
  })
})
