import { describe, expect, it } from 'vitest'
import { MemoryAccount } from './memory-account.ts'

const shared = () => new SharedArrayBuffer(16 * 1024)

describe('the account of memory', () => {
  it('adds up what all threads hold', () => {
    const memory = shared()
    const [first, second] = [new MemoryAccount(memory, 1), new MemoryAccount(memory, 2)]
    first.add('queues', 100)
    first.add('queues', 50)
    second.set('queues', 7)
    second.add('batches', 3)
    expect(first.total('queues')).toBe(157)
    expect(second.totals()).toMatchObject({ queues: 157, batches: 3, inputs: 0 })
    expect(first.pipelines).toBe(160)
  })

  it('forgets what a thread held when it has ended, and gives its row to the next', () => {
    const memory = shared()
    const control = new MemoryAccount(memory, 0)
    for (let thread = 1; thread < 1000; thread++) {
      new MemoryAccount(memory, thread).add('inputs', 5)
      expect(control.total('inputs')).toBe(5)
      control.release(thread)
      expect(control.total('inputs')).toBe(0)
    }
  })

  it('tells every thread the limit', () => {
    const memory = shared()
    new MemoryAccount(memory, 0).limit = 1000
    const other = new MemoryAccount(memory, 3)
    expect([other.limit, other.pipelinesLimit, other.inputsLimit]).toEqual([1000, 150, 100])
  })

  it('goes on when there are more threads than rows', () => {
    const memory = shared()
    const accounts = Array.from({ length: 200 }, (_, thread) => new MemoryAccount(memory, thread))
    for (const account of accounts) account.add('answers', 1)
    expect(accounts[0]!.total('answers')).toBe(128)
  })
})
