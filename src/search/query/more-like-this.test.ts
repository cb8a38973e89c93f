import { describe, expect, it } from 'vitest'
import { parseQuery } from './dsl/parse-query.ts'
import { TestIndex } from './test-index.ts'

const mapping = {
  properties: {
    title: { type: 'text', fields: { raw: { type: 'keyword' } } },
    body: { type: 'text', analyzer: 'english' },
    tag: { type: 'keyword' },
    n: { type: 'long' },
  },
}
const sources = [
  { title: 'red fox', body: 'foxes running and running', tag: ['a', 'b'], n: 1 },
  { title: 'red wolf', body: 'a wolf runs', tag: 'a', n: 2 },
  { title: 'blue whale', body: 'whales swim', tag: 'c', n: 3 },
  { title: 'grey fox', body: 'the fox sleeps', tag: ['b', 'c'], n: 4 },
  { title: 'grey wolf', body: 'wolves howl', tag: 'd', n: 5 },
  { title: 'red panda', body: 'pandas sleep and sleep', tag: 'e', n: 6 },
] as const

const index = new TestIndex(mapping, {
  lookUp: ({ index: name, id }) => (name === 'test' ? sources[Number(id)] : undefined),
}).add(...sources)

/** Selects every word, and requires one of them. */
const loose = { min_term_freq: 1, min_doc_freq: 1, minimum_should_match: 1 }
const ids = (options: object) => index.find({ more_like_this: { ...loose, ...options } })

describe('more_like_this', () => {
  it('finds what shares words with a text, each in the field that has it most often', () => {
    expect(ids({ fields: ['title'], like: 'A red wolf' })).toEqual(['0', '1', '4', '5'])
    expect(ids({ fields: ['body'], like: 'he runs' })).toEqual(['0', '1'])
    expect(ids({ fields: ['tag'], like: ['a', 'e'] })).toEqual(['0', '1', '5'])
    expect(ids({ fields: ['title', 'body'], like: 'fox sleeping' })).toEqual(['0', '3'])
    expect(ids({ fields: ['title', 'body'], like: 'sleep' })).toEqual(['3', '5'])
    expect(ids({ like: 'whale' })).toEqual(['2'])
    const byDefault = new TestIndex(mapping, { defaultFields: ['title^2', 'n'] }).add(...sources)
    expect(byDefault.find({ more_like_this: { ...loose, like: 'sleep fox 4' } })).toEqual(['0', '3'])
  })

  it('finds what shares words with documents, but not those themselves', () => {
    expect(ids({ fields: ['title'], like: { _id: '0' } })).toEqual(['1', '3', '5'])
    expect(ids({ fields: ['title'], like: { _id: '0' }, include: true })).toEqual(['0', '1', '3', '5'])
    expect(ids({ fields: ['tag'], like: [{ _id: '0' }, { _index: 'test', _id: '4' }] })).toEqual(['1', '3'])
    expect(ids({ fields: ['title.raw'], like: { _id: '0' }, include: true })).toEqual(['0'])
    expect(ids({ fields: ['title'], like: { _id: '77' } })).toEqual([])
    expect(ids({ like: { _id: '2', fields: ['tag'] } })).toEqual(['3'])
    expect(ids({ fields: ['title'], like: { doc: { title: ['blue', 'panda'] } } })).toEqual(['2', '5'])
    expect(
      ids({ fields: ['body'], like: { doc: { body: 'runs' }, per_field_analyzer: { body: 'whitespace' } } }),
    ).toEqual([])
  })

  it('ignores words by frequency, length and stop words', () => {
    expect(ids({ fields: ['title'], like: 'red wolf', stop_words: ['red'] })).toEqual(['1', '4'])
    expect(ids({ fields: ['title'], like: 'red wolf', unlike: 'a Wolf' })).toEqual(['0', '1', '5'])
    expect(ids({ fields: ['title'], like: 'red wolf', unlike: { _id: '5' } })).toEqual(['1', '4'])
    expect(ids({ fields: ['title'], like: 'red wolf', min_word_length: 4 })).toEqual(['1', '4'])
    expect(ids({ fields: ['title'], like: 'red wolf', max_word_length: 3 })).toEqual(['0', '1', '5'])
    expect(ids({ fields: ['title'], like: 'red red wolf', min_term_freq: 2 })).toEqual(['0', '1', '5'])
    expect(ids({ fields: ['title'], like: 'red wolf', min_doc_freq: 3 })).toEqual(['0', '1', '5'])
    expect(ids({ fields: ['title'], like: 'red wolf', max_doc_freq: 2 })).toEqual(['1', '4'])
    // Rarer words have a higher tf-idf.
    expect(ids({ fields: ['title'], like: 'red wolf', max_query_terms: 1 })).toEqual(['1', '4'])
    expect(ids({ fields: ['title'], like: 'red red red wolf', max_query_terms: 1 })).toEqual(['0', '1', '5'])
  })

  it('applies minimum_should_match to the selected words', () => {
    expect(ids({ fields: ['title'], like: 'red wolf', minimum_should_match: '100%' })).toEqual(['1'])
    const like = 'red wolf grey panda whale fox blue'
    const found = (options: object) =>
      index.find({
        more_like_this: { fields: ['title'], like, min_term_freq: 1, min_doc_freq: 1, ...options },
      })
    // 30 % of seven are two.
    expect(found({})).toEqual(['0', '1', '2', '3', '4', '5'])
    expect(found({ minimum_should_match: '50%' })).toEqual([])
    // By default words must occur twice, and in five documents.
    expect(index.find({ more_like_this: { fields: ['title'], like } })).toEqual([])
  })

  it('boosts words by their tf-idf when boost_terms is set', () => {
    const scores = (query: unknown) => index.compile(query).scores(index.leaves[0]!).scores
    const plain = scores({ more_like_this: { ...loose, fields: ['title'], like: 'red wolf' } })
    expect(plain).toEqual(scores({ match: { title: 'red wolf' } }))
    // ln((6 + 1) / (documents + 1)) + 1 of each: the least gets the boost, the other in proportion.
    const [red, wolf] = [3, 2].map((docs) => Math.fround(Math.log(7 / (docs + 1)) + 1)) as [number, number]
    const boosted = scores({
      more_like_this: { ...loose, fields: ['title'], like: 'red wolf', boost_terms: 2, boost: 3 },
    })
    const should = [
      { match: { title: { query: 'red', boost: 2 } } },
      { match: { title: { query: 'wolf', boost: Math.fround((2 * wolf) / red) } } },
    ]
    expect(boosted).toEqual(scores({ bool: { should, boost: 3 } }))
  })

  it.each<[object, string]>([
    [{ fields: ['title'] }, "more_like_this requires 'like' to be specified"],
    [{ fields: [], like: 'x' }, "more_like_this requires 'fields' to be non-empty"],
    [{ like: 'x', max_query_terms: 0 }, "requires 'maxQueryTerms' to be greater than 0"],
    [{ like: [3] }, "Content of 'like' parameter should either be a string or an object"],
    [{ like: 'x', other: 1 }, '[mlt] query does not support [other]'],
    [{ like: { id: 1 } }, 'failed to parse More Like This item. unknown field [id]'],
    [
      { like: { _id: '1', doc: {} } },
      'failed to parse More Like This item. either [id] or [doc] can be specified, but not both!',
    ],
  ])('refuses %j', (body, reason) => {
    expect(() => parseQuery({ more_like_this: body })).toThrow(reason)
  })

  it('refuses unsupported named fields, unless fail_on_unsupported_field is false', () => {
    expect(() => ids({ fields: ['n'], like: '1' })).toThrow(
      'more_like_this only supports text/keyword fields: [n]',
    )
    const options = { fields: ['n', 'title'], like: '1 whale', fail_on_unsupported_field: false }
    expect(ids(options)).toEqual(['2'])
  })
})
