import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TopDocsHeap } from './top-docs-heap.ts'

const scores = fc.oneof(fc.float({ noNaN: true }), fc.constantFrom(0, 1, 1.5, Number.POSITIVE_INFINITY))

test('the heap keeps the top k by score, ties by document', () => {
  fc.assert(
    fc.property(fc.array(scores, { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (all, most) => {
      const best = new TopDocsHeap(most)
      all.forEach((score, i) => {
        if (score > best.threshold) best.add(i * 2, score)
      })
      const expected = all
        .map((score, i) => ({ doc: i * 2, score }))
        .filter(({ score }) => score > Number.NEGATIVE_INFINITY)
        .sort((a, b) => (a.score === b.score ? a.doc - b.doc : b.score > a.score ? 1 : -1))
        .slice(0, most)
      const { docs, scores: found } = best.sorted()
      const together = new TopDocsHeap(most)
      const half = all.length >> 1
      for (const [from, to] of [
        [0, half],
        [half, all.length],
      ] as const) {
        const some = Uint32Array.from(all.slice(from, to), (_, i) => (from + i) * 2)
        together.addAll(some, Float32Array.from(all.slice(from)))
      }
      expect(together.sorted()).toEqual({ docs, scores: found })
      expect([...docs]).toEqual(expected.map(({ doc }) => doc))
      expect([...found]).toEqual(expected.map(({ score }) => score))
    }),
  )
})
