/**
 * Every kind of query in steps against the same query at once, in leaves of several ranges: with all
 * documents, with deletions, and with nested objects between them.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { finish, type Steps } from '../scheduling/steps.ts'
import { TestIndex } from './test-index.ts'

const mapping = {
  properties: {
    text: { type: 'text' },
    title: { type: 'text' },
    tag: { type: 'keyword' },
    column: { type: 'keyword', index: false },
    n: { type: 'long' },
    many: { type: 'long' },
    at: { type: 'date' },
    place: { type: 'geo_point' },
    span: { type: 'long_range' },
    feature: { type: 'rank_feature' },
    needed: { type: 'long' },
    objects: { type: 'nested', properties: { k: { type: 'keyword' }, v: { type: 'long' } } },
  },
}
const size = 5000
const words = ['red', 'green', 'blue', 'grey', 'gold', 'white', 'black', 'brown']

let state = 11
function below(end: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * end)
}

function document(at: number, hasObjects: boolean) {
  return {
    text: Array.from({ length: 3 + below(8) }, () => words[Math.min(below(8), below(8))]).join(' '),
    title: words[below(8)],
    tag: [`t${below(40)}`, `u${at}`],
    column: `c${below(5)}`,
    n: below(1000),
    many: [below(50), 50 + below(50)],
    at: 1_700_000_000_000 + at * 1000,
    place: { lat: below(160) - 80, lon: below(340) - 170 },
    span: { gte: at, lte: at + below(100) },
    ...(below(3) > 0 && { feature: 1 + below(100) }),
    needed: 1 + below(3),
    ...(hasObjects && {
      objects: Array.from({ length: below(4) }, () => ({ k: words[below(8)], v: below(9) })),
    }),
  }
}

const several = { bool: { should: [{ match: { text: 'red' } }, { range: { n: { lt: 300 } } }] } }
const squares = Array.from({ length: 40 }, (_, i) => ({
  lat: 60 * Math.sin(i / 6.4),
  lon: 100 * Math.cos(i / 6.4),
}))
const queries: readonly object[] = [
  { match_all: {} },
  { match: { text: 'gold' } },
  { match: { text: 'red green blue' } },
  { match: { text: { query: 'red green blue', operator: 'and' } } },
  { match: { text: { query: 'red green blue black', minimum_should_match: 2 } } },
  { match_phrase: { text: 'red green' } },
  { match_phrase: { text: { query: 'red green blue', slop: 4 } } },
  { match_phrase_prefix: { text: 'red g' } },
  { match_bool_prefix: { text: 'red gr' } },
  { multi_match: { query: 'red green', fields: ['text', 'title^2'], tie_breaker: 0.3 } },
  { multi_match: { query: 'red green', type: 'cross_fields', fields: ['text', 'title'] } },
  { combined_fields: { query: 'red brown', fields: ['text^2', 'title'] } },
  { more_like_this: { fields: ['text', 'title'], like: 'red red brown brown gold', min_doc_freq: 1 } },
  { terms: { tag: Array.from({ length: 3000 }, (_, i) => `u${i * 2}`) } },
  { terms: { column: ['c1', 'c3'] } },
  { terms: { n: Array.from({ length: 3000 }, (_, i) => i * 3) } },
  { terms: { many: [3, 77] } },
  { ids: { values: Array.from({ length: 2000 }, (_, i) => String(i * 3)) } },
  { exists: { field: 'feature' } },
  { range: { n: { gte: 100, lt: 500 } } },
  { range: { many: { gte: 90 } } },
  { range: { span: { gte: 1000, lte: 2000, relation: 'within' } } },
  { prefix: { tag: 'u1' } },
  { fuzzy: { text: { value: 'gren', fuzziness: 2 } } },
  { geo_polygon: { place: { points: squares } } },
  { geo_distance: { distance: '3000km', place: { lat: 10, lon: 10 } } },
  { terms_set: { text: { terms: ['red', 'blue', 'gold'], minimum_should_match_field: 'needed' } } },
  { distance_feature: { field: 'at', origin: 1_700_002_000_000, pivot: '10m' } },
  { rank_feature: { field: 'feature' } },
  { span_near: { clauses: [{ span_term: { text: 'red' } }, { span_term: { text: 'blue' } }], slop: 3 } },
  {
    intervals: {
      text: { all_of: { intervals: [{ match: { query: 'red' } }, { match: { query: 'gold' } }] } },
    },
  },
  { dis_max: { queries: [{ match: { text: 'red' } }, several], tie_breaker: 0.4 } },
  {
    boosting: {
      positive: { match: { text: 'red' } },
      negative: { prefix: { tag: 'u2' } },
      negative_boost: 0.2,
    },
  },
  { constant_score: { filter: several, boost: 3 } },
  several,
  { bool: { must: [several, { match: { title: 'blue' } }], must_not: { range: { n: { gt: 800 } } } } },
  { bool: { filter: { term: { tag: 'u77' } }, must: { prefix: { tag: 'u7' } }, should: several } },
  {
    bool: {
      filter: { terms: { tag: ['t1', 't2'] } },
      must: [{ match_phrase: { text: 'red green' } }, several],
    },
  },
  {
    bool: {
      filter: { term: { tag: 't3' } },
      should: [{ geo_polygon: { place: { points: squares } } }, several],
    },
  },
  { bool: { should: words.map((text) => ({ match: { text } })), minimum_should_match: 4 } },
  {
    function_score: {
      query: { match: { text: 'red blue' } },
      functions: [
        { field_value_factor: { field: 'n', modifier: 'ln2p' } },
        { filter: { range: { n: { lt: 200 } } }, weight: 4 },
        { filter: { geo_distance: { distance: '5000km', place: { lat: 0, lon: 0 } } }, weight: 2 },
      ],
      score_mode: 'sum',
    },
  },
  { nested: { path: 'objects', query: { term: { 'objects.k': 'red' } }, score_mode: 'sum' } },
  { nested: { path: 'objects', query: { range: { 'objects.v': { gt: 6 } } }, score_mode: 'none' } },
  {
    nested: {
      path: 'objects',
      score_mode: 'avg',
      query: {
        function_score: {
          query: { exists: { field: 'objects.v' } },
          field_value_factor: { field: 'objects.v' },
        },
      },
    },
  },
]

function counted<Result>(steps: Steps<Result>): { result: Result; count: number } {
  for (let count = 1; ; count++) {
    const { done, value } = steps.next()
    if (done) return { result: value, count }
  }
}

const kinds = ['plain', 'deleted', 'nested'] as const
const indices = new Map<string, TestIndex>()
beforeAll(() => {
  for (const kind of kinds) {
    const index = new TestIndex(mapping)
    index.add(...Array.from({ length: size }, (_, at) => document(at, kind === 'nested')))
    if (kind === 'deleted') for (let at = 0; at < size; at += 331) index.delete(String(at))
    indices.set(kind, index)
  }
})

describe.each(kinds)('in a leaf that is %s', (kind) => {
  it.each(queries.map((query) => [JSON.stringify(query).slice(0, 90), query] as const))('%s', (_, query) => {
    const index = indices.get(kind)!
    const [leaf] = index.leaves
    const matching = finish(index.compile(query).matchingSteps(leaf!)).array()
    expect(matching).toEqual(index.compile(query).matching(leaf!).array())
    const whole = index.compile(query).scores(leaf!)
    const scored = index.compile(query)
    const parts = finish(scored.scoreSteps(leaf!))
    expect(parts.docs.length).toBe(matching.length)
    expect(parts.docs.findIndex((doc, i) => doc !== whole.docs[i])).toBe(-1)
    expect(parts.scores.findIndex((score, i) => score !== whole.scores[i])).toBe(-1)
    // Single documents, with the state the steps left and with a new weight.
    for (const at of [0, Math.floor(parts.docs.length / 2), parts.docs.length - 1]) {
      const doc = parts.docs[at]
      if (doc === undefined) continue
      const explanation = finish(index.compile(query).explainSteps(leaf!, doc))
      expect(explanation).toEqual(index.compile(query).explain(leaf!, doc))
      expect(scored.explain(leaf!, doc).matched).toBe(true)
    }
    const some = finish(
      index.compile(query).scoresAmong(leaf!, index.compile({ range: { n: { lt: 20 } } }).matching(leaf!)),
    )
    const scores = new Map(Array.from(whole.docs, (doc, i) => [doc, whole.scores[i]]))
    expect(some.docs.every((doc, i) => scores.get(doc) === some.scores[i])).toBe(true)
    expect(some.docs.length).toBe(
      index.compile({ bool: { filter: [query, { range: { n: { lt: 20 } } }] } }).matching(leaf!).count,
    )
  })
})

describe('cooperative yields', () => {
  it('expanding a pattern over a large dictionary yields often', () => {
    const index = indices.get('plain')!
    for (const query of [
      { wildcard: { tag: { value: '*77', rewrite: 'scoring_boolean' } } },
      { fuzzy: { tag: { value: 'u4999x' } } },
      { span_multi: { match: { wildcard: { tag: { value: '*77' } } } } },
      { intervals: { text: { wildcard: { pattern: '*d' } } } },
    ]) {
      const compiled = index.compile(query)
      expect(counted(compiled.expandTerms()).count).toBeGreaterThan('intervals' in query ? 1 : 2)
      expect(counted(compiled.expandTerms()).count).toBe(1)
    }
  })

  it('min_score is applied in steps', () => {
    const functions = [{ field_value_factor: { field: 'n', modifier: 'ln2p' } }]
    const query = { function_score: { query: { match: { text: 'red blue' } }, functions, min_score: 3 } }
    for (const index of indices.values()) {
      const [leaf] = index.leaves
      const found = finish(index.compile(query).scoreSteps(leaf!))
      expect(found).toEqual(index.compile(query).scores(leaf!))
      expect(found.docs.length).toBeGreaterThan(100)
      expect(finish(index.compile({ dis_max: { queries: [query] } }).scoreSteps(leaf!))).toEqual(found)
      for (const filtered of [{ bool: { filter: query } }, { constant_score: { filter: query } }]) {
        expect(finish(index.compile(filtered).scoreSteps(leaf!)).docs).toEqual(found.docs)
        expect(finish(index.compile(filtered).matchingSteps(leaf!)).array()).toEqual(found.docs)
      }
      // min_score and boosts matter even when scores are not requested.
      expect(finish(index.compile(query).matchingSteps(leaf!)).array()).toEqual(found.docs)
      const doubled = index.compile({ function_score: { ...query.function_score, boost: 2, min_score: 6 } })
      expect(finish(doubled.matchingSteps(leaf!)).array()).toEqual(found.docs)
    }
  })

  it('many values or clauses yield often, however few documents there are', () => {
    const index = indices.get('plain')!
    const [leaf] = index.leaves
    const values = Array.from({ length: 60_000 }, (_, i) => `u${i}`)
    const found = counted(index.compile({ terms: { tag: values } }).matchingSteps(leaf!))
    expect(found.result.count).toBe(size)
    expect(found.count).toBeGreaterThan(100)
    const should = Array.from({ length: 1000 }, (_, i) => ({ match: { tag: `u${i}` } }))
    const compiled = index.compile({ bool: { should } })
    expect(counted(compiled.expandTerms()).count).toBeGreaterThanOrEqual(1000)
    expect(counted(compiled.scoreSteps(leaf!)).count).toBeGreaterThan(1000)
  })
})
