import { expect, it } from 'vitest'
import { Moments } from './moments.ts'

it('agrees with the textbook formulas for moments about the mean', () => {
  const rows = [
    [2, 8],
    [4, 1],
    [4, 3],
    [5, 7],
    [10, -6],
  ]
  const moments = new Moments(2)
  for (const row of rows) moments.add(row)
  const mean = (at: number) => rows.reduce((sum, row) => sum + row[at]!, 0) / rows.length
  const power = (at: number, exponent: number) =>
    rows.reduce((sum, row) => sum + (row[at]! - mean(at)) ** exponent, 0)
  for (const at of [0, 1]) {
    expect(moments.mean(at)).toBeCloseTo(mean(at), 12)
    expect(moments.variance(at)).toBeCloseTo(power(at, 2) / 4, 12)
    expect(moments.skewness(at)).toBeCloseTo((Math.sqrt(5) * power(at, 3)) / power(at, 2) ** 1.5, 12)
    expect(moments.kurtosis(at)).toBeCloseTo((5 * power(at, 4)) / power(at, 2) ** 2, 12)
  }
  const shared = rows.reduce((sum, row) => sum + (row[0]! - mean(0)) * (row[1]! - mean(1)), 0)
  expect(moments.covariance(0, 1)).toBeCloseTo(shared / 4, 12)
  expect(moments.correlation(0, 1)).toBeCloseTo(shared / Math.sqrt(power(0, 2) * power(1, 2)), 12)
  expect(moments.correlation(1, 1)).toBe(1)
})
