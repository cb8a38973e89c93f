/** Bits of floats as OpenSearch 3.8 prints them in number queries. */
import { expect, it } from 'vitest'
import { doubleBits, floatBits, halfBits } from './sortable-bits.ts'

it.each([
  [5, 1084227584],
  [5.5, 1085276160],
  [Number.POSITIVE_INFINITY, 2139095040],
  [-77.00001, -1117388802],
])('sorts the float %d as %d', (value, bits) => {
  expect(floatBits(value)).toBe(bits)
})

it.each([
  [5, 4617315517961601024n],
  [6.999999999999999, 4619567317775286271n],
  [Number.NEGATIVE_INFINITY, -9218868437227405313n],
])('sorts the double %d as %d', (value, bits) => {
  expect(doubleBits(value)).toBe(bits)
})

it.each([
  [5, 17664],
  [5.5, 17792],
  [88.5, 21896],
  [Number.POSITIVE_INFINITY, 31744],
])('sorts the half float %d as %d', (value, bits) => {
  expect(halfBits(value)).toBe(bits)
})
