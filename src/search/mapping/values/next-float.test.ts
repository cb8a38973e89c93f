import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextDown, nextFloatUp, nextHalfDown, nextHalfUp, nextUp, toHalf } from './next-float.ts'

const finite = fc.double({ noNaN: true, noDefaultInfinity: true })

describe('the next float', () => {
  it('of a double has nothing in between', () => {
    expect(nextUp(1)).toBe(1 + Number.EPSILON)
    expect(nextUp(0)).toBe(Number.MIN_VALUE)
    expect(nextUp(-0)).toBe(Number.MIN_VALUE)
    fc.assert(
      fc.property(finite, (value) => {
        expect(nextUp(value)).toBeGreaterThan(value)
        expect(nextDown(nextUp(value)) + 0).toBe(value + 0)
      }),
    )
  })

  it('of a float is a float', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const next = nextFloatUp(value)
        expect(Math.fround(next)).toBe(next)
        expect(next).toBeGreaterThan(value)
      }),
    )
  })

  it('of a half float is a half float', () => {
    expect(toHalf(0.1)).toBe(0.0999755859375)
    expect(toHalf(65_504)).toBe(65_504)
    expect(toHalf(65_520)).toBe(Infinity)
    expect(toHalf(2 ** -24)).toBe(2 ** -24)
    expect(toHalf(2 ** -25)).toBe(0)
    expect(nextHalfUp(0)).toBe(2 ** -24)
    expect(nextHalfUp(1)).toBe(1 + 2 ** -10)
    expect(nextHalfDown(1)).toBe(1 - 2 ** -11)
    expect(nextHalfUp(65_504)).toBe(Infinity)
    fc.assert(
      fc.property(fc.double({ min: -65_000, max: 65_000, noNaN: true }), (value) => {
        const half = toHalf(value)
        expect(toHalf(half)).toBe(half)
        expect(nextHalfUp(half)).toBeGreaterThan(half)
        expect(toHalf(nextHalfUp(half))).toBe(nextHalfUp(half))
        expect(nextHalfDown(nextHalfUp(half)) + 0).toBe(half + 0)
        expect(Math.abs(half - value)).toBeLessThanOrEqual(
          (nextHalfUp(Math.abs(half)) - Math.abs(half)) / 2 + 1e-9,
        )
      }),
    )
  })
})
