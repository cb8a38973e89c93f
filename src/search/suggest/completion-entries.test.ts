import { describe, expect, it } from 'vitest'
import { keyEntries } from './completion-entries.ts'

describe('the entries of a key', () => {
  /** Documents of one input by weight, and the order in which OpenSearch 3.8 shows those of the highest weight. */
  const docs: Record<number, readonly number[]> = {
    1: [2, 88, 113, 116, 160, 174, 186, 213, 226, 239, 242],
    2: [41, 58, 63, 69, 103, 162, 180, 193, 202, 232, 238, 254, 262, 294],
    3: [23, 40, 47, 48, 55, 65, 68, 120, 153, 171, 188, 198, 201, 206, 219, 269, 286, 295],
  }
  const terms = Object.entries(docs).map(([weight, numbers], ordinal) => ({
    ordinal,
    weight: Number(weight),
    docs: Uint32Array.from(numbers),
  }))
  const heaviest = [...keyEntries(terms)].filter(({ term }) => term.weight === 3).map(({ doc }) => doc)

  it('of different weights are in the order of a binary heap', () => {
    expect(heaviest).toEqual([
      23, 47, 40, 120, 65, 48, 55, 219, 153, 171, 68, 188, 198, 201, 206, 269, 295, 286,
    ])
  })

  it('of one weight are in the order of documents', () => {
    const one = { ordinal: 0, weight: 1, docs: Uint32Array.of(1, 5) }
    const other = { ordinal: 1, weight: 1, docs: Uint32Array.of(0, 3) }
    expect([...keyEntries([one, other])].map(({ doc }) => doc)).toEqual([0, 1, 3, 5])
  })

  it('above the bound are read by term', () => {
    const light = { ordinal: 0, weight: 1, docs: new Uint32Array(70_000).map((_, at) => at) }
    const heavy = { ordinal: 1, weight: 2, docs: Uint32Array.of(7) }
    const first = keyEntries([light, heavy]).next().value
    expect(first).toEqual({ term: light, doc: 0 })
  })
})
