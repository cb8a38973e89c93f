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

  it('print doc values of places in steps of 32 bits', async () => {
    const answer = await search({ size: 1, docvalue_fields: ['place'], _source: false })
    expect(hits(answer)[0]!['fields']).toEqual({ place: ['52.51999998930842, 13.404999962076545'] })
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
