import { describe, expect, it } from 'vitest'
import { testIndex } from '../../collect/test-search.ts'
import { aggregated, type Json, keysOf } from '../test-aggs.ts'

/** Words of the documents of each segment; some documents have none, some two. */
const words = (count: number, from: number) =>
  Array.from({ length: count }, (_, i) => {
    const n = (from + i * 7) % 23
    if (n === 5) return []
    return n % 6 === 0 ? [`w${n}`, `ü${n % 4}`] : [`w${n}`]
  })

const large = words(60, 0)
const small = words(4, 3)
const other = [['only-here'], ['w3'], [], ['a', 'w99']]
const shapes: Record<string, string[][][]> = {
  'one segment': [large],
  'most in the first segment': [large, small, other],
  'most in the last segment': [other, small, large],
  'nowhere most': [large, large.slice(0, 50), other],
}

function counted(documents: readonly string[][]): [string, number][] {
  const counts = new Map<string, number>()
  for (const list of documents) for (const word of list) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}

describe.each(Object.entries(shapes))('terms as keys, %s', (_name, segments) => {
  let id = 0
  const index = testIndex(
    [segments.map((docs) => docs.map((word) => ({ id: String(id++), source: { word } })))],
    { mappings: { properties: { word: { type: 'keyword' } } } },
  )
  const all = segments.flat()
  const terms = (body: Json, more: Json = {}) =>
    keysOf(aggregated(index, { a: { terms: { field: 'word', size: 100, ...body } } }, more)['a'] as Json)

  it('are counted and ordered by key and by count', () => {
    const expected = counted(all)
    expect(terms({ order: { _key: 'asc' } })).toEqual(expected)
    // Sorting keeps the order of keys among equal counts.
    expect(terms({})).toEqual([...expected].sort(([, a], [, b]) => b - a))
    expect(terms({ size: 3, order: { _key: 'desc' } })).toEqual(expected.reverse().slice(0, 3))
  })

  it('may be excluded, or replace a missing value', () => {
    const some = counted(all).filter(([word]) => /^w1.*/.test(word))
    expect(terms({ include: 'w1.*', order: { _key: 'asc' } })).toEqual(some)
    expect(terms({ include: 'w1.*', order: { _key: 'asc' }, min_doc_count: 0 })).toEqual(some)
    const filled = counted(all.map((list) => (list.length === 0 ? ['w3'] : list)))
    expect(terms({ missing: 'w3', order: { _key: 'asc' } })).toEqual(filled)
  })

  it('are shown without documents with min_doc_count 0', () => {
    const query = { term: { word: 'w3' } }
    const matches = new Map(counted(all.filter((list) => list.includes('w3'))))
    const expected = counted(all).map(([word]) => [word, matches.get(word) ?? 0])
    expect(terms({ order: { _key: 'asc' }, min_doc_count: 0 }, { query })).toEqual(expected)
  })

  it('continue after a key in a composite', () => {
    const sources = [{ w: { terms: { field: 'word' } } }]
    for (const after of ['w14', 'w15x', 'only-here']) {
      const { buckets } = aggregated(index, { a: { composite: { sources, size: 5, after: { w: after } } } })[
        'a'
      ] as { buckets: { key: { w: string }; doc_count: number }[] }
      const later = counted(all).filter(([word]) => Buffer.compare(Buffer.from(word), Buffer.from(after)) > 0)
      expect(buckets.map(({ key, doc_count }) => [key.w, doc_count])).toEqual(later.slice(0, 5))
    }
  })
})
