import { describe, expect, it } from 'vitest'
import { milliseconds } from './duration.ts'

describe('durations', () => {
  it.each([
    ['1', 1000],
    ['0.5', 500],
    ['200 usec', 0.2],
    ['250ms', 250],
    ['45 s', 45_000],
    ['15 sec', 15_000],
    ['2.5 seconds', 2500],
    ['35 min', 2_100_000],
    ['6 minutes', 360_000],
    ['18h', 64_800_000],
    ['1 hour', 3_600_000],
    ['21.5d', 1_857_600_000],
    ['1 day', 86_400_000],
    ['2w', 1_209_600_000],
    ['6 weeks', 3_628_800_000],
  ])('%s', (text, expected) => {
    expect(milliseconds(text)).toBeCloseTo(expected, 6)
  })

  it('has days as unit where the option says so', () => {
    expect(milliseconds('14', 'd')).toBe(14 * 86_400_000)
    expect(milliseconds('14 h', 'd')).toBe(14 * 3_600_000)
  })

  it.each(['', 'soon', '5 millis', '-1', '1 month', '1  s'])('%j is none', (text) => {
    expect(() => milliseconds(text)).toThrow(
      `Value '${text}' is not a valid duration string e.g. 200 usec, 250ms, 60 sec, 18h, 21.5d, 1 day, 2w, 6 weeks`,
    )
  })
})
