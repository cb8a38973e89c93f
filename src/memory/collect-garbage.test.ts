import { memoryUsage } from 'node:process'
import { expect, it } from 'vitest'
import { collectLeftBuffers } from './collect-garbage.ts'

const megabyte = 1024 * 1024

it('collects buffers that were left behind once they are many', () => {
  collectLeftBuffers()
  const before = memoryUsage().arrayBuffers
  const fill = (count: number) => Array.from({ length: count }, () => new Uint8Array(megabyte).fill(1)).length
  expect(fill(40)).toBe(40)
  expect(memoryUsage().arrayBuffers).toBeGreaterThan(before + 30 * megabyte)
  collectLeftBuffers()
  expect(memoryUsage().arrayBuffers).toBeLessThan(before + 20 * megabyte)
})
