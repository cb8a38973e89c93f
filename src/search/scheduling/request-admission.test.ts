import { describe, expect, it } from 'vitest'
import { RequestAdmission, sliceMillis } from './request-admission.ts'
import { countRounds } from './test-rounds.ts'

/** Uses a clock that advances when work is done. */
function admissionWithClock(): {
  readonly admission: RequestAdmission
  readonly work: (millis: number) => void
} {
  let now = 1000
  const work = (millis: number): void => {
    now += millis
  }
  return { admission: new RequestAdmission(() => now), work }
}

describe('RequestAdmission', () => {
  it('admits requests that arrive one by one', async () => {
    const { admission, work } = admissionWithClock()
    for (let i = 0; i < 3; i++) {
      expect(admission.admit()).toBeUndefined()
      work(sliceMillis)
      await new Promise((resolve) => setImmediate(resolve))
    }
  })

  it('admits a burst in order of arrival, with event loop polls in between', async () => {
    const { admission, work } = admissionWithClock()
    const order: number[] = []
    const rounds = countRounds()
    const request = async (n: number): Promise<void> => {
      const wait = admission.admit()
      if (wait !== undefined) await wait
      order.push(n)
      work(sliceMillis / 4)
    }
    const all = Array.from({ length: 40 }, (_, n) => request(n))
    expect(order, 'done on the spot').toEqual([0, 1, 2, 3])
    await Promise.all(all)
    expect(order).toEqual(Array.from({ length: 40 }, (_, n) => n))
    // Four requests fit in each slice.
    expect(rounds.stop()).toBeGreaterThanOrEqual(9)
  })

  it('does not let a later request overtake waiting ones', async () => {
    const { admission, work } = admissionWithClock()
    const order: string[] = []
    expect(admission.admit()).toBeUndefined()
    work(sliceMillis)
    const first = Array.from({ length: 200 }, async (_, n) => {
      await admission.admit()
      order.push(`first ${n}`)
    })
    await new Promise((resolve) => setImmediate(resolve))
    const later = admission.admit()
    expect(later).toBeInstanceOf(Promise)
    await later
    expect(order).toHaveLength(200)
    await Promise.all(first)
  })

  it('ends a slice after its time and starts another', () => {
    const { admission, work } = admissionWithClock()
    expect(admission.isOver).toBe(false)
    work(sliceMillis)
    expect(admission.isOver).toBe(true)
    admission.begin()
    expect(admission.isOver).toBe(false)
  })
})
