import { memoryUsage } from 'node:process'
import { afterEach, expect, it, vi } from 'vitest'
import { collectAfterStart, collectLeftBuffers } from './collect-garbage.ts'

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

afterEach(() => {
  vi.useRealTimers()
})

it.each([
  ['20.19.0', 0],
  ['22.1.0', 1],
  ['24.21.0', 1],
])('collects once after a start where Node.js does not by itself: %s', (version, timers) => {
  vi.useFakeTimers()
  collectAfterStart(version)
  expect(vi.getTimerCount()).toBe(timers)
  vi.runAllTimers()
  expect(vi.getTimerCount()).toBe(0)
})
