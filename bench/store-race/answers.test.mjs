import { describe, expect, test } from 'vitest'
import { differenceOf, valueDifference } from './answers.mjs'

const page = (hits, total = 1000) => ({
  hits: { total: { value: total, relation: 'eq' }, hits },
})
const scored = (...pairs) =>
  pairs.map(([id, score]) => ({ _score: score, _source: { trace: { id }, message: `of ${id}` } }))

describe('pages by score', () => {
  const right = page(scored(['a', 3], ['b', 2], ['c', 2], ['d', 1]))

  test('the same documents in another order of ties are the same answer', () => {
    expect(differenceOf({}, right, page(scored(['a', 3], ['c', 2], ['b', 2], ['d', 1])))).toBe(undefined)
  })

  test('ties at the ends of a page may be other documents', () => {
    expect(differenceOf({}, right, page(scored(['x', 3], ['b', 2], ['c', 2], ['y', 1])))).toBe(undefined)
  })

  test('a page with all that was found has to have the same documents', () => {
    const all = page(scored(['a', 1], ['b', 1]), 2)
    expect(differenceOf({}, all, page(scored(['b', 1], ['a', 1]), 2))).toBe(undefined)
    expect(differenceOf({}, all, page(scored(['a', 1], ['x', 1]), 2))).toBe('only one of them has b')
  })

  test.each([
    ['another total', page(scored(['a', 3], ['b', 2], ['c', 2], ['d', 1]), 999), 'total.value 1000 and 999'],
    ['a missing hit', page(scored(['a', 3], ['b', 2], ['c', 2])), '4 hits and 3'],
    ['another score', page(scored(['a', 3], ['b', 2.5], ['c', 2], ['d', 1])), 'order.1 2 and 2.5'],
    ['another document', page(scored(['a', 3], ['b', 2], ['x', 2], ['d', 1])), 'only one of them has c'],
    ['no answer to a search', { took: 1 }, 'one of them is no answer to a search'],
  ])('%s is a difference', (_title, answer, difference) => {
    expect(differenceOf({}, right, answer)).toBe(difference)
  })

  test('another source or highlight is a difference', () => {
    const changed = (change) => {
      const answer = structuredClone(right)
      change(answer.hits.hits[1])
      return answer
    }
    expect(
      differenceOf(
        {},
        right,
        changed((hit) => (hit._source.message = '')),
      ),
    ).toMatch('b: _source.message')
    expect(
      differenceOf(
        {},
        right,
        changed((hit) => (hit.highlight = { message: ['x'] })),
      ),
    ).toMatch('b: highlight')
  })
})

test('sorted hits without a source are told apart by what they are sorted by', () => {
  const sorted = (...ids) => page(ids.map((id) => ({ sort: [id] })))
  expect(differenceOf({}, sorted('a', 'b', 'c'), sorted('a', 'b', 'c'))).toBe(undefined)
  expect(differenceOf({}, sorted('a', 'b', 'c'), sorted('a', 'x', 'c'))).toBe('order.1.0 "b" and "x"')
})

test('hits in random order are counted only', () => {
  const kind = { hasRandomOrder: true }
  expect(differenceOf(kind, page(scored(['a', 1])), page(scored(['b', 2])))).toBe(undefined)
  expect(differenceOf(kind, page(scored(['a', 1])), page([]))).toBe('1 hits and 0')
})

test('hits of a collapsed page are told apart by the field', () => {
  const collapsed = (...names) =>
    page(names.map((name, at) => ({ _score: 9 - at, fields: { 'host.name': [name] } })))
  const kind = { idField: 'host.name' }
  expect(differenceOf(kind, collapsed('a', 'b', 'c'), collapsed('a', 'b', 'c'))).toBe(undefined)
  expect(differenceOf(kind, collapsed('a', 'b', 'c'), collapsed('a', 'x', 'c'))).toBe(
    'only one of them has b',
  )
})

test('a total that is a lower bound is the same as a greater one', () => {
  const bound = page(scored(['a', 3]), 10_000)
  bound.hits.total.relation = 'gte'
  expect(differenceOf({}, bound, page(scored(['a', 3]), 20_000))).toBe(undefined)
  expect(differenceOf({}, page(scored(['a', 3]), 20_000), bound)).toBe(undefined)
  expect(differenceOf({}, bound, page(scored(['a', 3]), 9000))).toBe('total.value 10000 and 9000')
})

test('long texts are shown where they differ', () => {
  const text = 'x'.repeat(100)
  expect(valueDifference(`${text} one`, `${text} two`, 'text', 0)).toBe(
    `text …${'x'.repeat(19)} one" and …${'x'.repeat(19)} two"`,
  )
})

test('counts and several searches', () => {
  expect(differenceOf({ endpoint: '_count' }, { count: 4 }, { count: 4 })).toBe(undefined)
  expect(differenceOf({ endpoint: '_count' }, { count: 4 }, { count: 5 })).toBe('count 4 and 5')
  const kind = { endpoint: '_msearch' }
  const several = (...answers) => ({ responses: answers })
  expect(differenceOf(kind, several(page([])), several(page([])))).toBe(undefined)
  expect(differenceOf(kind, several(page([]), page([])), several(page([])))).toMatch('search 2: one of them')
})

test.each([
  [1, 1.0000001, 1e-5, true],
  [1, 1.01, 1e-5, false],
  [100, 104, 0.05, true],
  [100, 106, 0.05, false],
  [0, 0, 0, true],
  [{ a: [1, 2] }, { a: [1, 2] }, 0, true],
  [{ a: 1 }, { a: 1, b: 2 }, 0, false],
  [null, { a: 1 }, 0, false],
  [undefined, undefined, 0, true],
  ['1', 1, 0, false],
])('%j and %j within %d', (one, other, tolerance, isSame) => {
  expect(valueDifference(one, other, 'value', tolerance) === undefined).toBe(isSame)
})
