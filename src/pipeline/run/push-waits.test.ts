import { expect, it } from 'vitest'
import { PushWaits } from './push-waits.ts'

const never = new Promise<void>(() => {})

it('counts how long pushes have waited while they still wait, each nanosecond once', async () => {
  const nanos = [0, 0]
  const waits = new PushWaits((input, more) => {
    nanos[input]! += more
  })
  const started = performance.now()
  let take = (): void => {}
  const over = waits.over(
    1,
    new Promise<void>((resolve) => {
      take = resolve
    }),
  )
  await new Promise((resolve) => setTimeout(resolve, 30))
  waits.count()
  expect(nanos[0]).toBe(0)
  expect(nanos[1]! / 1e6).toBeGreaterThan(25)
  await new Promise((resolve) => setTimeout(resolve, 30))
  take()
  await over
  const whole = (performance.now() - started) * 1e6
  expect(nanos[1]! / 1e6).toBeGreaterThan(55)
  expect(nanos[1]).toBeLessThanOrEqual(whole)
  const before = nanos[1]
  waits.count()
  expect(nanos[1]).toBe(before)
})

it('tells whoever waits that the queue refused the push', async () => {
  const waits = new PushWaits(() => {})
  const closed = new Error('the queue is closed')
  await expect(waits.over(0, Promise.reject(closed))).rejects.toBe(closed)
})

it('tells all who wait that there will be no room', async () => {
  const waits = new PushWaits(() => {})
  const failed = new Error('the pipeline failed')
  const both = [waits.over(0, never), waits.over(0, never)]
  waits.refuseAll(failed)
  await expect(Promise.allSettled(both)).resolves.toEqual([
    { status: 'rejected', reason: failed },
    { status: 'rejected', reason: failed },
  ])
})
