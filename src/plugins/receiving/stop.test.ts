import { describe, expect, it } from 'vitest'
import { orAborted, Stop } from './stop.ts'

const never = new Promise<void>(() => undefined)

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
