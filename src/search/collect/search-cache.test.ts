import { expect, test } from 'vitest'
import { DocSet } from '../query/exec/doc-set.ts'
import { DecodedCache } from '../segment/decoded-cache.ts'
import { type SearchPage, searchPage, searchSteps } from './execute-search.ts'
import { ofSignal } from './guard.ts'
import type { PreparedSearch } from './prepared-search.ts'
import { parseSearchRequest } from './request/parse-request.ts'
import { SearchCache } from './search-cache.ts'
import { testIndex } from './test-search.ts'

const size = 1_000_000

/** Every other document matches, each with a different score. */
function search(): PreparedSearch {
  const docs = DocSet.ofSorted(
    size,
    Uint32Array.from({ length: size / 2 }, (_, i) => i * 2),
  )
  const list = [{ leaf: {}, docs }]
  return { matches: list, hits: list, scorePlace: 0, scores: { constant: () => undefined } } as never
}

test('evicts the least recently used search beyond the byte limit', () => {
  // Sixteen bytes per match leave room for three searches.
  const cache = new SearchCache(16, new DecodedCache(30_000_000))
  for (const key of ['a', 'b', 'c']) cache.put(key, search())
  expect(cache.get('a')).toBeDefined()
  cache.put('d', search())
  expect(cache.get('b')).toBeUndefined()
  expect(cache.get('a')).toBeDefined()
  expect(cache.get('d')).toBeDefined()
})

test('caches no more searches than allowed, however small', () => {
  const cache = new SearchCache(2, new DecodedCache(1e9))
  for (const key of ['a', 'b', 'c']) cache.put(key, search())
  expect(cache.get('a')).toBeUndefined()
  expect(cache.get('b')).toBeDefined()
  expect(cache.get('c')).toBeDefined()
})

test('cancelling one request does not stop another that uses the same cached search', () => {
  const docs = Array.from({ length: 100 }, (_, n) => ({ id: String(n), source: { n } }))
  const index = testIndex([[docs]])
  const request = parseSearchRequest({ size: 50, query: { range: { n: { gte: 0 } } }, sort: [{ n: 'asc' }] })
  const cache = new SearchCache()
  const begin = (gone: AbortController) =>
    searchSteps([index], request, { node: 'node', cache, cancellation: ofSignal(gone.signal) })
  const first = searchPage([index], request, { node: 'node', cache })
  const gone = new AbortController()
  const [one, other] = [begin(new AbortController()), begin(gone)]
  let page: SearchPage | undefined
  for (let taken = 0; page === undefined; taken++) {
    const next = one.next()
    if (next.done) page = next.value
    // Both are in the fetch phase when the later one is cancelled.
    if (taken < 20) expect(other.next().done).toBe(false)
    if (taken === 20) gone.abort()
  }
  expect(page.search).toBe(first.search)
  expect(page.hits).toHaveLength(50)
})

test('distinguishes scripts, and caches no search with a stored script', () => {
  const index = testIndex([[[{ id: '1', source: { n: 1 } }]]])
  const cache = new SearchCache()
  const key = (body: unknown) => cache.keyOf([index], parseSearchRequest(body))
  const sort = (script: unknown) => key({ sort: { _script: { type: 'number', script } } })
  const query = (script: unknown) => key({ query: { script: { script } } })
  for (const keyOf of [sort, query]) {
    expect(keyOf('1')).toBeDefined()
    expect(keyOf('1')).not.toBe(keyOf('2'))
    expect(keyOf({ source: 'params.a', params: { a: 1 } })).not.toBe(
      keyOf({ source: 'params.a', params: { a: 2 } }),
    )
    expect(keyOf({ id: 'mine' })).toBeUndefined()
  }
})
