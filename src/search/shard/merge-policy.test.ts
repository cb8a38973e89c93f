import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import { chooseForceMerge, chooseMerge, mergeLimit } from './merge-policy.ts'

const bytesOfDoc = 200

afterEach(() => {
  mergeLimit.maxBytes = Number.POSITIVE_INFINITY
  mergeLimit.roomBytes = Number.POSITIVE_INFINITY
})

function segment(docCount: number) {
  return { segment: { docCount, bytes: docCount * bytesOfDoc }, live: null } as unknown as Parameters<
    typeof chooseMerge
  >[0][number]
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
  return {
    segments: sizes(segments),
    mostSegments,
    rewritten: rewritten / flushed.reduce((a, b) => a + b, 0),
  }
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
  const many = (docs: number) => Array.from({ length: 12 }, () => segment(docs))
  expect(sizes(chooseMerge(many(600_000)))).toEqual(Array.from({ length: 6 }, () => 600_000))
  expect(sizes(chooseMerge(many(1_500_000)))).toEqual([1_500_000, 1_500_000])
  expect(sizes(chooseMerge(many(3_600_000)))).toEqual([])
})

it('makes no segment that takes more memory to merge than there is, and rewrites none again and again', () => {
  mergeLimit.maxBytes = 300_000 * bytesOfDoc
  const { segments, mostSegments, rewritten } = grow(Array.from({ length: 450 }, () => 16_000))
  expect(Math.max(...segments)).toBeLessThanOrEqual(300_000)
  expect(mostSegments).toBeLessThan(55)
  expect(rewritten).toBeLessThan(2.2)
})

it('leaves large merges for later while memory is short', () => {
  const large = Array.from({ length: 8 }, () => segment(100_000))
  const small = Array.from({ length: 8 }, () => segment(5_000))
  mergeLimit.roomBytes = 50_000 * bytesOfDoc
  expect(sizes(chooseMerge([...large, ...small]))).toEqual(sizes(small))
  mergeLimit.roomBytes = 900_000 * bytesOfDoc
  expect(sizes(chooseMerge([...large, ...small]))).toEqual(sizes(large))
})

it('merges fewer at a time while there is no room for eight, the smallest of them', () => {
  const large = Array.from({ length: 8 }, () => segment(100_000))
  const small = Array.from({ length: 8 }, () => segment(16_000))
  mergeLimit.roomBytes = 70_000 * bytesOfDoc
  expect(sizes(chooseMerge([...large, ...small]))).toEqual(sizes(small.slice(0, 4)))
  mergeLimit.roomBytes = 60_000 * bytesOfDoc
  expect(sizes(chooseMerge([...large, ...small]))).toEqual([])
})

it('keeps segments as few as the room for merges allows while memory stays short', () => {
  mergeLimit.maxBytes = 300_000 * bytesOfDoc
  mergeLimit.roomBytes = 80_000 * bytesOfDoc
  const { segments, rewritten } = grow(Array.from({ length: 400 }, () => 12_000))
  expect(segments.length).toBeLessThan((400 * 12_000) / 40_000)
  expect(rewritten).toBeLessThan(2.5)
})

it('merges by force as far as the memory allows, then ends', () => {
  mergeLimit.maxBytes = 100_000 * bytesOfDoc
  let segments = [40_000, 40_000, 150_000, 60_000, 30_000, 30_000].map(segment)
  for (let merge = chooseForceMerge(segments); merge.length > 0; merge = chooseForceMerge(segments)) {
    const at = segments.indexOf(merge[0]!)
    const sum = sizes(merge).reduce((a, b) => a + b, 0)
    segments = [...segments.slice(0, at), segment(sum), ...segments.slice(at + merge.length)]
  }
  expect(sizes(segments)).toEqual([80_000, 150_000, 90_000, 30_000])
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
