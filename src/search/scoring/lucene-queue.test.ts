import { describe, expect, it } from 'vitest'
import { LuceneQueue } from './lucene-queue.ts'

const queued = (max: number, items: readonly string[]) => {
  const queue = new LuceneQueue<string>(max, (one, other) => one[0]! < other[0]!)
  for (const item of items) queue.add(item)
  return queue.drained()
}

describe('the queue of Lucene', () => {
  it('keeps the greatest items and returns them in falling order', () => {
    expect(queued(3, ['2', '5', '1', '4', '3'])).toEqual(['5', '4', '3'])
    expect(queued(0, ['1'])).toEqual([])
  })

  // What org.apache.lucene.util.PriorityQueue of Lucene 10 does with items that it cannot tell apart.
  it('has an order of its own for equal items', () => {
    expect(queued(5, ['1a', '1b', '1c', '1d'])).toEqual(['1b', '1c', '1d', '1a'])
    expect(queued(2, ['1a', '1b', '1c'])).toEqual(['1b', '1a'])
    expect(queued(3, ['1a', '2a', '1b', '2b', '1c'])).toEqual(['2a', '2b', '1b'])
  })
})
