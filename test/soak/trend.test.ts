import { describe, expect, it } from 'vitest'
import { quantile, trendOf } from './trend.ts'

const points = (count: number, value: (i: number) => number) =>
  Array.from({ length: count }, (_, i) => ({ seconds: i, value: value(i) }))

/** Between -0.5 and 0.5, the same in every run. */
const noise = (i: number) => ((i * 7919) % 101) / 100 - 0.5

describe('trendOf', () => {
  it('finds the slope of a line, per hour', () => {
    const { slope, noise, isFlat } = trendOf(
      points(3600, (i) => 100 + i / 36),
      1,
    )
    expect(slope).toBeCloseTo(100, 6)
    expect(noise).toBeLessThan(1e-6)
    expect(isFlat).toBe(false)
  })

  it('sees growth of 20 MB in an hour under noise of 10 MB', () => {
    const { slope, isFlat } = trendOf(
      points(3600, (i) => 300 + i / 180 + 10 * noise(i)),
      5,
    )
    expect(slope).toBeGreaterThan(18)
    expect(slope).toBeLessThan(22)
    expect(isFlat).toBe(false)
  })

  it('calls noise without growth flat', () => {
    expect(
      trendOf(
        points(3600, (i) => 300 + 40 * noise(i)),
        0,
      ).isFlat,
    ).toBe(true)
  })

  it('calls a decline flat', () => {
    expect(
      trendOf(
        points(600, (i) => 300 - i / 10),
        0,
      ).isFlat,
    ).toBe(true)
  })
})

describe('quantile', () => {
  it('is the value that a share of the values is below', () => {
    const values = Array.from({ length: 100 }, (_, i) => 99 - i)
    expect(quantile(values, 0.99)).toBe(99)
    expect(quantile(values, 0.5)).toBe(50)
    expect(quantile([], 0.5)).toBeNaN()
  })
})
