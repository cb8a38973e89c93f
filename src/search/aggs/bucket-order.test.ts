import { expect, it } from 'vitest'
import { finish } from '../scheduling/steps.ts'
import { bucketOrder, firstBuckets } from './bucket-order.ts'

/** Numbers that repeat, in no order. */
const counts = Uint32Array.from({ length: 100_000 }, (_, i) => Math.imul(i, 0x9e37_79b1) >>> 22)
const buckets = counts.map((_, i) => i)
const compare = (one: number, other: number) => counts[other]! - counts[one]! || one - other
const sorted = [...buckets].sort(compare)

it.each([1, 10, 9000, 20_000, 24_999, 25_000, 60_000, 200_000])('the first %i are in order', (size) => {
  expect([...finish(firstBuckets(buckets, size, { compare }))]).toEqual(sorted.slice(0, size))
  expect(buckets[17]).toBe(17)
})

it('selecting from many buckets yields often', () => {
  const steps = firstBuckets(buckets, 30_000, { compare })
  let count = 0
  while (steps.next().done !== true) count += 1
  expect(count).toBeGreaterThan(20)
  expect(finish(firstBuckets(buckets.subarray(0, 0), 3, { compare }))).toHaveLength(0)
})

it('a key that is given a hundred thousand times is compared once', () => {
  let calls = 0
  const facts = {
    count: () => {
      calls += 1
      return 7
    },
    compareKeys: (one: number, other: number) => one - other,
  }
  const order = Array.from({ length: 100_000 }, (_, i) => ({ by: '_count', isAscending: i % 2 === 0 }))
  const { compare } = bucketOrder(order, facts, { list: [] } as never, 'a')
  expect(compare(1, 2)).toBeLessThan(0)
  expect(calls).toBe(2)
})
