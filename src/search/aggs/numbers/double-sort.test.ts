import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sortDoubles } from './double-sort.ts'

/** Some differ in their high bits, some in their low bits only, some are negative, infinite or not a number. */
const numbers = [
  fc.double({ min: 0, noNaN: true }),
  fc.double(),
  fc.nat({ max: 3 }),
  fc.nat().map((n) => 1.7e12 + n),
  fc.nat({ max: 1000 }).map((n) => 1 + n * Number.EPSILON),
  fc.constantFrom(0, -0, 1e-310, Number.POSITIVE_INFINITY, 1e300),
]

it.each(numbers.map((each, i) => [i, each] as const))('sorts as a typed array does: %i', (_, each) => {
  fc.assert(
    fc.property(fc.array(each, { minLength: 20, maxLength: 600, size: 'max' }), (all) => {
      const values = Float64Array.from([...all, -1, Number.NaN])
      sortDoubles(values, all.length)
      const expected = [...Float64Array.from(all).sort(), -1, Number.NaN]
      expect([...values]).toEqual(expected)
    }),
  )
})

it('gives up on numbers that its passes leave in disorder', () => {
  // One number is far away, so that the bits that are sorted by are equal in all others.
  const values = Float64Array.from({ length: 1000 }, (_, i) => (i === 500 ? 1e300 : 1000 - i))
  const expected = values.slice().sort()
  sortDoubles(values, 1000)
  expect([...values]).toEqual([...expected])
})
