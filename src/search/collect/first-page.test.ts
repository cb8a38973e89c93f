import { describe, expect, it } from 'vitest'
import { firstPageTopDocs, maxTopDocs } from '../query/exec/pruning/block-max-pruning.ts'
import { shortestFloat } from '../request/float-text.ts'
import { searchPage } from './execute-search.ts'
import { parseSearchRequest } from './request/parse-request.ts'
import { SearchCache } from './search-cache.ts'
import { idsOf, search, type TestDoc, type TestResponse, testIndex } from './test-search.ts'

/** The first words are frequent, and some occur twice in a text. */
const words = ['red', 'green', 'blue', 'old', 'new', 'small', 'large', 'round']

function documents(from: number, count: number): TestDoc[] {
  return Array.from({ length: count }, (_, i) => {
    const n = from + i
    const text: string[] = []
    for (let at = 0; at < 1 + (n % 5); at++) {
      const hash = (Math.imul(n * 5 + at + 1, 0x9e37_79b1) >>> 8) % 1000
      text.push(words[Math.floor(words.length * (hash / 1000) ** 2)]!)
    }
    return { id: String(n), source: { text: text.join(' ') }, isDeleted: n % 97 === 0 }
  })
}

// Large segments with and without deletions, and a small one.
const index = testIndex([
  [documents(0, 34_000), documents(34_000, 3000)],
  [documents(37_000, 34_000).map((document) => ({ ...document, isDeleted: false }))],
])
const match = (query: string) => ({ match: { text: query } })
const queries = [
  ...['red green', 'old large', 'green blue small', 'red green blue old new large'].map(match),
  { bool: { must: match('red green'), filter: match('old') } },
  { bool: { must: match('red green'), must_not: match('old') } },
  { bool: { must: [{ bool: { must: match('red blue') } }], filter: [match('green'), match('red old')] } },
  match('green'),
  { bool: { must: match('red'), filter: match('green') } },
  { bool: { must: [match('red'), match('green')] } },
  { match: { text: { query: 'red green blue', operator: 'and' } } },
  { bool: { must: [match('red'), match('old')], must_not: match('large'), filter: match('green blue') } },
  { bool: { should: [match('red'), match('old')], minimum_should_match: 1, filter: match('green blue') } },
  // Pruning does not apply to these, so all scores are computed.
  { bool: { should: [match('red'), match('old')], filter: match('green blue') } },
  { bool: { should: [match('red'), match('old'), match('green')], minimum_should_match: 2 } },
  { bool: { must: match('red green'), filter: match('round') } },
  { bool: { must: match('red green'), should: match('old new') } },
  { bool: { must: [match('red green'), match('old new')] } },
  { bool: { must: match('red green'), minimum_should_match: 1, should: [] } },
  { script_score: { query: match('green'), script: { source: 'Math.log(2 + _score) * 3' } } },
  { script_score: { query: match('red old'), script: { source: '_score * _score' }, boost: 3 } },
  { function_score: { query: match('red'), random_score: { seed: 7, field: '_seq_no' } } },
  ...['replace', 'sum', 'avg', 'max', 'min'].map((boost_mode) => ({
    function_score: {
      query: match('green'),
      random_score: { seed: 9, field: '_seq_no' },
      boost_mode,
      max_boost: 0.75,
    },
  })),
  { function_score: { random_score: { seed: 10, field: '_seq_no' }, boost_mode: 'replace' } },
  {
    function_score: {
      query: { constant_score: { filter: match('blue') } },
      functions: [{ weight: 2 }, { random_score: { seed: 11, field: '_seq_no' } }],
      score_mode: 'sum',
    },
  },
  {
    bool: {
      must: { function_score: { query: match('red'), random_score: { seed: 12, field: '_seq_no' } } },
      filter: match('green'),
    },
  },
  {
    function_score: {
      query: { constant_score: { filter: match('red old') } },
      functions: [{ filter: match('green'), weight: 3 }, { random_score: { seed: 8, field: '_seq_no' } }],
      min_score: 0.25,
    },
  },
]

const shown = ({ hits }: TestResponse) => ({
  total: hits.total,
  max: hits.max_score,
  hits: hits.hits.map(({ _id, _score }) => [_id, _score]),
})

/** All matches, scored without pruning and sorted. */
function sorted(query: object) {
  const { shards } = searchPage([index], parseSearchRequest({ query }), { node: 'node' }).search
  const hits = shards.flatMap((shard) =>
    shard.leaves.flatMap(({ reader }) => {
      const { docs, scores } = shard.query.scores(reader)
      return Array.from(docs, (doc, i) => [reader.segment.id(doc), shortestFloat(scores[i]!)] as const)
    }),
  )
  return hits.sort(([, one], [, other]) => other - one)
}

describe('a first page by score', () => {
  it.each(queries)('is that of all matches: %j', (query) => {
    // min_score needs all scores.
    const all = shown(search(index, { query, min_score: 0, size: 300 }))
    const expected = sorted(query)
    expect(all.total).toEqual({ value: expected.length, relation: 'eq' })
    expect(all.hits).toEqual(expected.slice(0, 300))
    const deep = Math.floor(expected.length * 0.7)
    expect(shown(search(index, { query, from: deep, size: 20 })).hits).toEqual(
      expected.slice(deep, deep + 20),
    )
    for (const [from, size] of [
      [0, 10],
      [0, firstPageTopDocs - 1],
      [0, firstPageTopDocs],
      [17, 25],
      [200, maxTopDocs - 201],
      [200, maxTopDocs - 200],
      [250, 50],
    ] as const) {
      const page = shown(search(index, { query, from, size }))
      expect(page).toEqual({ ...all, hits: all.hits.slice(from, from + size) })
    }
  })

  it('computes all scores when a deeper page is read', () => {
    const query = queries[0]!
    const fresh = (body: object) => search(index, { query, ...body })
    for (const body of [
      { from: 900, size: 5 },
      { sort: ['_score', '_doc'], size: 3, search_after: [1.5, 100] },
      { size: 3, rescore: { window_size: 400, query: { rescore_query: { match: { text: 'blue' } } } } },
      { post_filter: { match: { text: 'round' } }, size: 5 },
      { collapse: { field: 'text.keyword' }, size: 5 },
      { size: 4, explain: true },
    ]) {
      const context = { cache: new SearchCache() }
      search(index, { query }, { context })
      expect(shown(search(index, { query, ...body }, { context }))).toEqual(shown(fresh(body)))
    }
  })

  it.each([
    [queries[0]!, maxTopDocs],
    [{ script_score: { query: match('green'), script: { source: '_score + 1' } } }, firstPageTopDocs],
  ])('computes only the top k for the first page: %j', (query, count) => {
    const cache = new SearchCache()
    const page = (body: object) =>
      searchPage([index], parseSearchRequest({ query, ...body }), { node: 'node', cache }).search
    const first = page({})
    const long = first.hits.map(({ leaf }) => leaf).filter(({ reader }) => reader.segment.docCount > 10_000)
    const known = () => long.map((leaf) => first.scores.best?.(leaf)?.docs.length)
    expect(known()).toEqual([count, count])
    expect(page({ from: count - 11 })).toBe(first)
    expect(known()).toEqual([count, count])
    // A page looks one hit ahead.
    expect(page({ from: count - 10 })).toBe(first)
    expect(known()).toEqual([undefined, undefined])
    expect(idsOf(search(index, { query }, { context: { cache } }))).toEqual(idsOf(search(index, { query })))
  })
})
