import { describe, expect, it } from 'vitest'
import { ArrivalTimes } from './arrival-times.ts'

describe('times of arrival', () => {
  it('say since when the oldest waits', () => {
    const times = new ArrivalTimes()
    expect(times.oldest).toBe(0)
    times.add(1000, 3)
    times.add(2000, 2)
    expect(times.oldest).toBe(1000)
    times.remove(2)
    expect(times.oldest).toBe(1000)
    times.remove(1)
    expect(times.oldest).toBe(2000)
    times.remove(2)
    expect(times.oldest).toBe(0)
    times.add(5000, 1)
    expect(times.oldest).toBe(5000)
  })

  it('never make what waits younger than it is, however much arrives', () => {
    const times = new ArrivalTimes()
    const total = 20_000
    for (let n = 1; n <= total; n++) times.add(n * 1000, 1)
    for (let n = 1; n < total; n++) {
      expect(times.oldest).toBeLessThanOrEqual(n * 1000)
      expect(times.oldest).toBeGreaterThan((n - 16) * 1000)
      times.remove(1)
    }
    times.remove(1)
    expect(times.oldest).toBe(0)
  })
})
