import { describe, expect, it } from 'vitest'
import { type Capture, CaptureHistory } from './capture-history.ts'
import { flowWindowsOf, milliseconds, type Reading, rate, seconds } from './flow-rate.ts'

const at = (millis: number, ...values: number[]): Capture => ({
  at: millis,
  values: Float64Array.from(values),
})
const first: Reading = ({ values }) => values[0]!
const second: Reading = ({ values }) => values[1]!

/** A capture each second of a counter; what it is at a time is a function. */
function observed(until: number, counter: (seconds: number) => number): CaptureHistory {
  const history = new CaptureHistory(at(0, counter(0)))
  for (let s = 1; s <= until; s++) {
    if (history.isDue(s * 1000)) history.add(at(s * 1000, counter(s)))
  }
  return history
}

describe('a rate', () => {
  it('has four significant digits', () => {
    expect(rate(603.149, 1)).toBe(603.1)
    expect(rate(0.077_649, 1)).toBe(0.077_65)
    expect(rate(1.614_4e-5, 1)).toBe(1.614e-5)
    expect(rate(123_456, 1)).toBe(123_500)
    expect(rate(100, 60.13)).toBe(1.663)
    expect(rate(-5, 2)).toBe(-2.5)
    expect(rate(0, 7)).toBe(0)
  })

  it('over nothing is endless, or nothing', () => {
    expect(rate(3, 0)).toBe('Infinity')
    expect(rate(-3, 0)).toBe('-Infinity')
    expect(rate(0, 0)).toBeUndefined()
  })
})

describe('flow', () => {
  it('has current and lifetime at once, and each window when it is full', () => {
    const names = (after: number) => {
      const history = observed(after, (s) => s)
      return Object.keys(flowWindowsOf(history, at(after * 1000 + 500, after + 0.5), first, seconds))
    }
    expect(names(0)).toEqual(['current', 'lifetime'])
    expect(names(59)).toEqual(['current', 'lifetime'])
    expect(names(60)).toEqual(['current', 'last_1_minute', 'lifetime'])
    expect(names(301)).toEqual(['current', 'last_1_minute', 'last_5_minutes', 'lifetime'])
    expect(names(3601)).toEqual([
      'current',
      'last_1_minute',
      'last_5_minutes',
      'last_15_minutes',
      'last_1_hour',
      'lifetime',
    ])
    expect(names(24 * 3600 + 1)).toContain('last_24_hours')
  })

  it('tells the past minute from the hour before', () => {
    // 10 events a second for an hour, then 100 a second for a minute, then nothing for ten seconds.
    const counter = (s: number) => 10 * Math.min(s, 3600) + 100 * Math.max(0, Math.min(s, 3660) - 3600)
    const history = observed(3670, counter)
    const windows = flowWindowsOf(history, at(3_670_000, counter(3670)), first, seconds)
    expect(windows['current']).toBe(0)
    // Baselines are at most a resolution older than their window.
    expect(windows['last_1_minute']).toBeGreaterThan(75)
    expect(windows['last_1_minute']).toBeLessThan(84)
    expect(windows['last_15_minutes']).toBeGreaterThan(15)
    expect(windows['last_15_minutes']).toBeLessThan(16.7)
    expect(windows['lifetime']).toBe(11.44)
  })

  it('divides one counter by another, or by time in milliseconds', () => {
    const history = new CaptureHistory(at(1000, 0, 0))
    const now = at(3000, 48, 100)
    expect(flowWindowsOf(history, now, first, second)).toEqual({ current: 0.48, lifetime: 0.48 })
    expect(flowWindowsOf(history, now, first, milliseconds)).toEqual({ current: 0.024, lifetime: 0.024 })
    expect(flowWindowsOf(history, at(3000, 5, 0), first, second)).toEqual({
      current: 'Infinity',
      lifetime: 'Infinity',
    })
    expect(flowWindowsOf(history, at(3000, 0, 0), first, second)).toEqual({})
  })

  it('keeps a bounded number of captures, also after a pause', () => {
    const history = observed(30 * 3600, (s) => s)
    expect(history.size).toBeLessThan(300)
    const later = 40 * 3600
    history.add(at(later * 1000, later))
    const windows = flowWindowsOf(history, at(later * 1000 + 1, later), first, seconds)
    expect(windows['last_24_hours']).toBeDefined()
    expect(history.size).toBeLessThan(300)
  })
})
