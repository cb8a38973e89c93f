/** Answers of a real OpenSearch 3.8 to the same requests over the same documents. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNode, type TestAnswer, type TestNode } from './testing.ts'

let node: TestNode

const lines = [
  { index: { _id: '1' } },
  {
    title: 'quick brown fox',
    flat: 'quick quick',
    tag: 'red',
    sim: 'red',
    n: 1,
    price: 1.5,
    place: '52.52,13.405',
    comments: [{ author: 'ann', stars: 5 }, { author: 'bob' }],
  },
  { index: { _id: '2' } },
  { title: '', flat: 'quick', tag: 'red', sim: 'blue', n: 2, price: 4 },
  { index: { _id: '3' } },
  { title: 'lazy dog', tag: 'blue', sim: 'blue', n: 3, price: 2 },
  { index: { _id: '4' } },
  { title: 'quick dog', tag: ['green', 'red'], price: 8 },
]

beforeAll(async () => {
  node = await startTestNode('opensearch')
  const stars = { author: { type: 'keyword' }, stars: { type: 'integer' } }
  await node.ask('PUT', '/t', {
    mappings: {
      properties: {
        title: { type: 'text' },
        flat: { type: 'text', similarity: 'boolean' },
        tag: { type: 'keyword' },
        sim: { type: 'keyword', use_similarity: true },
        n: { type: 'integer' },
        d: { type: 'date' },
        price: { type: 'double' },
        place: { type: 'geo_point' },
        comments: { type: 'nested', properties: stars },
      },
    },
  })
  await node.ask('POST', '/t/_bulk?refresh', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
})
afterAll(() => node.close())

const search = (body: unknown) => node.ask('POST', '/t/_search', body)
const hits = (answer: TestAnswer) => answer.at('hits.hits') as Record<string, unknown>[]
const scores = (answer: TestAnswer) => hits(answer).map(({ _id, _score }) => [_id, _score])

describe('scores', () => {
  it('leave texts without tokens out of the statistics of a field', async () => {
    const answer = await search({ query: { match: { title: 'quick' } } })
    expect(scores(answer)).toEqual([
      ['4', 0.2268983],
      ['1', 0.19128054],
    ])
    const vectors = await node.ask('POST', '/t/_termvectors/1', { fields: ['title'] })
    expect(vectors.at('term_vectors.title.field_statistics')).toEqual({
      sum_doc_freq: 7,
      doc_count: 3,
      sum_ttf: 7,
    })
  })

  it('are 1 for keywords, unless these use a similarity', async () => {
    expect(scores(await search({ query: { term: { tag: 'blue' } } }))).toEqual([['3', 1]])
    expect(scores(await search({ query: { term: { sim: 'red' } } }))).toEqual([['1', 0.44583148]])
  })

  it('have the last boost of a field that is listed twice, and the product of patterns', async () => {
    const best = async (kind: string, fields: readonly string[]) =>
      (await search({ size: 1, query: { [kind]: { query: 'quick', fields } } })).at(
        'hits.max_score',
      ) as number
    const once = await best('multi_match', ['title'])
    for (const kind of ['multi_match', 'query_string', 'simple_query_string', 'combined_fields']) {
      expect(await best(kind, ['title^3', 'title'])).toBe(await best(kind, ['title']))
    }
    expect(await best('multi_match', ['title^3', 'title', 'titl*^2'])).toBeCloseTo(once * 2, 6)
  })

  it('are refused with a tie breaker beyond 1', async () => {
    const reason = 'failed to create query: tieBreakerMultiplier must be in [0, 1]'
    for (const query of [
      { dis_max: { tie_breaker: 2, queries: [{ match_all: {} }] } },
      { multi_match: { tie_breaker: 2, query: 'quick', fields: ['title', 'flat'] } },
    ]) {
      const answer = await search({ query })
      expect(answer.status).toBe(400)
      expect(answer.at('error.root_cause.0.reason')).toBe(reason)
    }
  })

  it('are the boost alone with the boolean similarity', async () => {
    expect(scores(await search({ query: { match: { flat: 'quick' } } }))).toEqual([
      ['1', 1],
      ['2', 1],
    ])
  })

  it('are the same in explanations', async () => {
    const answer = await node.ask('POST', '/t/_explain/4', { query: { match: { title: 'quick' } } })
    expect(answer.at('explanation.value')).toBe(0.2268983)
  })

  it('decide what is counted with min_score', async () => {
    const query = { query: { match: { title: 'quick' } } }
    expect((await node.ask('POST', '/t/_count?min_score=0.2', query)).at('count')).toBe(1)
    expect((await node.ask('POST', '/t/_count?min_score=0.7', query)).at('count')).toBe(0)
  })
})

describe('errors of shards', () => {
  it('name the root cause with its own causes once more', async () => {
    const answer = await search({ query: { match: { n: 'x' } } })
    expect(answer.status).toBe(400)
    expect(answer.at('error.caused_by')).toMatchObject({
      type: 'query_shard_exception',
      reason: 'failed to create query: For input string: "x"',
      index: 't',
      caused_by: { type: 'number_format_exception', reason: 'For input string: "x"' },
    })
  })

  it('show a cause of foreign type twice', async () => {
    const answer = await search({ collapse: { field: 'd' } })
    const cause = {
      type: 'illegal_argument_exception',
      reason: 'unknown type for collapse field `d`, only keywords and numbers are accepted',
    }
    expect(answer.status).toBe(400)
    expect(answer.at('error.root_cause')).toEqual([cause])
    expect(answer.at('error.caused_by')).toEqual({ ...cause, caused_by: cause })
  })

  it('refuse a sampler without aggregations inside', async () => {
    const answer = await search({ size: 0, aggs: { b: { sampler: {} } } })
    expect(answer.status).toBe(500)
    expect(answer.at('error.root_cause')).toEqual([
      {
        type: 'aggregation_execution_exception',
        reason: 'Sampler aggregation must be used with child aggregations.',
      },
    ])
  })
})

describe('hits', () => {
  it('have no field of a collapse they have no value for', async () => {
    const answer = await search({ collapse: { field: 'n' }, _source: false, sort: ['price'] })
    expect(hits(answer).map(({ fields }) => fields)).toEqual([{ n: [1] }, { n: [3] }, { n: [2] }, undefined])
  })

  it('filter the source of nested objects by whole paths', async () => {
    const nested = (source: unknown) =>
      search({
        query: {
          nested: {
            path: 'comments',
            query: { exists: { field: 'comments.stars' } },
            inner_hits: { _source: source },
          },
        },
      })
    const inner = async (source: unknown) => {
      const [hit] = hits(await nested(source)) as {
        inner_hits: { comments: { hits: { hits: unknown[] } } }
      }[]
      return hit!.inner_hits.comments.hits.hits[0]
    }
    expect(await inner(['comments.author'])).toMatchObject({ _source: { author: 'ann' } })
    expect(await inner(['author'])).toMatchObject({ _source: {} })
  })

  it('name matched clauses in the order of a hash map', async () => {
    const names = ['zeta', 'alpha', 'q1', 'q0', 'some longer name']
    const should = names.map((_name) => ({ match_all: { _name } }))
    const answer = await search({ size: 1, query: { bool: { should } } })
    expect(hits(answer)[0]!['matched_queries']).toEqual(['zeta', 'q1', 'some longer name', 'alpha', 'q0'])
  })

  it('show missing integers of a sort as the ends of 32 bits', async () => {
    const sort = (order: string) => search({ sort: [{ n: { order, missing: '_first' } }], size: 1 })
    expect(hits(await sort('asc'))[0]!['sort']).toEqual([-2147483648])
    expect(hits(await sort('desc'))[0]!['sort']).toEqual([2147483647])
    const next = await search({ sort: [{ n: 'desc' }, { _id: 'asc' }], search_after: [1, '9'] })
    expect(hits(next).map(({ _id }) => _id)).toEqual(['4'])
  })

  it('print doc values of places in steps of 32 bits', async () => {
    const answer = await search({ size: 1, docvalue_fields: ['place'], _source: false })
    expect(hits(answer)[0]!['fields']).toEqual({ place: ['52.51999998930842, 13.404999962076545'] })
  })
})

describe('places', () => {
  const distances = async (order: string, place: unknown) => {
    const answer = await search({
      _source: false,
      sort: [{ _geo_distance: { place, order } }, { _id: 'asc' }],
    })
    return hits(answer).map(({ _id, sort }) => [_id, (sort as unknown[])[0]])
  }

  it('written as geohash are the lowest corner of the cell', async () => {
    const [, first] = (await distances('asc', 'u33'))[0]!
    expect(first).toBeCloseTo(74488.48168995511, 1)
    expect((await distances('asc', [12.65625, 52.03125]))[0]![1]).toBe(first)
  })

  it('of a box written as geohash are the corners that make it largest', async () => {
    const box = { top_left: 'u', bottom_right: 'u' }
    const answer = await node.ask('POST', '/t/_count', { query: { geo_bounding_box: { place: box } } })
    expect(answer.at('count')).toBe(1)
  })

  it('that are missing are infinitely far away, in either order', async () => {
    expect((await distances('desc', 'u33')).map(([id]) => id)).toEqual(['2', '3', '4', '1'])
    expect((await distances('desc', 'u33'))[0]).toEqual(['2', 'Infinity'])
  })
})

describe('requests that are refused', () => {
  it.each([
    [
      { query: { function_score: { functions: [{}] } } },
      'failed to parse [function_score] query. an entry in functions list is missing a function.',
      43,
    ],
    [
      { query: { span_first: { match: { span_term: { title: { value: 'memory', boost: 2 } } }, end: 4 } } },
      "span_first [match] as a nested span clause can't have non-default boost value [2.0]",
      84,
    ],
  ])('say where in the body: %j', async (body, reason, col) => {
    const answer = await search(body)
    expect(answer.status).toBe(400)
    expect(answer.at('error.root_cause')).toEqual([{ type: 'parsing_exception', reason, line: 1, col }])
  })

  it('are those for slices without a scroll', async () => {
    const answer = await search({ slice: { id: 0, max: 2 } })
    expect(answer.status).toBe(500)
    expect(answer.at('error.root_cause')).toEqual([
      {
        type: 'search_exception',
        reason: '`slice` cannot be used outside of a scroll context or PIT context',
      },
    ])
  })

  it('are those for marks of highlights that have no end', async () => {
    const fields = { 'title.english': { pre_tags: ['<b>'] } }
    const answer = await search({ query: { regexp: { plain: { value: 'n[0-9]+' } } }, highlight: { fields } })
    expect(answer.status).toBe(400)
    expect(answer.at('error.root_cause')).toEqual([
      {
        type: 'parsing_exception',
        reason: 'pre_tags are set but post_tags are not set',
        line: 1,
        col: 109,
      },
    ])
    expect(answer.at('error.reason')).toBe('[1:109] [highlight] failed to parse field [fields]')
  })

  it('are those that sort tables by unknown columns', async () => {
    const answer = await node.ask('GET', '/_cat/templates?s=index')
    expect(answer.status).toBe(500)
    expect(answer.at('error.type')).toBe('unsupported_operation_exception')
  })
})

describe('aggregations', () => {
  it('say -1 when shards leave out buckets that another aggregation orders', async () => {
    const terms = { field: 'tag', size: 1, shard_size: 1, order: { m: 'desc' } }
    const answer = await search({ size: 0, aggs: { b: { terms, aggs: { m: { max: { field: 'price' } } } } } })
    expect(answer.at('aggregations.b')).toEqual({
      doc_count_error_upper_bound: -1,
      sum_other_doc_count: 4,
      buckets: [{ key: 'green', doc_count: 1, m: { value: 8 } }],
    })
  })

  it('compute matrix_stats over documents that have all fields', async () => {
    const answer = await search({ size: 0, aggs: { m: { matrix_stats: { fields: ['n', 'price'] } } } })
    expect(answer.at('aggregations.m')).toEqual({
      doc_count: 3,
      fields: [
        {
          name: 'price',
          count: 3,
          mean: 2.5,
          variance: 1.75,
          skewness: expect.closeTo(0.5951700641394974, 12),
          kurtosis: expect.closeTo(1.5, 12),
          covariance: { price: 1.75, n: 0.25 },
          correlation: { price: 1, n: expect.closeTo(0.1889822365046136, 12) },
        },
        {
          name: 'n',
          count: 3,
          mean: 2,
          variance: 1,
          skewness: 0,
          kurtosis: 1.5,
          covariance: { price: 0.25, n: 1 },
          correlation: { price: expect.closeTo(0.1889822365046136, 12), n: 1 },
        },
      ],
    })
  })
})

describe('hits within hits', () => {
  const named = { exists: { field: 'comments.author' } }
  const inside = (inner_hits: unknown) =>
    search({ _source: false, query: { nested: { path: 'comments', query: named, inner_hits } } })
  const innerHits = 'inner_hits.comments.hits'

  it('show the fields of the nested object alone, and its id whatever is stored', async () => {
    const asked = { _source: false, fields: ['comments.*', 'tag'], stored_fields: '_none_' }
    const [hit] = hits(await inside({ ...asked, sort: ['comments.author'], track_scores: true }))
    const of = { _index: 't', _id: '1', _score: null }
    expect(hit).toHaveProperty(`${innerHits}.hits`, [
      {
        ...of,
        _nested: { field: 'comments', offset: 0 },
        fields: { 'comments.author': ['ann'], 'comments.stars': [5] },
        sort: ['ann'],
      },
      {
        ...of,
        _nested: { field: 'comments', offset: 1 },
        fields: { 'comments.author': ['bob'] },
        sort: ['bob'],
      },
    ])
  })

  it('are not sorted where the sort is the score alone', async () => {
    const [hit] = hits(await inside({ _source: false, sort: ['_score'], size: 1 }))
    expect(hit).toHaveProperty(`${innerHits}.max_score`, 1)
    const nested = { field: 'comments', offset: 0 }
    const only = { _index: 't', _id: '1', _nested: nested, _score: 1 }
    expect(hit).toHaveProperty(`${innerHits}.hits`, [only])
  })

  it('have scores in a sorted group when it is sorted by them, in `top_hits` when they are tracked', async () => {
    const inner_hits = { name: 'g', _source: false, sort: ['_score', 'n'] }
    const query = { match: { title: 'quick dog' } }
    const [best] = hits(await search({ size: 1, query, collapse: { field: 'sim', inner_hits } }))
    expect(best).toHaveProperty('inner_hits.g.hits.max_score', 0.4537966)
    expect(best).toHaveProperty('inner_hits.g.hits.hits.0._score', 0.4537966)

    const top = (sort: unknown, more = {}) => ({
      top_hits: { size: 1, _source: false, sort, ...more },
    })
    const aggs = { h: top(['tag', '_score']), t: top(['tag'], { track_scores: true }) }
    const answer = await search({ size: 0, query: { match: { title: 'quick' } }, aggs })
    const first = { _index: 't', _id: '4' }
    expect(answer.at('aggregations.h.hits.max_score')).toBe(null)
    expect(answer.at('aggregations.h.hits.hits')).toEqual([
      { ...first, _score: null, sort: ['green', 0.2268983] },
    ])
    expect(answer.at('aggregations.t.hits.max_score')).toBe(0.2268983)
    expect(answer.at('aggregations.t.hits.hits')).toEqual([{ ...first, _score: 0.2268983, sort: ['green'] }])
  })

  it('are not shown for the filters of `function_score`', async () => {
    const filter = { nested: { path: 'comments', query: named, inner_hits: {} } }
    const function_score = { query: { term: { n: 1 } }, functions: [{ filter, weight: 2 }] }
    const [hit] = hits(await search({ _source: false, query: { function_score } }))
    expect(hit).toEqual({ _index: 't', _id: '1', _score: 2 })
  })

  it('are sorted by the id of their document in `top_hits`', async () => {
    const top_hits = { size: 1, _source: false, sort: [{ _id: 'desc' }] }
    const aggs = { n: { nested: { path: 'comments' }, aggs: { h: { top_hits } } } }
    expect((await search({ size: 0, aggs })).at('aggregations.n.h.hits.hits.0.sort')).toEqual(['1'])
  })

  it('have the score of their document in `top_hits`, and 0 in a group without a query', async () => {
    const aggs = { n: { nested: { path: 'comments' }, aggs: { h: { top_hits: { _source: false } } } } }
    const answer = await search({ size: 0, query: { match: { title: 'quick' } }, aggs })
    expect(answer.at('aggregations.n.h.hits.max_score')).toBe(0.19128054)
    expect(answer.at('aggregations.n.h.hits.hits.0._score')).toBe(0.19128054)
    const inner_hits = { name: 'g', size: 1, _source: false }
    const [first] = hits(await search({ size: 1, sort: ['n'], collapse: { field: 'sim', inner_hits } }))
    expect(first).toHaveProperty('inner_hits.g.hits.max_score', 0)
    expect(first).toHaveProperty('inner_hits.g.hits.hits.0._score', 0)
  })
})

describe('the index of a single document', () => {
  const missing = {
    type: 'index_not_found_exception',
    reason: 'no such index [t*]',
    index: 't*',
    'resource.id': 't*',
    'resource.type': 'index_expression',
    index_uuid: '_na_',
  }

  it('is not found by a pattern', async () => {
    const answer = await node.ask('GET', '/t*/_doc/1')
    expect(answer.status).toBe(404)
    expect(answer.json).toEqual({ error: { root_cause: [missing], ...missing }, status: 404 })
    const many = await node.ask('POST', '/_mget', { docs: [{ _index: 't*', _id: '1' }] })
    const error = { root_cause: [missing], ...missing }
    expect(many.json).toEqual({ docs: [{ _index: 't*', _id: '1', error }] })
  })
})

it('says that all shards failed, also where no part may be missing', async () => {
  const answer = await node.ask('POST', '/t/_search?allow_partial_search_results=false', { sort: ['nope'] })
  expect(answer.status).toBe(400)
  expect(answer.at('error.reason')).toBe('all shards failed')
})

it('checks the conditions in the body of an update', async () => {
  const doc = { doc: { n: 1 } }
  await node.ask('PUT', '/u/_doc/1?refresh', { n: 0 })
  const stale = await node.ask('POST', '/u/_update/1', { ...doc, if_seq_no: 7, if_primary_term: 1 })
  expect(stale.status).toBe(409)
  expect(stale.at('error.reason')).toBe(
    '[1]: version conflict, required seqNo [7], primary term [1]. current document has seqNo [0] and primary term [1]',
  )
  const fresh = await node.ask('POST', '/u/_update/1', { ...doc, if_seq_no: 0, if_primary_term: 1 })
  expect(fresh.at('result')).toBe('updated')
})

it('searches the fields of `index.query.default_field`, and no others', async () => {
  const settings = { 'index.query.default_field': ['t', 'n'] }
  const properties = { t: { type: 'text' }, n: { type: 'integer' } }
  await node.ask('PUT', '/standard', { settings, mappings: { properties } })
  await node.ask('PUT', '/standard/_doc/1?refresh', { t: 'hello', n: 1, k: 'kk' })
  const found = async (text: string) => (await node.ask('GET', `/standard/_search?q=${text}`)).status
  expect(await found('1')).toBe(200)
  expect(await found('hello')).toBe(400)
  const query = { simple_query_string: { query: 'kk', lenient: true } }
  expect((await node.ask('POST', '/standard/_search', { query })).at('hits.total.value')).toBe(0)
})
