import { describe, expect, it } from 'vitest'
import { BodyMemory } from './body-memory.ts'

const kilobyte = 1024
const megabyte = 1024 * kilobyte

describe('memory for bodies', () => {
  it('is used again when it was given back, by whatever view', () => {
    const memory = new BodyMemory()
    const first = memory.take(3 * megabyte)
    expect(first.length).toBeGreaterThanOrEqual(3 * megabyte)
    memory.giveBack(first.subarray(0, 10))
    expect(memory.take(2.5 * megabyte).buffer).toBe(first.buffer)
  })

  it('is never lent to two', () => {
    const memory = new BodyMemory()
    const first = memory.take(megabyte)
    expect(memory.take(megabyte).buffer).not.toBe(first.buffer)
    memory.giveBack(first)
    memory.giveBack(first)
    const second = memory.take(megabyte)
    expect(second.buffer).toBe(first.buffer)
    expect(memory.take(megabyte).buffer).not.toBe(first.buffer)
  })

  it('is not kept when it is small, huge or from elsewhere', () => {
    const memory = new BodyMemory()
    for (const size of [kilobyte, 17 * megabyte]) {
      const lent = memory.take(size)
      expect(lent.length).toBe(size)
      memory.giveBack(lent)
      expect(memory.take(size).buffer).not.toBe(lent.buffer)
      // What is huge is gone at once.
      expect(lent.length).toBe(size === kilobyte ? size : 0)
    }
    const other = Buffer.alloc(megabyte)
    memory.giveBack(other)
    expect(memory.take(megabyte).buffer).not.toBe(other.buffer)
  })

  it('is kept up to a limit, and not large memory for small bodies', () => {
    const memory = new BodyMemory()
    const lent = Array.from({ length: 40 }, () => memory.take(megabyte))
    for (const one of lent) memory.giveBack(one)
    const known = new Set(lent.map(({ buffer }) => buffer))
    expect(memory.take(100 * kilobyte).length).toBe(128 * kilobyte)
    const again = Array.from({ length: 40 }, () => memory.take(megabyte))
    expect(again.filter(({ buffer }) => known.has(buffer))).toHaveLength(16)
  })
})
