import { markAsUntransferable } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { freeMemory } from './free-memory.ts'

const kilobyte = 1024

test('memory is gone at once, time and again', async () => {
  for (let i = 0; i < 3; i++) {
    const bytes = Buffer.allocUnsafeSlow(64 * kilobyte)
    freeMemory(bytes)
    expect([bytes.length, bytes.buffer.byteLength]).toEqual([0, 0])
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
})

test('memory that is small, shared, bound to its place or used by others stays', () => {
  const small = Buffer.allocUnsafeSlow(kilobyte)
  const bound = Buffer.allocUnsafeSlow(64 * kilobyte)
  markAsUntransferable(bound.buffer)
  freeMemory(bound)
  expect(bound.length).toBe(64 * kilobyte)
  const shared = new Uint8Array(new SharedArrayBuffer(64 * kilobyte))
  const all = Buffer.allocUnsafeSlow(64 * kilobyte)
  const part = all.subarray(0, 32 * kilobyte)
  for (const bytes of [small, shared, part]) freeMemory(bytes)
  expect([small, shared, part].map(({ length }) => length)).toEqual([kilobyte, 64 * kilobyte, 32 * kilobyte])
  expect(all.length).toBe(64 * kilobyte)
})
