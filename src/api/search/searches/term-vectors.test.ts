/** `_termvectors`, against the examples of the Elasticsearch documentation and the shapes it answers with. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNode, type TestNode } from '../testing.ts'

let node: TestNode
beforeAll(async () => {
  node = await startTestNode()
  await node.ask('PUT', '/people', {
    settings: {
      number_of_shards: 1,
      // Figures are those of the two documents below.
      refresh_interval: '-1',
      analysis: {
        analyzer: { fulltext: { type: 'custom', tokenizer: 'whitespace', filter: ['lowercase'] } },
      },
    },
    mappings: {
      properties: {
        text: { type: 'text', term_vector: 'with_positions_offsets_payloads', analyzer: 'fulltext' },
        fullname: { type: 'text', analyzer: 'fulltext', fields: { raw: { type: 'keyword' } } },
        bare: { type: 'text', term_vector: 'yes' },
        age: { type: 'integer' },
      },
    },
  })
  await node.ask('PUT', '/people/_doc/1', { fullname: 'John Doe', text: 'test test test ' })
  await node.ask('PUT', '/people/_doc/2?refresh=true', { fullname: 'Jane Doe', text: 'Another test ...' })
})
afterAll(() => node.close())

const vectors = (path: string, body?: unknown) => node.ask('POST', `/people/_termvectors${path}`, body)
const token = (position: number, start: number, end: number) => ({
  position,
  start_offset: start,
  end_offset: end,
})

describe('term vectors', () => {
  it('come with statistics of the term and of the field', async () => {
    const { json, status } = await vectors('/1', {
      fields: ['text'],
      offsets: true,
      payloads: true,
      positions: true,
      term_statistics: true,
      field_statistics: true,
    })
    expect(status).toBe(200)
    expect(json).toEqual({
      _index: 'people',
      _id: '1',
      _version: 1,
      found: true,
      took: expect.any(Number),
      term_vectors: {
        text: {
          field_statistics: { sum_doc_freq: 4, doc_count: 2, sum_ttf: 6 },
          terms: {
            test: {
              doc_freq: 2,
              ttf: 4,
              term_freq: 3,
              tokens: [token(0, 0, 4), token(1, 5, 9), token(2, 10, 14)],
            },
          },
        },
      },
    })
  })

  it('cover the fields with term_vector, unless fields are named', async () => {
    expect(Object.keys((await vectors('/1')).at('term_vectors') as object)).toEqual(['text'])
    const named = await vectors('/1?fields=fullname*,age,none')
    expect(named.at('term_vectors')).toMatchObject({
      fullname: { terms: { doe: { term_freq: 1, tokens: [token(1, 5, 8)] }, john: { term_freq: 1 } } },
      'fullname.raw': { terms: { 'John Doe': { term_freq: 1, tokens: [token(0, 0, 8)] } } },
    })
    expect(Object.keys(named.at('term_vectors') as object).sort()).toEqual(['fullname', 'fullname.raw'])
  })

  it('show positions and offsets as requested and mapped', async () => {
    const { at } = await vectors('/2?fields=text&positions=false&field_statistics=false')
    expect(at('term_vectors.text')).toEqual({
      terms: {
        '...': { term_freq: 1, tokens: [{ start_offset: 13, end_offset: 16 }] },
        another: { term_freq: 1, tokens: [{ start_offset: 0, end_offset: 7 }] },
        test: { term_freq: 1, tokens: [{ start_offset: 8, end_offset: 12 }] },
      },
    })
    const none = await vectors('/2?fields=text&positions=false&offsets=false')
    expect(none.at('term_vectors.text.terms.test')).toEqual({ term_freq: 1 })
    await node.ask('PUT', '/people/_doc/bare', { bare: 'a a' })
    expect((await vectors('/bare')).at('term_vectors.bare')).toEqual({
      field_statistics: { sum_doc_freq: 1, doc_count: 1, sum_ttf: 2 },
      terms: { a: { term_freq: 2 } },
    })
    await node.ask('DELETE', '/people/_doc/bare')
  })

  it('go on from value to value, a gap of positions apart', async () => {
    await node.ask('PUT', '/people/_doc/list', { text: ['one two', 'three'], __proto__: 'x' })
    expect((await vectors('/list')).at('term_vectors.text.terms.three.tokens')).toEqual([token(102, 8, 13)])
    await node.ask('DELETE', '/people/_doc/list')
  })

  it('are not found for a missing document', async () => {
    const { json, status } = await vectors('/9')
    expect(status).toBe(200)
    expect(json).toEqual({
      _index: 'people',
      _id: '9',
      _version: 0,
      found: false,
      took: expect.any(Number),
    })
    const missing = await node.ask('GET', '/nowhere/_termvectors/1')
    expect([missing.status, missing.at('error.type')]).toEqual([404, 'index_not_found_exception'])
  })

  it('are realtime', async () => {
    await node.ask('PUT', '/people/_doc/new', { text: 'fresh' })
    expect((await vectors('/new')).at('term_vectors.text.terms.fresh.term_freq')).toBe(1)
    expect((await vectors('/new?realtime=false')).at('found')).toBe(false)
    await node.ask('DELETE', '/people/_doc/new')
  })
})

describe('an artificial document', () => {
  it('is analysed by the mapping, or by a per-field analyzer', async () => {
    const doc = { fullname: 'John Doe', text: 'test test test' }
    const { json } = await vectors('', {
      doc,
      fields: ['fullname'],
      per_field_analyzer: { fullname: 'keyword' },
    })
    expect(json).toEqual({
      _index: 'people',
      _version: 0,
      found: true,
      took: expect.any(Number),
      term_vectors: {
        fullname: {
          field_statistics: { sum_doc_freq: 4, doc_count: 2, sum_ttf: 4 },
          terms: { 'John Doe': { term_freq: 1, tokens: [token(0, 0, 8)] } },
        },
      },
    })
    const all = (await vectors('', { doc })).at('term_vectors') as object
    expect(Object.keys(all).sort()).toEqual(['fullname', 'fullname.raw', 'text'])
  })

  it('may have unmapped fields, which do not change the mapping', async () => {
    const answer = await vectors('', { doc: { title: 'New words' }, term_statistics: true })
    expect(answer.at('term_vectors')).toMatchObject({
      title: {
        field_statistics: { sum_doc_freq: 2, doc_count: 1, sum_ttf: 2 },
        terms: { new: { term_freq: 1 }, words: { term_freq: 1 } },
      },
      'title.keyword': { terms: { 'New words': { term_freq: 1 } } },
    })
    expect(answer.at('term_vectors.title.terms.new.doc_freq')).toBeUndefined()
    expect((await node.ask('GET', '/people/_mapping')).text).not.toContain('title')
  })
})

describe('a filter', () => {
  it('keeps the terms with the highest tf-idf', async () => {
    const { at } = await vectors('/2', { fields: ['text'], filter: { max_num_terms: 2 } })
    // One document of two: ln(3 / 2) + 1.
    const score = Math.fround(Math.log(1.5) + 1)
    expect(at('term_vectors.text.terms.another.score')).toBeCloseTo(score, 6)
    expect(Object.keys(at('term_vectors.text.terms') as object)).toEqual(['...', 'another'])
  })

  it.each([
    [{ min_term_freq: 2 }, []],
    [{ min_doc_freq: 2 }, ['test']],
    [{ max_doc_freq: 1, min_word_length: 4 }, ['another']],
    [{ max_word_length: 4, max_term_freq: 1 }, ['...', 'test']],
  ])('by %j', async (filter, terms) => {
    const { at } = await vectors('/2', { fields: ['text'], filter })
    expect(Object.keys(at('term_vectors.text.terms') as object)).toEqual(terms)
  })
})

describe('wrong requests', () => {
  it.each([
    [
      '/1',
      { nothing: 1 },
      'parse_exception',
      'failed to parse term vectors request. unknown field [nothing]',
    ],
    [
      '/1',
      { doc: {} },
      'parse_exception',
      'failed to parse term vectors request. either [id] or [doc] can be specified, but not both!',
    ],
    [
      '/1',
      { fields: 'text' },
      'parse_exception',
      'failed to parse term vectors request. field [fields] must be an array',
    ],
    [
      '/1',
      { filter: { most: 1 } },
      'parse_exception',
      'failed to parse term vectors request. the field [most] is not valid for filter parameter for term vector request',
    ],
    ['', {}, 'action_request_validation_exception', 'Validation Failed: 1: id or doc is missing;'],
  ])('%s %j', async (path, body, type, reason) => {
    const { status, at } = await vectors(path, body)
    expect([status, at('error.type'), at('error.reason')]).toEqual([400, type, reason])
  })
})

describe('_mtermvectors', () => {
  const many = (path: string, body?: unknown) => node.ask('POST', `${path}/_mtermvectors`, body)

  it('accepts ids with shared parameters', async () => {
    const { at } = await many('/people', { ids: ['2', '1', '9'], parameters: { fields: ['text'] } })
    expect(at('docs.0.term_vectors.text.terms.another.term_freq')).toBe(1)
    expect(at('docs.1.term_vectors.text.terms.test.term_freq')).toBe(3)
    expect(at('docs.2.found')).toBe(false)
    expect((await node.ask('GET', '/people/_mtermvectors?ids=1&fields=text')).at('docs.0._id')).toBe('1')
  })

  it('reports an error per document', async () => {
    const { status, at } = await many('', {
      docs: [
        { _index: 'people', _id: '1', fields: ['fullname'] },
        { _index: 'nowhere', _id: '1' },
        { _index: 'people', doc: { text: 'made up' } },
      ],
    })
    expect(status).toBe(200)
    expect(Object.keys(at('docs.0.term_vectors') as object)).toEqual(['fullname'])
    expect(at('docs.1')).toMatchObject({
      _index: 'nowhere',
      _id: '1',
      error: { type: 'index_not_found_exception' },
    })
    expect(at('docs.2.term_vectors.text.terms.made.term_freq')).toBe(1)
  })

  it('refuses an empty list', async () => {
    const { status, at } = await many('/people', { docs: [] })
    expect([status, at('error.reason')]).toEqual([
      400,
      'Validation Failed: 1: multi term vectors: no documents requested;',
    ])
    expect((await many('/people', { docs: [1] })).at('error.type')).toBe('parse_exception')
    expect((await many('/people', { other: [] })).at('error.reason')).toBe(
      'no parameter named [other] and type ARRAY',
    )
  })
})
