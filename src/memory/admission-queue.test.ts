import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AdmissionQueue } from './admission-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const settings = { capacity: () => 100, maxWaiting: 2, maxWaitMillis: 1000, smallBytes: 5 }

it('admits what fits and lets the rest wait in its order', async () => {
  const queue = new AdmissionQueue(settings)
  expect(queue.enter(60)).toBe('admitted')
  const order: string[] = []
  const second = Promise.resolve(queue.enter(50)).then(() => order.push('second'))
  const third = Promise.resolve(queue.enter(30)).then(() => order.push('third'))
  expect([queue.active, queue.waiting, queue.reserved]).toEqual([1, 2, 60])
  queue.leave(60)
  await Promise.all([second, third])
  expect(order).toEqual(['second', 'third'])
  expect([queue.active, queue.waiting, queue.reserved, queue.completed]).toEqual([2, 0, 80, 1])
})

it('lets small work pass by those who wait', () => {
  const queue = new AdmissionQueue(settings)
  void queue.enter(60)
  void queue.enter(50)
  expect(queue.enter(5)).toBe('admitted')
  expect(queue.enter(6)).toBeInstanceOf(Promise)
})

it('refuses when too many wait, and when there is no room in time', async () => {
  const queue = new AdmissionQueue(settings)
  void queue.enter(100)
  const waiting = [queue.enter(50), queue.enter(50)]
  expect(queue.enter(50)).toBe('full')
  vi.advanceTimersByTime(1000)
  expect(await Promise.all(waiting)).toEqual(['late', 'late'])
  expect([queue.rejected, queue.waiting, queue.active]).toEqual([3, 0, 1])
})

it('always admits large work when no other is under way, and small work beside it', () => {
  const queue = new AdmissionQueue({ ...settings, hasRoom: () => false })
  expect(queue.enter(5)).toBe('admitted')
  expect(queue.enter(1000)).toBe('admitted')
  expect(queue.enter(1000)).toBeInstanceOf(Promise)
  for (let i = 0; i < 4; i++) expect(queue.enter(5)).toBe('admitted')
  expect(queue.enter(5)).toBeInstanceOf(Promise)
})

it('looks again when memory comes back without anybody leaving', async () => {
  let hasRoom = false
  const queue = new AdmissionQueue({ ...settings, hasRoom: () => hasRoom })
  void queue.enter(10)
  const second = queue.enter(10)
  expect(second).toBeInstanceOf(Promise)
  hasRoom = true
  vi.advanceTimersByTime(200)
  expect(await second).toBe('admitted')
})
