import { afterEach, expect, it, vi } from 'vitest'
import { Patience, patientSignal } from './patience.ts'

afterEach(() => void vi.useRealTimers())

/** How often one may ask, with that much between two questions, before it is over. */
function asked(limit: number, between: number): number {
  vi.useFakeTimers({ toFake: ['performance'] })
  const patience = new Patience(limit)
  let times = 0
  do vi.advanceTimersByTime(between)
  while (!patience.isOver && ++times < 1000)
  return times
}

it.each([
  ['ends with its limit', 5000, 100, 49],
  ['ends at the first question after it', 50, 100, 0],
  ['takes a long silence for a second', 5000, 60_000, 4],
])('%s', (_, limit, between, times) => {
  expect(asked(limit, between)).toBe(times)
})

it('aborts what takes longer', async () => {
  const signal = patientSignal(30)
  expect(signal.aborted).toBe(false)
  const reason = await new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(signal.reason)),
  )
  expect(reason).toMatchObject({ name: 'TimeoutError', message: 'no answer within 30 ms' })
})
