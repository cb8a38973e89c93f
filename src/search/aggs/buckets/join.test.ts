/** `children` and `parent` over two shards with several segments. */
import { describe, expect, it } from 'vitest'
import { type TestDoc, testIndex } from '../../collect/test-search.ts'
import { aggregated } from '../test-aggs.ts'

const mappings = {
  properties: {
    j: { type: 'join', relations: { question: ['answer', 'comment'], answer: 'vote' } },
    k: { type: 'keyword' },
    n: { type: 'integer' },
  },
}

function doc(id: string, name: string, parent: string | undefined, k: string, n: number): TestDoc {
  return { id, routing: 'r', source: { j: { name, ...(parent !== undefined && { parent }) }, k, n } }
}

const index = testIndex(
  [
    [
      [doc('a1', 'answer', 'q1', 'x', 1), doc('q1', 'question', undefined, 'red', 2)],
      [doc('q2', 'question', undefined, 'blue', 3), doc('a2', 'answer', 'q1', 'y', 4)],
      [
        doc('a3', 'answer', 'q2', 'x', 5),
        { ...doc('a4', 'answer', 'q2', 'x', 6), isDeleted: true },
        doc('v1', 'vote', 'a3', 'up', 7),
        doc('c1', 'comment', 'q1', 'x', 8),
      ],
    ],
    [
      [doc('a5', 'answer', 'q1', 'x', 9)],
      [doc('q3', 'question', undefined, 'red', 10), doc('a6', 'answer', 'q3', 'z', 11)],
    ],
  ],
  { mappings },
)

const terms = { terms: { field: 'k', order: { _key: 'asc' } } }
const sum = { sum: { field: 'n' } }

describe('children', () => {
  it('counts the live children of the parents of the same shard', () => {
    const aggs = { c: { children: { type: 'answer' }, aggs: { sum } } }
    expect(aggregated(index, aggs)).toEqual({ c: { doc_count: 4, sum: { value: 21 } } })
    expect(aggregated(index, aggs, { query: { term: { k: 'blue' } } })).toEqual({
      c: { doc_count: 1, sum: { value: 5 } },
    })
  })

  it('hands children to the buckets of their parents', () => {
    const found = aggregated(index, {
      k: {
        ...terms,
        aggs: { c: { children: { type: 'answer' }, aggs: { k: terms, v: { children: { type: 'vote' } } } } },
      },
    }) as {
      k: { buckets: { key: string; c: { doc_count: number; k: { buckets: unknown[] }; v: unknown } }[] }
    }
    const counts = found.k.buckets.map(({ key, c }) => [key, c.doc_count, c.v])
    expect(counts).toContainEqual(['red', 3, { doc_count: 0 }])
    expect(counts).toContainEqual(['blue', 1, { doc_count: 1 }])
    expect(found.k.buckets.find(({ key }) => key === 'red')!.c.k.buckets).toEqual([
      { key: 'x', doc_count: 1 },
      { key: 'y', doc_count: 1 },
      { key: 'z', doc_count: 1 },
    ])
  })

  it.each(['question', 'nobody'])('has none of type %s', (type) => {
    expect(aggregated(index, { c: { children: { type } } })).toEqual({ c: { doc_count: 0 } })
  })
})

describe('parent', () => {
  it('counts a parent once, however many of its children match', () => {
    const aggs = { p: { parent: { type: 'answer' }, aggs: { sum, k: terms } } }
    expect(aggregated(index, aggs)).toMatchObject({
      p: {
        doc_count: 3,
        sum: { value: 15 },
        k: { buckets: [{ key: 'blue' }, { key: 'red', doc_count: 2 }] },
      },
    })
  })

  it('goes up two levels', () => {
    const aggs = {
      p: { parent: { type: 'vote' }, aggs: { p: { parent: { type: 'answer' }, aggs: { sum } } } },
    }
    expect(aggregated(index, aggs)).toEqual({ p: { doc_count: 1, p: { doc_count: 1, sum: { value: 3 } } } })
  })

  it('gives a parent to every bucket that one of its children is in', () => {
    const aggs = { k: { ...terms, aggs: { p: { parent: { type: 'answer' } } } } }
    const found = aggregated(index, aggs) as { k: { buckets: { key: string; p: unknown }[] } }
    const counts = Object.fromEntries(found.k.buckets.map(({ key, p }) => [key, p]))
    expect(counts).toMatchObject({ x: { doc_count: 2 }, y: { doc_count: 1 }, z: { doc_count: 1 } })
  })
})
