import { describe, expect, it } from 'vitest'
import { CollectionCounter, readHeap } from './heap.ts'

describe('the heap of a thread', () => {
  it('is measured in whole bytes that make sense together', () => {
    const heap = readHeap()
    for (const value of Object.values(heap)) expect(Number.isInteger(value)).toBe(true)
    expect(heap.used).toBeGreaterThan(0)
    expect(heap.committed).toBeGreaterThanOrEqual(heap.youngCommitted)
    expect(heap.max).toBeGreaterThan(heap.committed)
  })

  it('counts its collections', async () => {
    const counter = new CollectionCounter()
    const kept: unknown[] = []
    for (let i = 0; counter.counts.youngCollections === 0 && i < 200; i++) {
      for (let j = 0; j < 50_000; j++) kept[j] = { i, j, text: `${i} ${j}` }
      await new Promise((resolve) => setImmediate(resolve))
    }
    counter.close()
    expect(counter.counts.youngCollections).toBeGreaterThan(0)
    expect(counter.counts.youngMillis).toBeGreaterThan(0)
  })
})
