import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chooseMerge } from './merge-policy.ts'

function segment(docCount: number) {
  return { segment: { docCount }, live: null } as unknown as Parameters<typeof chooseMerge>[0][number]
}

function sizes(merge: readonly { readonly segment: { readonly docCount: number } }[]): number[] {
  return merge.map(({ segment }) => segment.docCount)
}

/** Flushes segments one by one and merges whatever the policy asks for. */
function grow(flushed: readonly number[]) {
  let segments: ReturnType<typeof segment>[] = []
  let rewritten = 0
  let mostSegments = 0
  for (const docs of flushed) {
    segments.push(segment(docs))
    for (let merge = chooseMerge(segments); merge.length > 0; merge = chooseMerge(segments)) {
      const at = segments.indexOf(merge[0]!)
      const sum = sizes(merge).reduce((a, b) => a + b, 0)
      rewritten += sum
      segments = [...segments.slice(0, at), segment(sum), ...segments.slice(at + merge.length)]
    }
    mostSegments = Math.max(mostSegments, segments.length)
  }
  return { mostSegments, rewritten: rewritten / flushed.reduce((a, b) => a + b, 0) }
}

it('merges eight neighbours of about one size, the oldest first', () => {
  expect(sizes(chooseMerge(Array.from({ length: 7 }, () => segment(5000))))).toEqual([])
  const nine = [90_000, 5001, 5002, 5003, 5004, 5005, 5006, 5007, 5008, 5009]
  expect(sizes(chooseMerge(nine.map(segment)))).toEqual(nine.slice(1, 9))
})

it('takes along what is smaller between them', () => {
  const mixed = [17_000, 300, 17_000, 300, 17_000, 300, 17_000, 300, 17_000]
  expect(sizes(chooseMerge(mixed.map(segment)))).toEqual(mixed.slice(0, 8))
})

it('makes no segment beyond four million documents', () => {
  expect(sizes(chooseMerge(Array.from({ length: 12 }, () => segment(600_000))))).toEqual([])
})

it('keeps few segments and rewrites each document few times, whatever the sizes of flushes', () => {
  const sizesOfFlushes = fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 100, maxLength: 300 })
  fc.assert(
    fc.property(sizesOfFlushes, (flushed) => {
      const { mostSegments, rewritten } = grow(flushed)
      expect(mostSegments).toBeLessThan(45)
      expect(rewritten).toBeLessThan(6)
    }),
    { numRuns: 50 },
  )
})
