import { describe, expect, it } from 'vitest'
import { writeJson } from '../answer/json-text.ts'
import { plainValues } from '../request/test-values.ts'
import { SourceFilter } from '../source/source-filter.ts'
import type { Aggregations } from './prepared-search.ts'
import { idsOf, search, type TestDoc, testIndex } from './test-search.ts'

describe('source filtering', () => {
  const source = { a: { b: 1, c: { d: 2 } }, list: [{ x: 1, y: 2 }, { y: 3 }], e: 'f', empty: {} }
  it.each<[string[], string[], unknown]>([
    [[], [], source],
    [['a'], [], { a: source.a }],
    [['a.c'], [], { a: { c: { d: 2 } } }],
    [['*.d'], [], { a: { c: { d: 2 } } }],
    [['a.*'], ['a.b'], { a: { c: { d: 2 } } }],
    [['a'], ['a.c.d'], { a: { b: 1, c: {} } }],
    [['list.x'], [], { list: [{ x: 1 }] }],
    [[], ['a', 'list', 'empty'], { e: 'f' }],
    [['nope'], [], {}],
  ])('includes %j, excludes %j', (includes, excludes, expected) => {
    expect(new SourceFilter(includes, excludes).apply(source)).toEqual(expected)
  })

  it('treats any name as data', () => {
    const odd = JSON.parse('{"__proto__":{"a":1},"b":2}') as Record<string, unknown>
    expect(JSON.stringify(new SourceFilter(['__proto__'], []).apply(odd))).toBe('{"__proto__":{"a":1}}')
  })
})

const mappings = {
  properties: {
    tag: { type: 'keyword', ignore_above: 5 },
    date: { type: 'date' },
    n: { type: 'integer' },
    long: { type: 'long' },
    flag: { type: 'boolean' },
    ip: { type: 'ip' },
    kept: { type: 'integer', store: true },
    text: { type: 'text', fields: { raw: { type: 'keyword' } } },
    other: { type: 'alias', path: 'tag' },
    place: { type: 'geo_point' },
  },
}
const source =
  '{"tag":["b","a"],"date":"1990-12-29T22:30:00.000Z","n":[3,1],"long":9223372036854775807,"flag":true,"ip":"::ffff:10.0.0.1","kept":42,"text":"Some text","place":"41.12,-71.34"}'
const index = testIndex([[[{ id: '1', source, routing: 'r' }]]], { mappings })

function hit(body: unknown): Record<string, unknown> {
  return plainValues(search(index, body).hits.hits[0]) as Record<string, unknown>
}

describe('a hit', () => {
  it('has its members in order, and the source as it was sent', () => {
    const shown = search(index, {
      explain: true,
      version: true,
      seq_no_primary_term: true,
      sort: ['n'],
      docvalue_fields: ['n'],
    }).hits.hits[0]!
    expect(Object.keys(shown)).toEqual([
      '_shard',
      '_node',
      '_index',
      '_id',
      '_version',
      '_seq_no',
      '_primary_term',
      '_score',
      '_routing',
      '_source',
      'fields',
      'sort',
      '_explanation',
    ])
    expect(writeJson(shown['_source'])).toBe(source)
    expect(shown).toMatchObject({
      _shard: '[test][0]',
      _score: null,
      _seq_no: 0,
      _primary_term: 1,
      _version: 1,
      sort: [1],
    })
  })

  it('shows docvalue_fields in their formats', () => {
    const fields = ['tag', 'n', 'flag', 'ip', 'place', 'other', 'nope', 'long']
    expect(
      hit({
        docvalue_fields: [
          ...fields,
          { field: 'date', format: 'yyyy/MM/dd' },
          { field: 'date', format: 'epoch_millis' },
        ],
      })['fields'],
    ).toEqual({
      tag: ['a', 'b'],
      n: [1, 3],
      flag: [true],
      ip: ['10.0.0.1'],
      place: ['41.1199999647215, -71.34000004269183'],
      other: ['a', 'b'],
      long: [9223372036854775807n],
      date: ['1990/12/29', '662509800000'],
    })
  })

  it('shows fields of the source as the mapping reads them', () => {
    const fields = ['t*', 'n', { field: 'date', format: 'yyyy/MM/dd' }, 'flag', 'other', 'place']
    expect(hit({ fields, _source: false })).toMatchObject({
      fields: {
        tag: ['b', 'a'],
        text: ['Some text'],
        'text.raw': ['Some text'],
        n: [3, 1],
        date: ['1990/12/29'],
        flag: [true],
        other: ['b', 'a'],
        place: [{ type: 'Point', coordinates: [-71.34, 41.12] }],
      },
    })
    expect(() => hit({ fields: [{ field: 'tag', format: 'yyyy' }] })).toThrow('all shards failed')
  })

  it('shows stored fields, and no source unless asked', () => {
    expect(hit({ stored_fields: ['kept', 'n'] })).toMatchObject({ fields: { kept: [42] } })
    expect(hit({ stored_fields: ['kept'] })).not.toHaveProperty('_source')
    expect(hit({ stored_fields: ['kept'], _source: true })).toHaveProperty('_source')
    expect(Object.keys(hit({ stored_fields: '_none_' }))).toEqual(['_index', '_score'])
  })

  it('shows matched_queries', () => {
    const should = [
      { term: { tag: { value: 'a', _name: 'one' } } },
      { term: { tag: { value: 'z', _name: 'two' } } },
    ]
    expect(hit({ query: { bool: { should } } })['matched_queries']).toEqual(['one'])
  })

  it('shows _ignored fields', () => {
    const found = search(testIndex([[[{ id: '1', source: { tag: 'too long' } }]]], { mappings }))
    expect(found.hits.hits[0]).toMatchObject({ _ignored: ['tag'] })
  })

  it('shows unmapped fields only with include_unmapped', () => {
    const loose = testIndex([[[{ id: '1', source: { a: { b: 1 }, c: 'x' } }]]], {
      mappings: { dynamic: false, properties: { c: { type: 'keyword' } } },
    })
    const [one] = search(loose, { fields: ['*'] }).hits.hits
    expect(plainValues(one!['fields'])).toEqual({ c: ['x'] })
    const [all] = search(loose, { fields: [{ field: '*', include_unmapped: true }] }).hits.hits
    expect(plainValues(all!['fields'])).toEqual({ c: ['x'], 'a.b': [1] })
  })
})

describe('collapse', () => {
  const rows = [
    [1, 'A', 10],
    [1, 'B', 6],
    [1, 'A', 24],
    [25, 'B', 10],
    [25, 'A', 5],
    [3, 'B', 36],
  ] as const
  const docs = rows.map(
    ([group, tag, sort], i): TestDoc => ({ id: String(i + 1), source: { group, tag, sort } }),
  )
  const groups = testIndex([[docs.slice(0, 2), docs.slice(2, 4)], [docs.slice(4)]], {
    mappings: { properties: { group: { type: 'integer' }, tag: { type: 'keyword' } } },
  })
  const sort = [{ sort: 'desc' }]

  it('shows the first of each group and counts all', () => {
    const found = search(groups, { collapse: { field: 'group' }, sort })
    expect(found.hits.total!.value).toBe(6)
    expect(
      found.hits.hits.map(({ _id, sort: values, fields }) => [_id, values, plainValues(fields)]),
    ).toEqual([
      ['6', [36], { group: [3] }],
      ['3', [24], { group: [1] }],
      ['4', [10], { group: [25] }],
    ])
    expect(idsOf(search(groups, { collapse: { field: 'group' }, sort, from: 2 }))).toEqual(['4'])
  })

  it('finds the best of each group by score, as walking down all hits does', () => {
    const words = ['mill', 'race', 'wheel', 'stone', 'water']
    const many = Array.from({ length: 400 }, (_, i): TestDoc => {
      const text = Array.from({ length: 1 + ((i * 7) % 5) }, (_word, n) => words[(i * 3 + n * i) % 5])
      const tag = i % 11 === 0 ? undefined : `t${(i * i) % 17}`
      return { id: String(i), source: { text: text.join(' '), ...(tag !== undefined && { tag }) } }
    })
    const index = testIndex([[many.slice(0, 150), many.slice(150, 260)], [many.slice(260)]], {
      mappings: { properties: { text: { type: 'text' }, tag: { type: 'keyword' } } },
    })
    for (const query of [{ match: { text: 'mill race' } }, { term: { text: 'water' } }, { match_all: {} }]) {
      const all = search(index, { query, size: 400 }).hits.hits
      const seen = new Set<unknown>()
      const heads = all.filter(({ _source }) => {
        const { tag } = plainValues(_source) as { tag?: string }
        return !seen.has(tag) && seen.add(tag)
      })
      const found = search(index, { query, size: 100, collapse: { field: 'tag' } }).hits.hits
      const shown = (hits: typeof found) => hits.map(({ _id, _score }) => [_id, _score])
      expect(shown(found)).toEqual(shown(heads))
      expect(shown(search(index, { query, from: 5, size: 4, collapse: { field: 'tag' } }).hits.hits)).toEqual(
        shown(heads.slice(5, 9)),
      )
    }
  })

  it('shows more of each group as inner hits', () => {
    const inner_hits = { name: 'sub', size: 2, sort: [{ sort: 'asc' }], fields: ['tag'] }
    const found = search(groups, { collapse: { field: 'group', inner_hits }, sort })
    const inner = plainValues(found.hits.hits[1]!['inner_hits']) as {
      sub: { hits: { total: { value: number }; hits: { _id: string; fields: unknown }[] } }
    }
    expect(inner.sub.hits.total.value).toBe(3)
    expect(inner.sub.hits.hits.map(({ _id, fields }) => [_id, fields])).toEqual([
      ['2', { tag: ['B'] }],
      ['1', { tag: ['A'] }],
    ])
  })

  it('is refused on texts and unknown fields', () => {
    expect(() => search(groups, { collapse: { field: 'nope' } })).toThrow('all shards failed')
  })
})

describe('inner hits', () => {
  it('show the nested objects that matched', () => {
    const nested = testIndex(
      [
        [
          [
            {
              id: '1',
              source: { users: [{ name: 'John Smith' }, { name: 'Alice White' }, { name: 'John Doe' }] },
            },
          ],
        ],
      ],
      {
        mappings: { properties: { users: { type: 'nested', properties: { name: { type: 'text' } } } } },
      },
    )
    const inner_hits = { highlight: { fields: { 'users.name': {} } } }
    const query = { nested: { path: 'users', query: { match: { 'users.name': 'john' } }, inner_hits } }
    const shown = plainValues(search(nested, { query }).hits.hits[0]!['inner_hits']) as {
      users: { hits: { total: unknown; hits: Record<string, unknown>[] } }
    }
    expect(shown.users.hits.total).toEqual({ value: 2, relation: 'eq' })
    expect(
      shown.users.hits.hits.map(({ _id, _nested, _source, highlight }) => ({
        _id,
        _nested,
        _source,
        highlight,
      })),
    ).toEqual([
      {
        _id: '1',
        _nested: { field: 'users', offset: 0 },
        _source: { name: 'John Smith' },
        highlight: { 'users.name': ['<em>John</em> Smith'] },
      },
      {
        _id: '1',
        _nested: { field: 'users', offset: 2 },
        _source: { name: 'John Doe' },
        highlight: { 'users.name': ['<em>John</em> Doe'] },
      },
    ])
  })
})

describe('search answers', () => {
  it('are empty without an index', () => {
    const found = search([], {})
    expect(found).toMatchObject({
      timed_out: false,
      _shards: { total: 0, successful: 0, skipped: 0, failed: 0 },
      hits: { total: { value: 0, relation: 'eq' }, max_score: 0, hits: [] },
    })
    expect(Object.keys(found)).toEqual(['took', 'timed_out', '_shards', 'hits'])
  })

  it('apply indices_boost', () => {
    const make = (name: string) => testIndex([[[{ id: name, source: { f: 'x' } }]]], { name })
    const found = search([make('a'), make('b')], { query: { match_all: {} }, indices_boost: [{ 'b*': 3 }] })
    expect(found.hits.hits.map(({ _id, _score }) => [_id, _score])).toEqual([
      ['b', 3],
      ['a', 1],
    ])
  })

  it('rescore the top hits', () => {
    const docs = ['a b', 'a', 'a c'].map((text, i) => ({ id: String(i), source: { text } }))
    const rescore = {
      window_size: 10,
      query: {
        rescore_query: { constant_score: { filter: { match: { text: 'c' } }, boost: 9 } },
        query_weight: 0,
      },
    }
    const found = search(testIndex([[docs]]), { query: { match: { text: 'a' } }, rescore })
    expect(found.hits.hits.map(({ _id, _score }) => [_id, _score])).toEqual([
      ['2', 9],
      ['0', 0],
      ['1', 0],
    ])
  })

  it('leave out hits below min_score', () => {
    const docs = ['x', 'y'].map((g) => ({ id: g, source: { g } }))
    const query = {
      bool: { must: [{ match_all: {} }], should: [{ constant_score: { filter: { match: { g: 'x' } } } }] },
    }
    expect(idsOf(search(testIndex([[docs]]), { query, min_score: 1.5 }))).toEqual(['x'])
  })

  it('give aggregations what matches before the post filter', () => {
    const docs = ['x', 'y'].map((g) => ({ id: g, source: { g } }))
    const aggregations: Aggregations = {
      read: () => {},
      check: () => {},
      *steps(_json, { matches }) {
        return {
          json: { n: matches.reduce((sum, { docs: { count } }) => sum + count, 0) },
          timedOut: false,
          profile: [],
        }
      },
    }
    const context = { aggregations }
    const found = search(
      testIndex([[docs]]),
      { post_filter: { match: { g: 'x' } }, aggs: { a: {} } },
      { context },
    )
    expect(found['aggregations']).toEqual({ n: 2 })
    expect(found.hits.total!.value).toBe(1)
  })
})
