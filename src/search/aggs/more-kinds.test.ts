import { describe, expect, it } from 'vitest'
import { testIndex } from '../collect/test-search.ts'
import { aggregated, indexOf, type Json } from './test-aggs.ts'

function keysOf(result: unknown): unknown[] {
  return ((result as Json)['buckets'] as Json[]).map(({ key, doc_count }) => [key, doc_count])
}

describe('geo aggregations', () => {
  const museums = indexOf(
    [
      { at: '52.374081,4.912350' },
      { at: '52.369219,4.901618' },
      { at: '52.371667,4.914722' },
      { at: '51.222900,4.405200' },
      { at: '48.861111,2.336389' },
      { at: '48.860000,2.327000' },
    ],
    { shards: 2, mappings: { properties: { at: { type: 'geo_point' } } } },
  )

  it('assign points to grid cells', () => {
    const found = aggregated(museums, {
      hash: { geohash_grid: { field: 'at', precision: 3 } },
      tile: { geotile_grid: { field: 'at', precision: 8 } },
    })
    expect(keysOf(found['hash'])).toEqual([
      ['u17', 3],
      ['u09', 2],
      ['u15', 1],
    ])
    expect(keysOf(found['tile'])).toEqual([
      ['8/131/84', 3],
      ['8/129/88', 2],
      ['8/131/85', 1],
    ])
  })

  it('count different points', () => {
    const found = aggregated(museums, { points: { cardinality: { field: 'at' } } })
    expect(found['points']).toEqual({ value: 6 })
  })

  it('compute distance rings, centroid and bounds', () => {
    const geo_distance = {
      field: 'at',
      origin: '52.3760, 4.894',
      ranges: [{ to: 100_000 }, { from: 100_000, to: 300_000 }, { from: 300_000 }],
    }
    const found = aggregated(museums, { d: { geo_distance }, b: { geo_bounds: { field: 'at' } } })
    expect((found['d'] as Json)['buckets']).toEqual([
      { key: '*-100000.0', from: 0, to: 100_000, doc_count: 3 },
      { key: '100000.0-300000.0', from: 100_000, to: 300_000, doc_count: 1 },
      { key: '300000.0-*', from: 300_000, doc_count: 2 },
    ])
    const { bounds } = found['b'] as { bounds: { top_left: { lat: number; lon: number } } }
    expect(bounds.top_left.lat).toBeCloseTo(52.374081, 5)
    expect(bounds.top_left.lon).toBeCloseTo(2.327, 5)
  })
})

describe('significant terms', () => {
  const reports = indexOf(
    [
      ...Array.from({ length: 6 }, () => ({ force: 'city', crime: 'bike theft', text: 'a bike was stolen' })),
      ...Array.from({ length: 4 }, () => ({ force: 'city', crime: 'burglary', text: 'a house was robbed' })),
      ...Array.from({ length: 20 }, () => ({ force: 'land', crime: 'burglary', text: 'a house was robbed' })),
      ...Array.from({ length: 2 }, () => ({ force: 'land', crime: 'bike theft', text: 'a bike was stolen' })),
    ],
    {
      shards: 2,
      mappings: {
        properties: { force: { type: 'keyword' }, crime: { type: 'keyword' }, text: { type: 'text' } },
      },
    },
  )
  const query = { term: { force: 'city' } }

  it('are scored by foreground against background frequency', () => {
    const found = aggregated(reports, { a: { significant_terms: { field: 'crime' } } }, { query })
    const here = 6 / 10
    const there = 8 / 32
    expect(found['a']).toEqual({
      doc_count: 10,
      bg_count: 32,
      buckets: [{ key: 'bike theft', doc_count: 6, score: (here - there) * (here / there), bg_count: 8 }],
    })
  })

  it('are found in texts without fielddata', () => {
    const found = aggregated(reports, { a: { significant_text: { field: 'text' } } }, { query })
    expect(keysOf(found['a'])).toEqual([
      ['bike', 6],
      ['stolen', 6],
    ])
  })

  it('use a background filter', () => {
    const significant_terms = { field: 'crime', background_filter: { term: { force: 'city' } } }
    expect(keysOf(aggregated(reports, { a: { significant_terms } }, { query })['a'])).toEqual([])
  })

  it('are computed over a sample of each shard', () => {
    const aggs = { s: { sampler: { shard_size: 2 }, aggs: { t: { terms: { field: 'force' } } } } }
    expect(aggregated(reports, aggs)['s']).toMatchObject({ doc_count: 4 })
  })
})

describe('other bucket aggregations', () => {
  const mixed = testIndex(
    [
      [
        [
          {
            id: '1',
            source: { k: 'a', n: 1, r: { gte: 1, lte: 5 }, d: { gte: '2024-01-31', lt: '2024-02-02' } },
          },
          { id: '2', source: { k: 'a', n: 2, r: { gte: 5 } } },
        ],
        [
          { id: '3', source: { k: 'b', n: 1 } },
          { id: '4', source: { k: ['a', 'c'], n: [1, 2] } },
        ],
      ],
    ],
    {
      mappings: {
        properties: {
          k: { type: 'keyword' },
          n: { type: 'long' },
          r: { type: 'integer_range' },
          d: { type: 'date_range' },
        },
      },
    },
  )

  it('multi_terms combines values of several fields', () => {
    const multi_terms = { terms: [{ field: 'k' }, { field: 'n' }] }
    expect((aggregated(mixed, { a: { multi_terms } })['a'] as Json)['buckets']).toEqual([
      { key: ['a', 1], key_as_string: 'a|1', doc_count: 2 },
      { key: ['a', 2], key_as_string: 'a|2', doc_count: 2 },
      { key: ['b', 1], key_as_string: 'b|1', doc_count: 1 },
      { key: ['c', 1], key_as_string: 'c|1', doc_count: 1 },
      { key: ['c', 2], key_as_string: 'c|2', doc_count: 1 },
    ])
  })

  it('rare_terms finds rare values', () => {
    expect(keysOf(aggregated(mixed, { a: { rare_terms: { field: 'k' } } })['a'])).toEqual([
      ['b', 1],
      ['c', 1],
    ])
  })

  it('histograms put ranges into every interval they touch, up to hard_bounds', () => {
    const histogram = { field: 'r', interval: 2, hard_bounds: { min: 0, max: 8 } }
    const date_histogram = { field: 'd', calendar_interval: 'month', format: 'yyyy-MM' }
    const found = aggregated(mixed, { a: { histogram }, b: { date_histogram } })
    expect(keysOf(found['a'])).toEqual([
      [0, 1],
      [2, 1],
      [4, 2],
      [6, 1],
      [8, 1],
    ])
    expect(((found['b'] as Json)['buckets'] as Json[]).map(({ key_as_string }) => key_as_string)).toEqual([
      '2024-01',
      '2024-02',
    ])
  })

  it('variable_width_histogram merges close values', () => {
    const numbers = indexOf([-3, -2, 1, 4, 5].map((n) => ({ n })))
    expect(aggregated(numbers, { a: { variable_width_histogram: { field: 'n', buckets: 3 } } })['a']).toEqual(
      {
        buckets: [
          { min: -3, key: -2.5, max: -2, doc_count: 2 },
          { min: 1, key: 1, max: 1, doc_count: 1 },
          { min: 4, key: 4.5, max: 5, doc_count: 2 },
        ],
      },
    )
  })

  it('count a document as often as `_doc_count` says', () => {
    const rolled = indexOf(
      [
        { k: 'a', n: 1, _doc_count: 10 },
        { k: 'b', n: 2, _doc_count: 3 },
        { k: 'a', n: 3 },
      ],
      { mappings: { properties: { k: { type: 'keyword' } } } },
    )
    const found = aggregated(rolled, {
      k: { terms: { field: 'k' } },
      n: { histogram: { field: 'n', interval: 2 }, aggs: { s: { sum: { field: 'n' } } } },
      c: { composite: { sources: [{ k: { terms: { field: 'k' } } }] } },
      f: { filter: { term: { k: 'b' } } },
    })
    expect(keysOf(found['k'])).toEqual([
      ['a', 11],
      ['b', 3],
    ])
    expect((found['n'] as Json)['buckets']).toEqual([
      { key: 0, doc_count: 10, s: { value: 1 } },
      { key: 2, doc_count: 4, s: { value: 5 } },
    ])
    expect(keysOf(found['c'])).toEqual([
      [{ k: 'a' }, 11],
      [{ k: 'b' }, 3],
    ])
    expect(found['f']).toEqual({ doc_count: 3 })
  })
})
