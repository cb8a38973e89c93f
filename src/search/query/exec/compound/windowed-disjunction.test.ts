import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PostingScores } from '../query.ts'
import { sumPostings } from './windowed-disjunction.ts'

const size = 20_000
const table = {
  scores: Float32Array.from({ length: 3 * 256 }, (_, i) => (i >>> 8) / (1 + (i & 255))),
  end: 3,
  compute: (frequency: number, norm: number) => Math.fround(frequency / (1 + norm)),
}
const norms = Uint8Array.from({ length: size }, (_, doc) => (doc * 7) % 256)

const postings = fc
  .record({
    first: fc.nat(size - 1),
    step: fc.integer({ min: 1, max: 9 }),
    counted: fc.boolean(),
    measured: fc.boolean(),
  })
  .map(({ first, step, counted, measured }): PostingScores => {
    const docs = Uint32Array.from({ length: Math.ceil((size - first) / step) }, (_, i) => first + i * step)
    const freqs = counted ? docs.map((doc) => 1 + (doc % 6)) : null
    return {
      postings: { docs, freqs, positions: null },
      docs,
      freqs,
      norms: measured ? norms : null,
      table,
    }
  })

test('windowed accumulation gives the same sums as adding the lists one by one', () => {
  fc.assert(
    fc.property(fc.array(postings, { minLength: 1, maxLength: 4 }), fc.nat(size), (lists, cut) => {
      const expected = new Map<number, number>()
      for (const { docs, freqs, norms: own } of lists) {
        docs.forEach((doc, i) => {
          // A field without norms counts as one of length one.
          const score = Math.fround((freqs?.[i] ?? 1) / (1 + (own === null ? 1 : own[doc]!)))
          expected.set(doc, (expected.get(doc) ?? 0) + score)
        })
      }
      const sorted = [...expected].sort(([a], [b]) => a - b)
      const parts = [sumPostings(lists, 0, cut), sumPostings(lists, cut, size)]
      expect(parts.flatMap(({ docs }) => [...docs])).toEqual(sorted.map(([doc]) => doc))
      expect(parts.flatMap(({ scores }) => [...scores])).toEqual(
        sorted.map(([, score]) => Math.fround(score)),
      )
    }),
    { numRuns: 40 },
  )
})
