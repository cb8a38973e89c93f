/** Queries that score by a stored feature, and combined_fields. */
import { describe, expect, it } from 'vitest'
import { TestIndex } from './test-index.ts'

describe('combined_fields', () => {
  const mapping = {
    properties: { title: { type: 'text' }, body: { type: 'text' }, tag: { type: 'keyword' } },
  }
  const index = new TestIndex(mapping).add(
    { title: 'graph', body: 'edge' },
    { title: 'edge graph', body: 'graph graph' },
    { title: 'none', body: 'graph' },
  )
  const query = (more: object) => ({ combined_fields: { query: 'graph edge', ...more } })

  it('finds words whichever field they are in', () => {
    expect(index.find(query({ fields: ['title', 'body'], operator: 'and' }))).toEqual(['0', '1'])
    expect(index.find(query({ fields: ['title', 'body'] }))).toEqual(['0', '1', '2'])
    expect(index.find(query({ fields: ['title'], operator: 'and' }))).toEqual(['1'])
    expect(index.find(query({ fields: ['title', 'body'], minimum_should_match: 2 }))).toEqual(['0', '1'])
    expect(index.find(query({ fields: ['nope'] }))).toEqual([])
  })

  it('scores one field as a plain match does', () => {
    const match = index.scores({ match: { body: 'graph edge' } })
    expect(index.scores(query({ fields: ['body'] }))).toEqual(match)
  })

  it('scores two fields as one that holds both texts', () => {
    const apart = new TestIndex(mapping).add(
      { title: 'x', body: 'graph' },
      { title: 'y graph', body: 'graph graph' },
    )
    const joined = new TestIndex(mapping).add({ title: 'x graph' }, { title: 'y graph graph graph' })
    expect(apart.scores({ combined_fields: { query: 'graph', fields: ['title', 'body'] } })).toEqual(
      joined.scores({ match: { title: 'graph' } }),
    )
  })

  it('weighs fields', () => {
    const plain = index.scores(query({ fields: ['title', 'body'] }))
    const weighed = index.scores(query({ fields: ['title^10', 'body'] }))
    expect(weighed['0']).not.toBe(plain['0'])
  })

  it.each<[object, string]>([
    [{}, '[combined_fields] requires fields'],
    [{ fields: ['title^0.5'] }, '[combined_fields] requires field weights to be >= 1.0'],
    [
      { fields: ['title', 'tag'] },
      'Field [tag] of type [keyword] does not support [combined_fields] queries',
    ],
    [{ fields: ['title'], slop: 1 }, '[combined_fields] unknown field [slop]'],
  ])('%j is refused', (more, reason) => {
    expect(() => index.find(query(more))).toThrow(reason)
  })
})

describe('distance_feature', () => {
  const index = new TestIndex({
    properties: { day: { type: 'date' }, place: { type: 'geo_point' }, n: { type: 'long' } },
  }).add(
    { day: '2024-01-01', place: [0, 0] },
    { day: ['2024-01-02', '2024-03-01'], place: [10, 0] },
    { n: 1 },
  )

  it('gives half the boost at the pivot, and all of it at the origin', () => {
    const date = { field: 'day', origin: '2024-01-01T00:00:00.000Z', pivot: '1d', boost: 2 }
    expect(index.scores({ distance_feature: date })).toEqual({ 0: 2, 1: 1 })
    const math = { field: 'day', origin: '2024-01-02T00:00:00.000Z||-1d', pivot: '24h' }
    expect(index.scores({ distance_feature: math })).toEqual({ 0: 1, 1: 0.5 })
  })

  it('takes a day as its end', () => {
    const date = { field: 'day', origin: '2024-01-01', pivot: '86399999ms' }
    expect(index.scores({ distance_feature: date })['0']).toBe(0.5)
  })

  it('measures the distance of points', () => {
    const scores = index.scores({ distance_feature: { field: 'place', origin: [0, 0], pivot: '1km' } })
    expect(scores['0']).toBe(1)
    expect(scores['1']).toBeLessThan(0.001)
  })

  it('is refused on other fields', () => {
    const run = (query: object) => () => index.find({ distance_feature: query })
    expect(run({ field: 'n', origin: 1, pivot: '1' })).toThrow('Illegal data type of [origin]')
    expect(run({ field: 'day', origin: 1 })).toThrow('Required [pivot]')
    expect(run({ field: 'nope', origin: 1, pivot: '1d' })()).toEqual([])
  })
})

describe('rank_feature', () => {
  const index = new TestIndex({
    properties: {
      rank: { type: 'rank_feature' },
      length: { type: 'rank_feature', positive_score_impact: false },
      topics: { type: 'rank_features' },
      n: { type: 'long' },
    },
  }).add({ rank: 8, length: 8, topics: { sport: 16 } }, { rank: 2, length: 2 }, { topics: { art: 1 } })
  const scores = (query: object) => index.scores({ rank_feature: query })

  it('applies the saturation, log, sigmoid and linear functions', () => {
    expect(scores({ field: 'rank', saturation: { pivot: 8 } })).toEqual({ 0: 0.5, 1: 0.2 })
    expect(scores({ field: 'rank', linear: {}, boost: 2 })).toEqual({ 0: 16, 1: 4 })
    expect(scores({ field: 'rank', log: { scaling_factor: 1 } })['1']).toBeCloseTo(Math.log(3), 5)
    expect(scores({ field: 'rank', sigmoid: { pivot: 8, exponent: 2 } })['1']).toBeCloseTo(4 / 68, 5)
  })

  it('takes about the geometric mean as its pivot', () => {
    expect(scores({ field: 'rank' })['0']).toBeCloseTo(8 / 12, 5)
  })

  it('inverts features with a negative score impact', () => {
    expect(scores({ field: 'length', saturation: { pivot: 2 } })).toEqual({ 0: 0.2, 1: 0.5 })
  })

  it('reads the features of a rank_features object', () => {
    expect(scores({ field: 'topics.sport', linear: {} })).toEqual({ 0: 16 })
    expect(scores({ field: 'topics.none' })).toEqual({})
    expect(index.find({ exists: { field: 'topics' } })).toEqual(['0', '2'])
  })

  it('is refused on other fields', () => {
    expect(() => scores({ field: 'n' })).toThrow('[rank_feature] query only works on [rank_feature] fields')
    expect(() => scores({ field: 'length', log: { scaling_factor: 1 } })).toThrow('negative score impact')
  })
})

describe('exists in a flattened object', () => {
  it('finds keys and the objects between them', () => {
    const index = new TestIndex({ properties: { f: { type: 'flattened' } } }).add(
      { f: { a: { b: 'x' } } },
      { f: { c: 'y' } },
      { n: 1 },
    )
    const find = (field: string) => index.find({ exists: { field } })
    expect([find('f'), find('f.a'), find('f.a.b'), find('f.c'), find('f.d')]).toEqual([
      ['0', '1'],
      ['0'],
      ['0'],
      ['1'],
      [],
    ])
  })
})
