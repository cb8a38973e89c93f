import { describe, expect, it } from 'vitest'
import { isLongSearch } from './expected-length.ts'
import { parseSearchRequest } from './parse-request.ts'

describe('a search that is expected to take long', () => {
  it.each([
    [{}, false],
    [{ query: { match: { a: 'b' } }, sort: ['n'] }, false],
    [{ size: 499 }, false],
    [{ size: 500 }, true],
    [{ sort: ['a', 'b', 'c'] }, true],
    [{ aggs: { a: { avg: { field: 'n' } } } }, true],
    [{ query: { bool: { filter: [{ prefix: { a: 'b' } }] } } }, true],
    [{ query: { has_child: { type: 'c', query: { match_all: {} } } } }, true],
    [{ post_filter: { percolate: { field: 'q', document: {} } } }, true],
  ])('%j: %s', (body, isLong) => {
    expect(isLongSearch(parseSearchRequest(body))).toBe(isLong)
  })
})
