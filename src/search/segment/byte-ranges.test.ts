import { expect, test } from 'vitest'
import { BlockRanges } from './byte-ranges.ts'
import { DecodedCache } from './decoded-cache.ts'

/** Bytes 0, 1, 2, … in blocks of the given sizes. */
function blocksOf(sizes: readonly number[]) {
  const starts = [0]
  for (const size of sizes) starts.push(starts.at(-1)! + size)
  const read: number[] = []
  const block = (number: number) => {
    read.push(number)
    return Uint8Array.from({ length: sizes[number]! }, (_, i) => starts[number]! + i)
  }
  return { starts: Uint32Array.from(starts), block, read }
}

test('any range is that of the joined blocks', () => {
  const blocks = blocksOf([3, 1, 4, 2])
  const ranges = new BlockRanges(blocks)
  for (let from = 0; from <= 10; from++) {
    for (let to = from; to <= 10; to++)
      expect([...ranges.range(from, to)]).toEqual(Array.from({ length: to - from }, (_, i) => from + i))
  }
})

test('a section without bytes has the empty range', () => {
  expect(new BlockRanges(blocksOf([])).range(0, 0)).toHaveLength(0)
})

test('only the blocks of the range are read, each once while it is cached', () => {
  const blocks = blocksOf([100, 100, 100, 100])
  const memory = new DecodedCache(250)
  const ranges = new BlockRanges(blocks, memory)
  ranges.range(110, 190)
  ranges.range(150, 210)
  expect(blocks.read).toEqual([1, 2])
  expect(memory.bytes).toBe(200)
  ranges.range(0, 10)
  expect(memory.bytes).toBeLessThanOrEqual(250)
  expect([...ranges.range(198, 202)]).toEqual([198, 199, 200, 201])
  expect(blocks.read.length).toBeGreaterThan(3)
})
