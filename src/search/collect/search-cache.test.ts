import { expect, test } from 'vitest'
import { DocSet } from '../query/exec/doc-set.ts'
import { DecodedMemory } from '../segment/decoded-memory.ts'
import type { PreparedSearch } from './prepared-search.ts'
import { SearchCache } from './search-cache.ts'

const size = 1_000_000

/** Every other document matches, each with a score of its own. */
function search(): PreparedSearch {
  const docs = DocSet.ofSorted(
    size,
    Uint32Array.from({ length: size / 2 }, (_, i) => i * 2),
  )
  const list = [{ leaf: {}, docs }]
  return { matches: list, hits: list, scorePlace: 0, scores: { constant: () => undefined } } as never
}

test('keeps searches within the limit of bytes, the used ones longest', () => {
  // Sixteen bytes a match: there is room for three.
  const cache = new SearchCache(16, new DecodedMemory(30_000_000))
  for (const key of ['a', 'b', 'c']) cache.put(key, search())
  expect(cache.get('a')).toBeDefined()
  cache.put('d', search())
  expect(cache.get('b')).toBeUndefined()
  expect(cache.get('a')).toBeDefined()
  expect(cache.get('d')).toBeDefined()
})

test('keeps no more searches than it may, however small', () => {
  const cache = new SearchCache(2, new DecodedMemory(1e9))
  for (const key of ['a', 'b', 'c']) cache.put(key, search())
  expect(cache.get('a')).toBeUndefined()
  expect(cache.get('b')).toBeDefined()
  expect(cache.get('c')).toBeDefined()
})
