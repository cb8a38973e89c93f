import { describe, expect, it } from 'vitest'
import { collectGarbage } from '../../../memory/collect-garbage.ts'
import { DecodedCache } from '../../segment/decoded-cache.ts'
import type { Segment } from '../../segment/segment.ts'
import { DocSet } from './doc-set.ts'
import { FilterCache } from './filter-cache.ts'

const docs = 30_000
const segment = (docCount = docs) => ({ docCount }) as Segment
/** Every third document, as a term of a few values has them. */
const third = () =>
  DocSet.ofSorted(
    docs,
    Uint32Array.from({ length: docs / 3 }, (_, i) => i * 3),
  )

describe('the cache of filters', () => {
  it('keeps a set from its second use on, for large segments', () => {
    const filters = new FilterCache(new DecodedCache(1_000_000))
    expect([filters.use('a'), filters.use('a')]).toEqual([false, true])
    const [large, small] = [segment(), segment(9_999)]
    const set = filters.matches('a', large, third)
    expect(filters.matches('a', large, DocSet.none.bind(null, docs))).toBe(set)
    expect([filters.has('a', large), filters.has('b', large)]).toEqual([true, false])
    filters.matches('a', small, third)
    expect(filters.has('a', small)).toBe(false)
  })

  it('counts a set with all the memory that it can come to hold', () => {
    const memory = new DecodedCache(1_000_000)
    const set = new FilterCache(memory).matches('a', segment(), third)
    const held = set.array().byteLength + set.bits().words.byteLength
    expect(memory.bytes).toBeGreaterThanOrEqual(held)
    expect(memory.bytes).toBeLessThan(held + 1000)
  })

  it('stays within the budget, with the sets that were used last', () => {
    const memory = new DecodedCache(200_000)
    const filters = new FilterCache(memory)
    const one = segment()
    for (const key of 'abcdefgh') filters.matches(key, one, third)
    expect(memory.bytes).toBeLessThanOrEqual(200_000)
    expect([filters.has('a', one), filters.has('h', one)]).toEqual([false, true])
    expect(filters.matches('a', one, third).count).toBe(docs / 3)
  })

  it('does not keep what would take a large part of it', () => {
    const filters = new FilterCache(new DecodedCache(100_000))
    const one = segment()
    filters.matches('a', one, third)
    expect(filters.has('a', one)).toBe(false)
  })

  it('lets sets go with their segment', async () => {
    const memory = new DecodedCache(10_000_000)
    const filters = new FilterCache(memory)
    const living = segment()
    filters.matches('a', living, third)
    const own = memory.bytes
    for (let i = 0; i < 50; i++) filters.matches('a', segment(), third)
    expect(memory.bytes).toBe(51 * own)
    for (let left = 100; left > 0 && memory.bytes > own; left--) {
      collectGarbage()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(memory.bytes).toBe(own)
    expect(filters.has('a', living)).toBe(true)
  })
})
