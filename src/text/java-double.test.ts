import { describe, expect, it } from 'vitest'
import { javaDouble } from './java-double.ts'

describe('javaDouble', () => {
  it.each([
    [0, '0.0'],
    [-0, '-0.0'],
    [1, '1.0'],
    [0.001, '0.001'],
    [9.999e-4, '9.999E-4'],
    [1e-4, '1.0E-4'],
    [9_999_999, '9999999.0'],
    [1e7, '1.0E7'],
    [123_456_789.123, '1.23456789123E8'],
    [-2.5e300, '-2.5E300'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
  ])('prints %d as Double.toString does', (value, text) => {
    expect(javaDouble(value)).toBe(text)
  })
})
