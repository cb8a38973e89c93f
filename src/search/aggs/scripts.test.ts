import { describe, expect, it } from 'vitest'
import { SearchError } from '../request/search-error.ts'
import { aggregated, indexOf, sales } from './test-aggs.ts'

const mappings = { properties: { shop: { type: 'keyword' }, price: { type: 'integer' } } }

describe('values computed by scripts', () => {
  it('replace those of a field', () => {
    const script = "doc['price'].size() > 1 ? doc['price'].values : doc['price'].value * params.by"
    expect(
      aggregated(sales, {
        sum: { sum: { script: { source: script, params: { by: 2 } } } },
        count: { value_count: { script: { source: script, params: { by: 2 } } } },
        largest: { max: { script: "doc['rate'].size() == 0 ? null : doc['rate'].value" } },
        first: { min: { script: "doc['sold'].value" } },
      }),
    ).toMatchObject({
      sum: { value: 20 + 60 + 40 + 100 + 70 },
      count: { value: 6 },
      largest: { value: 4.5 },
      first: { value: Date.UTC(2024, 0, 1, 10) },
    })
  })

  it('change those of a field by _value', () => {
    expect(
      aggregated(sales, {
        sum: { sum: { field: 'price', script: '_value + 1' } },
        shops: { terms: { field: 'shop', script: '_value.substring(0, 1).toUpperCase()' } },
      }),
    ).toMatchObject({
      sum: { value: 186 },
      shops: { buckets: [{ key: 'N', doc_count: 3 }, { key: 'S' }, { key: 'W' }] },
    })
  })

  it('count once per document when they are equal', () => {
    const index = indexOf(
      [
        { shop: ['north', 'new', 'south'], price: [-1, 0, 1] },
        { shop: ['north'], price: [1] },
      ],
      { mappings },
    )
    expect(
      aggregated(index, {
        shops: { terms: { field: 'shop', script: '_value.substring(0, 1)' } },
        kinds: { cardinality: { field: 'shop', script: '_value.substring(0, 1)' } },
        prices: { terms: { field: 'price', script: 'Math.abs(_value)' } },
        steps: { histogram: { field: 'price', script: 'Math.abs(_value)', interval: 1 } },
        sum: { sum: { field: 'price', script: 'Math.abs(_value)' } },
      }),
    ).toMatchObject({
      shops: {
        buckets: [
          { key: 'n', doc_count: 2 },
          { key: 's', doc_count: 1 },
        ],
      },
      kinds: { value: 2 },
      prices: {
        buckets: [
          { key: 1, doc_count: 2 },
          { key: 0, doc_count: 1 },
        ],
      },
      steps: {
        buckets: [
          { key: 0, doc_count: 1 },
          { key: 1, doc_count: 2 },
        ],
      },
      sum: { value: 3 },
    })
  })

  it('leave the missing value as it is given', () => {
    const index = indexOf([{ shop: 'north', price: 1 }, {}], { mappings })
    expect(
      aggregated(index, {
        shops: { terms: { field: 'shop', script: '_value.toUpperCase()', missing: 'none' } },
        sum: { sum: { field: 'price', script: '_value * 10', missing: 5 } },
      }),
    ).toMatchObject({
      shops: {
        buckets: [
          { key: 'NORTH', doc_count: 1 },
          { key: 'none', doc_count: 1 },
        ],
      },
      sum: { value: 15 },
    })
  })

  it('become keys of buckets', () => {
    const shops = { terms: { script: "doc['shop'].value + '-' + doc['paid'].value", order: { _key: 'asc' } } }
    expect(
      aggregated(sales, { shops, kinds: { cardinality: { script: shops.terms.script } } }),
    ).toMatchObject({
      shops: {
        buckets: [
          { key: 'north-false', doc_count: 1 },
          { key: 'north-true', doc_count: 2 },
          { key: 'south-false', doc_count: 1 },
          { key: 'west-true', doc_count: 1 },
        ],
      },
      kinds: { value: 4 },
    })
  })

  it('fall into histogram intervals', () => {
    expect(
      aggregated(sales, {
        prices: { histogram: { script: "doc['price'].value", interval: 20 } },
        days: { date_histogram: { script: "doc['sold'].value", calendar_interval: 'day', min_doc_count: 1 } },
        ranges: { range: { script: "doc['price'].length", ranges: [{ to: 2 }, { from: 2 }] } },
      }),
    ).toMatchObject({
      prices: { buckets: [{ doc_count: 1 }, { doc_count: 3 }, { doc_count: 1 }] },
      days: { buckets: [{ doc_count: 2 }, { doc_count: 1 }, { doc_count: 2 }] },
      ranges: { buckets: [{ doc_count: 4 }, { doc_count: 1 }] },
    })
  })

  it('are computed for matching documents only', () => {
    const rate = { avg: { script: "doc['rate'].value" } }
    expect(aggregated(sales, { rate }, { query: { exists: { field: 'rate' } } })).toEqual({
      rate: { value: 2.25 },
    })
    expect(() => aggregated(sales, { rate })).toThrow(SearchError)
  })
})

describe('scripted_metric', () => {
  const metric = {
    init_script: 'state.prices = []',
    map_script: { source: "for (p in doc['price']) state.prices.add(p * params.by)", params: { by: 2 } },
    combine_script: 'long sum = 0; for (p in state.prices) sum += p; return sum',
    reduce_script: 'long all = params.start; for (s in states) all += s; return all',
    params: { start: 1 },
  }

  it('runs init, map, combine and reduce over all shards', () => {
    expect(aggregated(sales, { profit: { scripted_metric: metric } })).toEqual({ profit: { value: 361 } })
  })

  it('runs in each bucket', () => {
    const shops = { terms: { field: 'shop' }, aggs: { profit: { scripted_metric: metric } } }
    expect(aggregated(sales, { shops })).toMatchObject({
      shops: {
        buckets: [
          { key: 'north', profit: { value: 201 } },
          { key: 'south', profit: { value: 61 } },
          { key: 'west', profit: { value: 101 } },
        ],
      },
    })
  })

  it('runs for shards without documents too', () => {
    const empty = indexOf([], { shards: 3 })
    const counted = { ...metric, combine_script: '1', reduce_script: 'states.size()' }
    expect(aggregated(empty, { n: { scripted_metric: counted } })).toEqual({ n: { value: 3 } })
  })

  it('reports failures of each script, those of the reduce script as of no shard', () => {
    const failing = (name: string) => () =>
      aggregated(sales, { n: { scripted_metric: { ...metric, [name]: '1 / 0' } } })
    for (const name of ['init_script', 'map_script', 'combine_script'])
      expect(failing(name)).toThrow('all shards failed')
    expect(failing('reduce_script')).toThrow(
      expect.objectContaining({
        type: 'search_phase_execution_exception',
        message: '',
        details: { root_cause: [], phase: 'fetch', grouped: true, failed_shards: [] },
      }),
    )
  })

  it('begins with the state of each shard in an empty bucket, and sees null in one that fills a gap', () => {
    const states = { ...metric, combine_script: '1', reduce_script: 'return states' }
    const aggs = { n: { scripted_metric: states } }
    const none = { filter: { match_none: {} }, aggs }
    expect(aggregated(sales, { none })).toEqual({ none: { doc_count: 0, n: { value: [1, 1] } } })
    const gap = { histogram: { field: 'price', interval: 1000, extended_bounds: { min: -1000 } }, aggs }
    const { buckets } = aggregated(sales, { gap })['gap'] as { buckets: unknown[] }
    expect(buckets[0]).toEqual({ key: -1000, doc_count: 0, n: { value: [null] } })
  })

  it('is reduced with null below a histogram that may fill gaps, even if there are none', () => {
    const states = { ...metric, combine_script: '1' }
    const below = (minDocCount: number) => () =>
      aggregated(sales, {
        h: {
          histogram: { field: 'price', interval: 1e6, min_doc_count: minDocCount },
          aggs: { n: { scripted_metric: { ...states, reduce_script: 'return states[0] + 1' } } },
        },
      })
    expect(below(1)).not.toThrow()
    expect(below(0)).toThrow()
  })

  it('requires its scripts', () => {
    const { reduce_script: _, ...rest } = metric
    expect(() => aggregated(sales, { n: { scripted_metric: rest } })).toThrow(
      '[reduce_script] must not be null: [n]',
    )
  })
})
