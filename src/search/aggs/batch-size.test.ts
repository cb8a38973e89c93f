import { expect, it } from 'vitest'
import { batchSize } from './batch.ts'
import { BatchSize } from './batch-size.ts'

/** Batch sizes for documents with the given cost. */
function sizesWith(milliseconds: (document: number) => number, batches: number): number[] {
  let clock = 0
  let document = 0
  const size = new BatchSize({ now: () => clock })
  return Array.from({ length: batches }, () => {
    const length = size.size
    size.begin()
    for (let i = 0; i < length; i++) clock += milliseconds(document++)
    size.end(length)
    return length
  })
}

it('batches of cheap documents grow', () => {
  expect(sizesWith(() => 0.0001, 14)).toEqual([
    ...[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048],
    batchSize,
    batchSize,
  ])
})

it('batches of expensive documents stay small', () => {
  expect(sizesWith(() => 1, 3)).toEqual([1, 1, 1])
})

it('the batch size adapts, and again when documents become expensive', () => {
  const sizes = sizesWith((document) => (document < 20_000 ? 0.001 : 0.1), 40)
  expect(sizes.slice(0, 13)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1024, 1024])
  expect(sizes.at(-1)).toBe(16)
})

it('a short last batch does not change the batch size', () => {
  const size = new BatchSize({ now: () => 0 })
  for (const length of [1, 2, 4, 8]) size.end(length)
  size.end(3)
  expect(size.size).toBe(16)
})
