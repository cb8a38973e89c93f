import { describe, expect, it } from 'vitest'
import { writeJson } from '../answer/json-text.ts'
import { decodedCache } from '../segment/decoded-cache.ts'
import { caught, idsOf, search, type TestDoc, testIndex } from './test-search.ts'

function one(type: string, ...values: string[]): ReturnType<typeof testIndex> {
  const docs = values.map((value, i): TestDoc => ({ id: String(i + 1), source: `{"field":${value}}` }))
  return testIndex([[docs]], { mappings: { properties: { field: { type } } } })
}

function sorted(index: ReturnType<typeof testIndex>, options: unknown): [string, string][] {
  const { hits } = search(index, { sort: [{ field: options }] }).hits
  return hits.map(({ _id, sort }) => [_id, writeJson(sort![0])])
}

describe('sort modes', () => {
  const longs = one(
    'long',
    '[9223372036854775807,1]',
    '[922337203685477777,2]',
    '[2147483647,3,4]',
    '[2147483648,5,-1,-2]',
  )
  it.each([
    [
      'max',
      'desc',
      [
        ['1', '9223372036854775807'],
        ['2', '922337203685477777'],
        ['4', '2147483648'],
        ['3', '2147483647'],
      ],
    ],
    [
      'min',
      'desc',
      [
        ['3', '3'],
        ['2', '2'],
        ['1', '1'],
        ['4', '-2'],
      ],
    ],
    [
      'median',
      'asc',
      [
        ['4', '2'],
        ['3', '4'],
        ['2', '461168601842738880'],
        ['1', '4611686018427387904'],
      ],
    ],
    [
      'avg',
      'desc',
      [
        ['2', '461168601842738880'],
        ['3', '715827885'],
        ['4', '536870913'],
        ['1', '-4611686018427387904'],
      ],
    ],
    [
      'sum',
      'asc',
      [
        ['1', '-9223372036854775808'],
        ['4', '2147483650'],
        ['3', '2147483654'],
        ['2', '922337203685477779'],
      ],
    ],
  ])('of longs: %s %s', (mode, order, expected) => {
    expect(sorted(longs, { mode, order })).toEqual(expected)
  })

  const unsigned = one(
    'unsigned_long',
    '[13835058055282163712,1]',
    '[13835058055282163713,13835058055282163714]',
    '[13835058055282163715,13835058055282163716,2]',
  )
  it.each([
    [
      'median',
      'asc',
      [
        ['2', '4611686018427387906'],
        ['1', '6917529027641081857'],
        ['3', '13835058055282163715'],
      ],
    ],
    [
      'avg',
      'desc',
      [
        ['1', '6917529027641081857'],
        ['2', '4611686018427387906'],
        ['3', '3074457345618258606'],
      ],
    ],
    [
      'sum',
      'desc',
      [
        ['1', '13835058055282163713'],
        ['3', '9223372036854775817'],
        ['2', '9223372036854775811'],
      ],
    ],
  ])('of unsigned longs: %s %s', (mode, order, expected) => {
    expect(sorted(unsigned, { mode, order })).toEqual(expected)
  })

  it('reduce doubles', () => {
    const doubles = one(
      'double',
      '[900719925474099.1,1.1]',
      '[450359962737049.4,3.5,4.6]',
      '[450359962737049.7,5.8,-1.9,-2.0]',
    )
    expect(sorted(doubles, { mode: 'median', order: 'desc' })).toEqual([
      ['1', '450359962737050.1'],
      ['2', '4.6'],
      ['3', '1.95'],
    ])
    expect(sorted(doubles, { mode: 'min' })).toEqual([
      ['3', '-2'],
      ['1', '1.1'],
      ['2', '3.5'],
    ])
  })

  it('other than min and max are refused on texts', () => {
    const error = caught(() => sorted(one('keyword', '"a"'), { mode: 'avg' }))
    expect(error.details['failed_shards']).toMatchObject([
      {
        reason: {
          type: 'query_shard_exception',
          reason: 'we only support AVG, MEDIAN and SUM on number based fields',
        },
      },
    ])
    const refused = caught(() => sorted(one('long', '1'), { mode: 'most' }))
    expect(refused.causedBy?.message).toBe('Unknown SortMode [most]')
  })
})

describe('missing values', () => {
  it.each([
    ['long', '7', 'asc', '_last', '9223372036854775807'],
    ['long', '7', 'desc', '_last', '-9223372036854775808'],
    ['long', '7', 'asc', '_first', '-9223372036854775808'],
    ['date', '7', 'asc', '_last', '9223372036854775807'],
    ['double', '7', 'asc', '_last', '"Infinity"'],
    ['double', '7', 'desc', '_last', '"-Infinity"'],
    ['keyword', '"x"', 'desc', '_last', 'null'],
    ['ip', '"10.0.0.1"', 'asc', '_last', 'null'],
  ])('of %s %s show and lead on', (type, value, order, missing, shown) => {
    const index = one(type, 'null', value, 'null')
    const result = sorted(index, { order, missing })
    const first = missing === '_first' ? 0 : 1
    expect(result[first]).toEqual(['1', shown])
    const after = JSON.parse(`[${shown},"1"]`) as unknown[]
    const next = search(index, { sort: [{ field: { order, missing } }, { _id: 'asc' }], search_after: after })
    expect(idsOf(next)[0]).toBe('3')
  })

  it('are replaced by the value of missing', () => {
    expect(sorted(one('long', '1', 'null', '9'), { missing: 5 }).map(([id]) => id)).toEqual(['1', '2', '3'])
    expect(sorted(one('keyword', '"c"', 'null', '"a"'), { missing: 'b' })).toEqual([
      ['3', '"a"'],
      ['2', '"b"'],
      ['1', '"c"'],
    ])
  })
})

describe('sort fields', () => {
  it('without a mapping are refused, unless unmapped_type is given', () => {
    const index = one('long', '1')
    const error = caught(() => search(index, { sort: ['nope'] }))
    expect(error).toMatchObject({ type: 'search_phase_execution_exception', status: 400 })
    expect(error.details).toMatchObject({
      phase: 'query',
      grouped: true,
      root_cause: [
        {
          type: 'query_shard_exception',
          reason: 'No mapping found for [nope] in order to sort on',
          index: 'test',
        },
      ],
      failed_shards: [{ shard: 0, index: 'test', node: 'node' }],
    })
    expect(idsOf(search(index, { sort: [{ nope: { unmapped_type: 'boolean' } }] }))).toEqual(['1'])
  })

  it('fail only the index that lacks them', () => {
    const other = testIndex([[[{ id: 'b', source: {} }]]], { name: 'other' })
    const found = search([one('long', '1'), other], { sort: ['field'] })
    expect(idsOf(found)).toEqual(['1'])
    expect(found['_shards']).toMatchObject({ total: 2, successful: 1, failed: 1 })
  })

  it('of text are refused', () => {
    const error = caught(() => search(one('text', '"a"'), { sort: ['field'] }))
    expect(error.causedBy?.message).toMatch(
      /^Text fields are not optimised for operations that require per-document/,
    )
  })

  it('of date and date_nanos show milliseconds and nanoseconds', () => {
    const nanos = one('date_nanos', '"2018-10-29T12:12:12.123456789Z"', '"2018-10-29T12:12:12.987654321Z"')
    expect(sorted(nanos, 'desc')).toEqual([
      ['2', '1540815132987654321'],
      ['1', '1540815132123456789'],
    ])
    expect(sorted(nanos, { numeric_type: 'date' })[0]).toEqual(['1', '1540815132123'])
    const millis = one('date', '"2018-10-29T12:12:12.987Z"')
    expect(sorted(millis, { numeric_type: 'date_nanos' })).toEqual([['1', '1540815132987000000']])
    expect(sorted(millis, { format: 'yyyy-MM-dd' })).toEqual([['1', '"2018-10-29"']])
    expect(
      idsOf(search(nanos, { sort: ['field'], search_after: ['2018-10-29T12:12:12.123456789Z'] })),
    ).toEqual(['2'])
  })

  it('of geo points sort by distance', () => {
    const index = one('geo_point', '[13.4,52.5]', '[2.35,48.85]', 'null', '[-0.12,51.5]')
    const found = search(index, {
      sort: [{ _geo_distance: { field: { lat: 48.85, lon: 2.35 }, unit: 'km' } }],
    })
    expect(idsOf(found)).toEqual(['2', '4', '1', '3'])
    expect(found.hits.hits[0]!.sort).toEqual([0])
    expect(found.hits.hits[1]!.sort![0]).toBeCloseTo(343, -1)
    expect(found.hits.hits[3]!.sort).toEqual(['Infinity'])
  })

  it('below nested objects take a filter', () => {
    const docs = [[3, 9], [1], [5, 2]].map((values, i) => ({
      id: String(i),
      source: { a: values.map((v) => ({ v })) },
    }))
    const index = testIndex([[docs]], {
      mappings: { properties: { a: { type: 'nested', properties: { v: { type: 'integer' } } } } },
    })
    const filter = { range: { 'a.v': { gte: 3 } } }
    const found = search(index, { sort: [{ 'a.v': { order: 'asc', nested: { path: 'a', filter } } }] })
    expect(found.hits.hits.map(({ _id, sort }) => [_id, writeJson(sort![0])])).toEqual([
      ['0', '3'],
      ['2', '5'],
      ['1', '9223372036854775807'],
    ])
  })
})

describe('ties', () => {
  it('follow shard number, index name, then document', () => {
    const shard = (...ids: string[]) => [ids.map((id) => ({ id, source: { f: 1 } }))]
    const a = testIndex([shard('a0', 'a1'), shard('a2')], { name: 'a' })
    const b = testIndex([shard('b0'), shard('b1', 'b2')], { name: 'b' })
    for (const body of [{}, { sort: ['f'] }, { sort: [{ f: 'desc' }] }]) {
      expect(idsOf(search([b, a], body))).toEqual(['a0', 'a1', 'b0', 'a2', 'b1', 'b2'])
    }
  })
})

describe('many documents', () => {
  const size = 9000
  const docs = Array.from({ length: size }, (_, i): TestDoc => {
    return {
      id: String(i),
      source: {
        level: i % 3,
        time: (i * 7919) % size,
        text: i % 2 === 0 ? 'even even' : `odd ${'x '.repeat(i % 50)}`,
      },
    }
  })
  const index = testIndex([[docs.slice(0, 5000), docs.slice(5000, 5500)], [docs.slice(5500)]])

  it.each([0, 2990, 4321, 8990])('page alike by several keys from %i', (from) => {
    const expected = docs
      .map(({ id, source }) => ({ id, ...(source as { level: number; time: number }) }))
      .sort((a, b) => b.level - a.level || a.time - b.time)
      .slice(from, from + 30)
    const found = search(index, { sort: [{ level: 'desc' }, { time: 'asc' }], from, size: 30 })
    expect(idsOf(found)).toEqual(expected.map(({ id }) => id))
    const last = found.hits.hits[4]!
    const next = search(index, {
      sort: [{ level: 'desc' }, { time: 'asc' }],
      size: 5,
      search_after: last.sort,
    })
    expect(idsOf(next)).toEqual(expected.slice(5, 10).map(({ id }) => id))
  })

  it('pages by score as if everything were sorted', () => {
    const query = { match: { text: 'even odd' } }
    const all = search(index, { query, size })
    const scores = all.hits.hits.map(({ _score }) => _score!)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(all.hits.max_score).toBe(scores[0])
    const page = search(index, { query, from: 4000, size: 40 })
    expect(idsOf(page)).toEqual(idsOf(all).slice(4000, 4040))
    expect(page.hits.max_score).toBe(scores[0])
    const rising = search(index, { query, sort: [{ _score: 'asc' }, { time: 'desc' }], from: 100, size: 3 })
    expect(rising.hits.max_score).toBeNull()
    expect(rising.hits.hits[0]!._score).toBe(rising.hits.hits[0]!.sort![0])
  })
})

describe('few matches in a large segment', () => {
  const docs = Array.from({ length: 2000 }, (_, i): TestDoc => {
    const number = i % 150 === 0 ? undefined : ((i * 37) % 23) - 11 + (i % 2) / 2
    const rare = i % 50 === 0
    return { id: String(i), source: { rare, frequent: i % 8 === 0, ...(number !== undefined && { number }) } }
  })
  const boolean = { type: 'boolean' }
  const mappings = { properties: { rare: boolean, frequent: boolean, number: { type: 'double' } } }
  const query = { term: { rare: true } }
  const orders = (['asc', 'desc'] as const).flatMap((order) =>
    ['_first', '_last', 3].map((missing) => ({ order, missing })),
  )

  it.each(orders)('are sorted as by the order of the whole segment: %o', ({ order, missing }) => {
    const sort = [{ number: { order, missing } }]
    const fresh = testIndex([[docs]], { mappings })
    const sortedBefore = testIndex([[docs]], { mappings })
    search(sortedBefore, { sort, size: 1 })
    const shown = (index: typeof fresh, body: object) =>
      search(index, { query, sort, size: 40, ...body }).hits.hits.map(({ _id, sort: values }) => [
        _id,
        values,
      ])
    const all = shown(fresh, {})
    expect(all.length).toBe(40)
    expect(all).toEqual(shown(sortedBefore, {}))
    expect(shown(fresh, { from: 17, size: 6 })).toEqual(all.slice(17, 23))
    for (const after of [-5, 0.5, 3, 40])
      expect(shown(fresh, { search_after: [after] })).toEqual(shown(sortedBefore, { search_after: [after] }))
  })

  it.each(orders)('are sorted alone where the order was evicted: %o', ({ order, missing }) => {
    const body = { query: { term: { frequent: true } }, sort: [{ number: { order, missing } }], size: 300 }
    const index = testIndex([[docs]], { mappings })
    const first = search(index, body)
    expect(first.hits.hits.length).toBe(250)
    const { limit } = decodedCache
    decodedCache.limit = 0
    decodedCache.limit = limit
    expect(search(index, body).hits.hits).toEqual(first.hits.hits)
    expect(search(index, { ...body, from: 101, size: 9 }).hits.hits).toEqual(first.hits.hits.slice(101, 110))
  })
})
