import fc from 'fast-check'
import { expect, test } from 'vitest'
import { competitiveCombinations } from './competitive-combinations.ts'

const absent = Number.NEGATIVE_INFINITY
const score = fc.float({ min: 0, max: 8, noNaN: true })
/** The upper bounds of a term for documents that contain it once, and for all documents. */
const bounds = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(score, fc.oneof(score, fc.constant(0))).map(([one, more]) => [one, one + more]),
  },
  { weight: 1, arbitrary: fc.constant([absent, absent]) },
)

test('accepts exactly the documents whose upper bounds exceed the threshold', () => {
  fc.assert(
    fc.property(
      fc.array(bounds, { minLength: 1, maxLength: 4 }),
      fc.oneof(fc.float({ min: 0, max: 30, noNaN: true }), fc.constant(0)),
      (lists, threshold) => {
        const once = Float64Array.from(lists, ([one]) => one!)
        const most = Float64Array.from(lists, ([, more]) => more!)
        const combinations = competitiveCombinations(once, most, threshold)
        for (let number = 0; number < 3 ** lists.length; number++) {
          let [required, repeated, sum] = [0, 0, 0]
          lists.forEach(([one, more], list) => {
            const level = Math.floor(number / 3 ** list) % 3
            // A document contains none of the terms without postings in the block.
            if (level === 0 || one === absent) return
            required |= 1 << list
            if (level === 2 && more! > one!) repeated |= 1 << list
            sum += level === 2 ? more! : one!
          })
          const isAbove = combinations.some(
            (combination) =>
              (required & combination.required) === combination.required &&
              (repeated & combination.repeated) === combination.repeated,
          )
          expect(isAbove).toBe(Math.fround(sum) > threshold)
        }
      },
    ),
  )
})

test('returns only minimal combinations', () => {
  const combinations = competitiveCombinations(Float64Array.of(1, 1, 1), Float64Array.of(3, 1, 1), 1.5)
  expect(combinations).toEqual([
    { required: 0b110, repeated: 0 },
    { required: 0b101, repeated: 0 },
    { required: 0b011, repeated: 0 },
    { required: 0b001, repeated: 0b001 },
  ])
})

test('requires any one term before there is a threshold, and when there are too many combinations', () => {
  const each = (count: number) =>
    Array.from({ length: count }, (_, list) => ({ required: 1 << list, repeated: 0 }))
  expect(
    competitiveCombinations(Float64Array.of(1, 2), Float64Array.of(1, 2), Number.NEGATIVE_INFINITY),
  ).toEqual(each(2))
  const ten = new Float64Array(10).fill(1)
  expect(competitiveCombinations(ten, ten, 4.5)).toEqual(each(10))
})
