import { describe, expect, it } from 'vitest'
import { expectedBuckets } from './expected-buckets.ts'

const maxBuckets = 65_535

describe('buckets that a request may ask for', () => {
  it.each([
    ['nothing', undefined, 0],
    ['ten terms unless it says otherwise', { a: { terms: { field: 'f' } } }, 10],
    ['as many terms as it says', { a: { terms: { field: 'f', size: 1000 } } }, 1000],
    ['any number of a histogram', { a: { date_histogram: { field: 'f' } } }, maxBuckets],
    ['each filter and the others', { a: { filters: { filters: { x: {}, y: {} } } } }, 3],
    ['each range', { a: { range: { field: 'f', ranges: [{}, {}, {}] } } }, 4],
    ['one of a metric', { a: { avg: { field: 'f' } } }, 1],
    ['all siblings', { a: { terms: { size: 3 } }, b: { max: {} } }, 4],
    ['what is no aggregation', { a: 5, b: { terms: null }, c: null }, 12],
  ])('count %s', (_, aggs, expected) => {
    expect(expectedBuckets(aggs, maxBuckets)).toBe(expected)
  })

  it('multiply from level to level up to the bound', () => {
    const inner = { b: { terms: { size: 7 }, aggs: { c: { avg: {} } } } }
    expect(expectedBuckets({ a: { terms: { size: 5 }, aggs: inner } }, maxBuckets)).toBe(5 + 35 + 35)
    expect(expectedBuckets({ a: { terms: { size: 5 }, aggs: inner } }, 20)).toBe(5 + 20 + 20)
    expect(
      expectedBuckets({ a: { terms: { size: 9 }, aggregations: { h: { histogram: {} } } } }, maxBuckets),
    ).toBe(9 + maxBuckets)
  })
})
