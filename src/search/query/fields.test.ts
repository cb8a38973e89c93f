/** Queries on each field type, and parts of the DSL that single documents demonstrate. */
import { describe, expect, it } from 'vitest'
import { TestIndex } from './test-index.ts'

describe('queries on each field type', () => {
  const index = new TestIndex({
    properties: {
      long: { type: 'long' },
      unsigned: { type: 'unsigned_long' },
      double: { type: 'double' },
      scaled: { type: 'scaled_float', scaling_factor: 100 },
      date: { type: 'date' },
      nanos: { type: 'date_nanos' },
      ip: { type: 'ip' },
      key: { type: 'keyword' },
      lower: { type: 'keyword', normalizer: 'lowercase' },
      column: { type: 'keyword', index: false },
      constant: { type: 'constant_keyword', value: 'same' },
      flat: { type: 'flattened' },
      range: { type: 'integer_range' },
      point: { type: 'geo_point' },
      text: { type: 'text' },
      also: { type: 'alias', path: 'key' },
      object: { properties: { a: { type: 'keyword' }, b: { type: 'long' } } },
    },
  })
    .add(
      {
        long: 5,
        double: 1.5,
        scaled: 1.25,
        date: '2024-01-31T10:00:00Z',
        ip: '10.1.2.3',
        key: 'Apple',
        lower: 'ABC',
        column: 'x',
      },
      {
        long: [7, -3],
        date: '2024-02-01T00:00:00Z',
        ip: '2001:db8::1',
        key: ['pear', 'plum'],
        column: ['y', 'z'],
        flat: { a: { b: 'v' } },
      },
    )
    .add(
      {
        id: 'big',
        source: {
          range: { gte: 3, lte: 8 },
          point: '52.5,13.4',
          text: 'the quick brown fox',
          object: { a: 'o' },
        },
        routing: 'r',
      },
      { nanos: '2024-01-01T00:00:00.123456789Z', key: 'apricot', text: 'quick foxes', unsigned: 12 },
    )
  // 2 is named big.
  it('a range of large numbers without an end is written as such', () => {
    const query = index.compile({ range: { unsigned: { gt: '9223372036854775808' } } })
    const [leaf] = index.leaves
    expect(query.explain(leaf!, 0).description).toContain('unsigned:[9223372036854775809 TO *]')
  })

  it.each<[unknown, string[]]>([
    [{ term: { long: 5 } }, ['0']],
    [{ term: { long: '5' } }, ['0']],
    [{ term: { long: 5.5 } }, []],
    [{ term: { long: -3 } }, ['1']],
    [{ terms: { long: [5, 7] } }, ['0', '1']],
    [{ range: { long: { gt: -3, lt: 5.5 } } }, ['0']],
    [{ range: { long: { gte: 5.5 } } }, ['1']],
    [{ range: { long: { from: 5, to: 7, include_lower: false } } }, ['1']],
    [{ range: { long: { gte: null, lte: 5 } } }, ['0', '1']],
    [{ term: { double: 1.5 } }, ['0']],
    [{ term: { scaled: 1.25 } }, ['0']],
    [{ range: { scaled: { gte: 1.25, lt: 1.26 } } }, ['0']],
    [{ range: { scaled: { gt: 1.25 } } }, []],
    [{ range: { date: { lte: '2024-01-31' } } }, ['0']],
    [{ range: { date: { gt: '2024-01-31' } } }, ['1']],
    [{ range: { date: { gte: '2024-02-01||/M', lt: '2024-02-01||+1M/M' } } }, ['1']],
    [{ range: { date: { gte: '01/02/2024', format: 'dd/MM/yyyy' } } }, ['1']],
    [{ range: { date: { lt: '2024-02-01', time_zone: '+01:00' } } }, ['0']],
    [{ range: { date: { gte: '2024-02-01', time_zone: '-01:00' } } }, []],
    [{ range: { date: { gte: 'now-1y', lt: 'now' } } }, ['0', '1']],
    [{ term: { date: '2024-01-31' } }, ['0']],
    [{ term: { nanos: '2024-01-01T00:00:00.123456789Z' } }, ['3']],
    [{ range: { nanos: { gt: '2024-01-01T00:00:00.123456789Z' } } }, []],
    [{ range: { nanos: { gt: '2024-01-01T00:00:00.123456788Z' } } }, ['3']],
    [{ term: { ip: '10.1.2.3' } }, ['0']],
    [{ term: { ip: '10.0.0.0/8' } }, ['0']],
    [{ terms: { ip: ['10.0.0.0/8', '2001:db8::/32'] } }, ['0', '1']],
    [{ range: { ip: { gte: '10.0.0.0', lt: '10.1.2.4' } } }, ['0']],
    [{ term: { key: 'apple' } }, []],
    [{ term: { key: { value: 'apple', case_insensitive: true } } }, ['0']],
    [{ term: { also: 'Apple' } }, ['0']],
    [{ prefix: { key: 'ap' } }, ['3']],
    [{ prefix: { key: { value: 'AP', case_insensitive: true } } }, ['0', '3']],
    [{ wildcard: { key: '*p?e' } }, ['0']],
    [{ regexp: { key: 'p(ear|lum)' } }, ['1']],
    [{ fuzzy: { key: { value: 'Aple' } } }, ['0']],
    [{ range: { key: { gte: 'a', lt: 'b' } } }, ['3']],
    [{ match: { key: 'Apple' } }, ['0']],
    [{ term: { lower: 'aBc' } }, ['0']],
    [{ match: { lower: 'ABC' } }, ['0']],
    [{ wildcard: { lower: 'A*' } }, ['0']],
    // OpenSearch normalizes what an analyzer of the request leaves, in all queries that take one.
    [{ match: { lower: { query: 'ABC x', analyzer: 'whitespace' } } }, ['0']],
    [{ multi_match: { query: 'ABC', fields: ['lower'], analyzer: 'whitespace' } }, ['0']],
    [{ query_string: { query: 'lower:"ABC"', analyzer: 'whitespace' } }, ['0']],
    // An analyzer of the request is for fields of all types.
    [{ match: { long: { query: '5 7', analyzer: 'standard' } } }, ['0', '1']],
    [{ match: { long: { query: '5 x', analyzer: 'standard', lenient: true } } }, ['0']],
    [{ match: { long: { query: '...', analyzer: 'standard' } } }, []],
    // All fields among others: dates and numbers that cannot read the text are passed over.
    [{ multi_match: { query: 'quick foxes', fields: ['key', '*'] } }, ['big', '3']],
    [{ query_string: { query: 'quick foxes', fields: ['key', '*'] } }, ['big', '3']],
    [{ simple_query_string: { query: 'quick foxes', fields: ['key', '*^3'] } }, ['big', '3']],
    [{ term: { column: 'y' } }, ['1']],
    [{ terms: { column: ['x', 'z'] } }, ['0', '1']],
    [{ prefix: { column: 'x' } }, ['0']],
    [{ term: { constant: 'same' } }, ['0', '1', 'big', '3']],
    [{ term: { constant: 'other' } }, []],
    [{ term: { flat: 'v' } }, ['1']],
    [{ term: { 'flat.a.b': 'v' } }, ['1']],
    [{ exists: { field: 'flat.a.b' } }, ['1']],
    [{ term: { range: 5 } }, ['big']],
    [{ range: { range: { gte: 8, lte: 20 } } }, ['big']],
    [{ range: { range: { gte: 4, lte: 5, relation: 'contains' } } }, ['big']],
    [{ range: { range: { gte: 4, lte: 9, relation: 'within' } } }, []],
    [{ geo_distance: { distance: '10km', point: { lat: 52.51, lon: 13.41 } } }, ['big']],
    [{ geo_distance: { distance: '1km', point: [13.5, 52.6] } }, []],
    [{ geo_bounding_box: { point: { top_left: [13, 53], bottom_right: [14, 52] } } }, ['big']],
    [{ exists: { field: 'object' } }, ['big']],
    [{ exists: { field: 'obj*' } }, ['big']],
    [{ exists: { field: '_id' } }, ['0', '1', 'big', '3']],
    [{ exists: { field: '_routing' } }, ['big']],
    [{ ids: { values: ['3', 'big', 'nope'] } }, ['big', '3']],
    [{ term: { _id: 'big' } }, ['big']],
    [{ terms: { _id: ['0', '1'] } }, ['0', '1']],
    [{ term: { _routing: 'r' } }, ['big']],
    [{ term: { _index: 'test' } }, ['0', '1', 'big', '3']],
    [{ prefix: { _index: 'other' } }, []],
    [{ range: { _seq_no: { gte: 2 } } }, ['big', '3']],
    [{ term: { nope: 1 } }, []],
    [{ match: { nope: 'x' } }, []],
    [{ match: { long: { query: 'abc', lenient: true } } }, []],
  ])('%j', (query, expected) => {
    expect(index.find(query)).toEqual(expected)
  })
})

describe('full-text queries', () => {
  const index = new TestIndex({
    properties: { t: { type: 'text' }, u: { type: 'text' }, k: { type: 'keyword' } },
  }).add(
    { t: 'The quick brown fox', u: 'jumps over', k: 'quick' },
    { t: 'a lazy brown dog', u: 'quick' },
    { t: 'quick quick silver', u: 'brown fox' },
  )

  it.each<[unknown, string[]]>([
    [{ match: { t: 'QUICK dog' } }, ['0', '1', '2']],
    [{ match: { t: { query: 'quick brown', operator: 'and' } } }, ['0']],
    [{ match: { t: { query: 'quick brown lazy', minimum_should_match: 2 } } }, ['0', '1']],
    [{ match: { t: { query: 'quick brown lazy', minimum_should_match: '75%' } } }, ['0', '1']],
    [{ match: { t: { query: 'quikc', fuzziness: 'AUTO' } } }, ['0', '2']],
    [{ match: { t: { query: 'quikc', fuzziness: 'AUTO', fuzzy_transpositions: false } } }, []],
    [{ match: { t: '...' } }, []],
    [{ match: { t: { query: '...', zero_terms_query: 'all' } } }, ['0', '1', '2']],
    [{ match: { t: { query: 'The', analyzer: 'keyword' } } }, []],
    [{ match_phrase: { t: 'quick brown' } }, ['0']],
    [{ match_phrase: { t: 'brown quick' } }, []],
    [{ match_phrase: { t: { query: 'brown quick', slop: 2 } } }, ['0']],
    [{ match_phrase: { t: { query: 'the fox', slop: 2 } } }, ['0']],
    [{ match_phrase: { t: { query: 'the fox', slop: 1 } } }, []],
    [{ match_phrase: { t: 'quick quick' } }, ['2']],
    [{ match_phrase: { t: { query: 'quick quick', slop: 1 } } }, ['2']],
    [{ match_phrase_prefix: { t: 'quick br' } }, ['0']],
    [{ match_phrase_prefix: { t: 'laz' } }, ['1']],
    [{ match_bool_prefix: { t: 'dog qui' } }, ['0', '1', '2']],
    [{ multi_match: { query: 'quick fox', fields: ['t', 'u'] } }, ['0', '1', '2']],
    [{ multi_match: { query: 'quick fox', fields: ['t', 'u'], operator: 'and' } }, ['0']],
    [
      { multi_match: { query: 'quick fox', fields: ['t', 'u'], operator: 'and', type: 'cross_fields' } },
      ['0', '2'],
    ],
    [{ multi_match: { query: 'brown fox', fields: ['*'], type: 'phrase' } }, ['0', '2']],
    [{ multi_match: { query: 'jum', fields: ['t', 'u^3'], type: 'bool_prefix' } }, ['0']],
    [{ multi_match: { query: 'quick' } }, ['0', '1', '2']],
    [{ query_string: { query: 't:quick AND NOT u:fox' } }, ['0']],
    [{ query_string: { query: 'lazy' } }, ['1']],
    [{ query_string: { query: '"brown fox"' } }, ['0', '2']],
    [{ query_string: { query: 't:(quick AND silver)' } }, ['2']],
    [{ query_string: { query: 't:QUI*' } }, ['0', '2']],
    [{ query_string: { query: '*:fox', fields: ['t'] } }, ['0', '2']],
    [{ query_string: { query: 't:qu?ck' } }, ['0', '2']],
    [{ query_string: { query: 't:/sil.*/' } }, ['2']],
    [{ query_string: { query: 'k:*' } }, ['0']],
    [{ query_string: { query: '_exists_:k' } }, ['0']],
    [{ query_string: { query: '*' } }, ['0', '1', '2']],
    [{ query_string: { query: '-t:brown' } }, ['2']],
    [{ query_string: { query: 'quick dog', default_field: 't', default_operator: 'and' } }, []],
    [{ query_string: { query: 'brown lazy', fields: ['t'], minimum_should_match: 2 } }, ['1']],
    [{ query_string: { query: '' } }, []],
    [{ query_string: { query: 'nope:x' } }, []],
    [{ query_string: { query: 't:quick~1 AND t:silver' } }, ['2']],
    [{ query_string: { query: 't:[lazy TO quick}' } }, ['1']],
    [{ simple_query_string: { query: 'quick + fox', fields: ['t'] } }, ['0']],
    [{ simple_query_string: { query: '"brown dog" | silver', fields: ['t'] } }, ['1', '2']],
    [{ simple_query_string: { query: 'quick + -brown', fields: ['t'] } }, ['2']],
    [{ simple_query_string: { query: 'qui*', fields: ['t'] } }, ['0', '2']],
    [{ terms_set: { t: { terms: ['quick', 'brown', 'fox'], minimum_should_match: '2' } } }, ['0']],
  ])('%j', (query, expected) => {
    expect(index.find(query)).toEqual(expected)
  })

  it('reports terms and phrases to the highlighter', () => {
    const query = {
      bool: {
        must: { match: { t: 'quick fox' } },
        should: { match_phrase: { t: 'brown fox' } },
        must_not: { match: { t: 'dog' } },
      },
    }
    const found = index
      .compile(query)
      .highlightTerms()
      .find(({ field }) => field === 't')!
    expect([...found.terms]).toEqual(['quick', 'fox'])
    expect(found.phrases).toEqual([{ terms: [['brown'], ['fox']], positions: [0, 1], slop: 0 }])
  })
})

describe('nested queries', () => {
  const index = new TestIndex({
    properties: {
      o: {
        type: 'nested',
        properties: {
          a: { type: 'keyword' },
          b: { type: 'long' },
          p: { type: 'nested', properties: { c: { type: 'long' } } },
        },
      },
    },
  }).add(
    {
      o: [
        { a: 'x', b: 1 },
        { a: 'y', b: 2 },
      ],
    },
    { o: [{ a: 'x', b: 2, p: [{ c: 1 }, { c: 2 }] }] },
    { z: 1 },
  )
  const nested = (query: unknown, more = {}) => ({ nested: { path: 'o', query, ...more } })

  it.each<[unknown, string[]]>([
    [nested({ bool: { must: [{ term: { 'o.a': 'x' } }, { term: { 'o.b': 2 } }] } }), ['1']],
    [nested({ match_all: {} }), ['0', '1']],
    [nested({ bool: { must_not: { term: { 'o.a': 'x' } } } }), ['0']],
    [{ bool: { must_not: nested({ term: { 'o.a': 'y' } }) } }, ['1', '2']],
    [{ term: { 'o.a': 'x' } }, []],
    [{ match_all: {} }, ['0', '1', '2']],
    [nested({ nested: { path: 'o.p', query: { term: { 'o.p.c': 2 } } } }), ['1']],
    [{ nested: { path: 'o.p', query: { term: { 'o.p.c': 1 } } } }, ['1']],
    [{ nested: { path: 'none', query: { match_all: {} }, ignore_unmapped: true } }, []],
  ])('%j', (query, expected) => {
    expect(index.find(query)).toEqual(expected)
  })

  it.each([
    ['avg', 1.5],
    ['max', 2],
    ['min', 1],
    ['sum', 3],
    ['none', 0],
  ])('score mode %s', (score_mode, expected) => {
    const query = {
      function_score: { query: { exists: { field: 'o.b' } }, field_value_factor: { field: 'o.b' } },
    }
    expect(index.scores(nested(query, { score_mode }))['0']).toBe(expected)
  })

  it('finds the matching objects for inner hits', () => {
    const compiled = index.compile(nested({ term: { 'o.a': 'y' } }, { inner_hits: { name: 'mine' } }))
    const [hits] = compiled.innerHits
    const [leaf] = index.leaves
    const found = compiled.innerMatches(hits!, leaf!, leaf!.segment.findId('0'))
    expect([hits!.name, found.docs.length, leaf!.segment.nestedPath(found.docs[0]!)]).toEqual([
      'mine',
      1,
      'o',
    ])
  })
})

describe('named queries', () => {
  it('are reported with their scores', () => {
    const index = new TestIndex({ properties: { n: { type: 'long' } } }).add({ n: 1 }, { n: [1, 2] })
    const clause = (query: number, _name: string, boost = 1) => ({ match: { n: { query, _name, boost } } })
    const compiled = index.compile({ bool: { should: [clause(1, 'one'), clause(2, 'two', 10)] } })
    const [leaf] = index.leaves
    expect([...compiled.matchedQueries(leaf!, 1)]).toEqual([
      ['one', 1],
      ['two', 10],
    ])
    expect([...compiled.matchedQueries(leaf!, 0)]).toEqual([['one', 1]])
  })
})

describe('integers beyond 2^53', () => {
  const index = new TestIndex({ properties: { n: { type: 'long' } } })
  it('are distinguished exactly', () => {
    index.leaves = []
    index.add({ n: '9007199254740993' }, { n: '9007199254740992' }, { n: '9223372036854775807' })
    expect(index.find({ term: { n: '9007199254740993' } })).toEqual(['0'])
    expect(index.find({ range: { n: { gt: '9007199254740992' } } })).toEqual(['0', '2'])
    expect(index.find({ terms: { n: ['9007199254740992', '9223372036854775807'] } })).toEqual(['1', '2'])
  })
})

describe('terms lookup', () => {
  it('takes the terms from another document', () => {
    const asked: unknown[] = []
    const index = new TestIndex(
      { properties: { k: { type: 'keyword' } } },
      {
        lookUp(lookup) {
          asked.push(lookup)
          return { p: ['a', ['b']] }
        },
      },
    ).add({ k: 'a' }, { k: 'c' })
    expect(index.find({ terms: { k: { index: 'i', id: '1', path: 'p' } } })).toEqual(['0'])
    expect(asked).toEqual([{ index: 'i', id: '1', path: 'p', routing: undefined }])
  })
})
