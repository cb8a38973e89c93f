import { expect, it } from 'vitest'
import { BucketOrdinals } from './bucket-ordinals.ts'
import { ValueOrdinals } from './value-ordinals.ts'

/** Numbers in no order that repeat. */
function* shuffled(length: number, most: number): Generator<number> {
  for (let i = 0; i < length; i++) yield (Math.imul(i, 0x9e37_79b1) >>> 0) % most
}

it('every pair of owner and key has one ordinal, in order of creation', () => {
  const ids = new BucketOrdinals()
  const known = new Map<string, number>()
  const byOwner = new Map<number, number[]>()
  for (const number of shuffled(200_000, 150_000)) {
    const owner = number % 1001 === 0 ? 0 : number % 37
    const key = Math.floor(number / 37)
    const name = `${owner}/${key}`
    let expected = known.get(name)
    if (expected === undefined) {
      expect(ids.find(owner, key)).toBe(-1)
      known.set(name, (expected = known.size))
      const buckets = byOwner.get(owner)
      if (buckets === undefined) byOwner.set(owner, [expected])
      else buckets.push(expected)
    }
    if (ids.id(owner, key) !== expected) expect.unreachable(name)
    if (ids.find(owner, key) !== expected) expect.unreachable(name)
  }
  expect(ids.size).toBe(known.size)
  for (const [owner, buckets] of byOwner) expect([...ids.of(owner)]).toEqual(buckets)
  expect(ids.of(38)).toHaveLength(0)
  expect(ids.of(1 << 20)).toHaveLength(0)
})

it('buckets created after a listing appear in the next', () => {
  const ids = new BucketOrdinals()
  for (const key of [5, 3]) ids.id(2, key)
  expect([...ids.of(2)].map((bucket) => ids.key(bucket))).toEqual([5, 3])
  ids.id(1, 1)
  ids.id(2, 4)
  expect([...ids.of(2)].map((bucket) => ids.key(bucket))).toEqual([5, 3, 4])
  expect([...ids.of(1)].map((bucket) => ids.owner(bucket))).toEqual([1])
})

it('every double has one ordinal', () => {
  const ids = new ValueOrdinals()
  const known = new Map<number, number>()
  for (const number of shuffled(200_000, 120_000)) {
    const value = (number - 60_000) / 8
    let expected = known.get(value)
    if (expected === undefined) known.set(value, (expected = known.size))
    if (ids.id(value) !== expected || ids.value(expected) !== value) expect.unreachable(String(value))
  }
  expect(ids.size).toBe(known.size)
  expect(ids.find(1e9)).toBe(-1)
  expect(ids.find(-0)).toBe(ids.find(0))
})
