import { describe, expect, it } from 'vitest'
import { orAborted, Stop } from './stop.ts'

const never = new Promise<void>(() => undefined)

function laterFailure() {
  let fail = () => {}
  const promise = new Promise<void>((_, reject) => {
    fail = () => reject(new Error('too late'))
  })
  return { promise, fail: () => fail() }
}

describe('stop', () => {
  it('ends every wait, those that begin later too', async () => {
    const stop = new Stop()
    const waits = [stop.requested, stop.sleep(3_600_000), stop.during(never)]
    stop.request()
    await Promise.all(waits)
    await stop.sleep(3_600_000)
    await stop.requested
    expect(stop.isRequested).toBe(true)
  })

  it('lets waits end by themselves, well or badly', async () => {
    const stop = new Stop()
    await stop.sleep(1)
    await stop.sleep(-5)
    await stop.during(Promise.resolve())
    await expect(stop.during(Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(stop.isRequested).toBe(false)
  })
})

describe('what fails after the stop', () => {
  it("is nobody's concern, whether its wait began before the stop or after it", async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    try {
      const stop = new Stop()
      const before = laterFailure()
      const wait = stop.during(before.promise)
      stop.request()
      await wait
      before.fail()
      const after = laterFailure()
      await stop.during(after.promise)
      after.fail()
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect(unhandled).toEqual([])
    } finally {
      process.off('unhandledRejection', note)
    }
  })
})

describe('or aborted', () => {
  it('ends with the promise, with the signal or with time', async () => {
    const controller = new AbortController()
    await orAborted(Promise.resolve(), controller.signal)
    await orAborted(never, controller.signal, 1)
    const waiting = orAborted(never, controller.signal)
    controller.abort()
    await waiting
    await orAborted(never, controller.signal)
  })
})
