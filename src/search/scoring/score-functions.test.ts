import { expect, it } from 'vitest'
import type { LeafReader } from '../segment/segment.ts'
import { randomScore } from './score-functions.ts'

it('makes the random numbers of OpenSearch 3.8 from a seed, the index and a value', () => {
  const segment = { seqNos: [3, 4], fields: new Map() }
  const leaf = { segment, live: null, base: 0 } as unknown as LeafReader
  const score = randomScore(7, '_seq_no', 'd')(leaf)
  expect(score(0, 1)).toBeCloseTo(0.241873, 6)
  expect(score(1, 1)).toBeCloseTo(0.830714, 6)
  expect(randomScore(7, 'nope', 'd')(leaf)(0, 1)).toBe(randomScore(7, 'nope', 'd')(leaf)(1, 1))
})
