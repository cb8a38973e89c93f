import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MemoryQueue } from './memory-queue.ts'

interface Item {
  name: number
  from: number
  to: number
}

function queueOf(records: number, bytes = Number.POSITIVE_INFINITY): MemoryQueue<Item> {
  return new MemoryQueue<Item>(
    { records, bytes },
    ({ from, to }) => (to - from) * 10,
    (item, count) => [
      { ...item, to: item.from + count },
      { ...item, from: item.from + count },
    ],
  )
}

const labels = (items: Item[]) =>
  items.flatMap(({ name, from, to }) => Array.from({ length: to - from }, (_, i) => `${name}.${from + i}`))

describe('the memory queue', () => {
  it('gives every record once and in order, whatever is pushed and taken', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ push: fc.nat(9), take: fc.nat(7) }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 12 }),
        async (steps, capacity) => {
          const queue = queueOf(capacity)
          const pushed: string[] = []
          const taken: string[] = []
          const waits: Promise<void>[] = []
          steps.forEach(({ push, take }, name) => {
            if (push > 0) {
              const item = { name, from: 0, to: push }
              pushed.push(...labels([item]))
              const wait = queue.push(item)
              if (wait !== undefined) waits.push(wait)
            }
            const batch = queue.take(take)
            expect(labels(batch).length).toBeLessThanOrEqual(take)
            taken.push(...labels(batch))
          })
          while (!queue.empty) taken.push(...labels(queue.take(5)))
          await Promise.all(waits)
          expect(taken).toEqual(pushed)
          expect([queue.records, queue.bytes, queue.waiting]).toEqual([0, 0, 0])
        },
      ),
    )
  })

  it('gives no more bytes at a time than asked for, and a larger record alone', () => {
    const queue = queueOf(1000)
    void queue.push({ name: 1, from: 0, to: 5 })
    void queue.push({ name: 2, from: 0, to: 5 })
    expect(labels(queue.take(100, 30))).toEqual(['1.0', '1.1', '1.2'])
    expect(labels(queue.take(100, 45))).toEqual(['1.3', '1.4', '2.0', '2.1'])
    expect(labels(queue.take(100, 1))).toEqual(['2.2'])
    expect(labels(queue.take(1, 1000))).toEqual(['2.3'])
    expect(labels(queue.take(100, 1000))).toEqual(['2.4'])
    expect([queue.records, queue.bytes]).toEqual([0, 0])
  })

  it('waits for what lies outside of it, until it is asked to look again', async () => {
    let isShort = true
    const queue = new MemoryQueue<Item>(
      { records: 10, bytes: 1000, isShort: () => isShort },
      () => 1,
      (item) => [item, item],
    )
    const wait = queue.push({ name: 1, from: 0, to: 1 })
    expect([queue.records, queue.waiting]).toEqual([0, 1])
    queue.admit()
    expect(queue.waiting).toBe(1)
    isShort = false
    queue.admit()
    await wait
    expect(labels(queue.take(5))).toEqual(['1.0'])
  })

  it('lets a push wait while it is full by records or by bytes', async () => {
    for (const queue of [queueOf(2), queueOf(1000, 20)]) {
      expect(queue.push({ name: 1, from: 0, to: 2 })).toBeUndefined()
      let accepted = false
      const wait = queue.push({ name: 2, from: 0, to: 1 })!
      const done = wait.then(() => {
        accepted = true
      })
      await new Promise((resolve) => setImmediate(resolve))
      expect(accepted).toBe(false)
      expect(labels(queue.take(1))).toEqual(['1.0'])
      await done
      expect(labels(queue.take(9))).toEqual(['1.1', '2.0'])
    }
  })
})
