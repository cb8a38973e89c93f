import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellsOf, lowerBound, merged, quantile, record, shapeFor } from './histogram.ts'

function histogram(shape = shapeFor(2, 20), ...values: number[]): Float64Array {
  const cells = new Float64Array(cellsOf(shape))
  for (const value of values) record(cells, 0, shape, value, 1)
  return cells
}

describe('histograms', () => {
  it('have as many buckets as their shape says', () => {
    expect(cellsOf(shapeFor(0, 22))).toBe(24)
    expect(shapeFor(2, 20).buckets).toBe(76)
  })

  it('put every value into the bucket that holds it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.integer({ min: 0, max: 3 }), (value, bits) => {
        const shape = shapeFor(bits, 31)
        const cells = histogram(shape, value)
        const bucket = cells.indexOf(1, 1) - 1
        expect(lowerBound(shape, bucket)).toBeLessThanOrEqual(value)
        expect(lowerBound(shape, bucket + 1)).toBeGreaterThan(value)
      }),
    )
  })

  it('give quantiles within the width of a bucket', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 200 }),
        fc.constantFrom(0.5, 0.9, 0.99),
        (values, share) => {
          const found = quantile(histogram(shapeFor(2, 20), ...values), shapeFor(2, 20), share) ?? -1
          const sorted = [...values].sort((a, b) => a - b)
          const exact = sorted[Math.ceil(share * sorted.length) - 1]!
          expect(Math.abs(found - exact)).toBeLessThanOrEqual(Math.max(1, exact * 0.25))
        },
      ),
    )
  })

  it('know their largest value, also of values beyond the last bucket', () => {
    const shape = shapeFor(0, 4)
    const cells = histogram(shape, 3, 1_000_000, 5e12)
    expect(cells[0]).toBe(5e12)
    expect(quantile(cells, shape, 1)).toBe(5e12)
    expect(quantile(histogram(shape), shape, 0.5)).toBeUndefined()
  })

  it('add up over threads', () => {
    const shape = shapeFor(1, 10)
    expect(merged([histogram(shape, 1, 7), histogram(shape, 7, 900)], shape)).toEqual(
      histogram(shape, 1, 7, 7, 900),
    )
  })
})
