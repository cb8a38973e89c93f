import fc from 'fast-check'
import { expect, test } from 'vitest'
import { waysAbove } from './competitive-combinations.ts'

const absent = Number.NEGATIVE_INFINITY
const score = fc.float({ min: 0, max: 8, noNaN: true })
/** What a list adds once, and what more often. */
const bounds = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(score, fc.oneof(score, fc.constant(0))).map(([one, more]) => [one, one + more]),
  },
  { weight: 1, arbitrary: fc.constant([absent, absent]) },
)

test('lets through all that can be above, and nothing else', () => {
  fc.assert(
    fc.property(
      fc.array(bounds, { minLength: 1, maxLength: 4 }),
      fc.oneof(fc.float({ min: 0, max: 30, noNaN: true }), fc.constant(0)),
      (lists, least) => {
        const once = Float64Array.from(lists, ([one]) => one!)
        const most = Float64Array.from(lists, ([, more]) => more!)
        const ways = waysAbove(once, most, least)
        for (let number = 0; number < 3 ** lists.length; number++) {
          let [held, repeated, sum] = [0, 0, 0]
          lists.forEach(([one, more], list) => {
            const level = Math.floor(number / 3 ** list) % 3
            // A document is in none of the lists that hold nothing, and has no more than the most.
            if (level === 0 || one === absent) return
            held |= 1 << list
            if (level === 2 && more! > one!) repeated |= 1 << list
            sum += level === 2 ? more! : one!
          })
          const isAbove = ways.some(
            (way) => (held & way.held) === way.held && (repeated & way.repeated) === way.repeated,
          )
          expect(isAbove).toBe(Math.fround(sum) > least)
        }
      },
    ),
  )
})

test('names no way that holds another', () => {
  const ways = waysAbove(Float64Array.of(1, 1, 1), Float64Array.of(3, 1, 1), 1.5)
  expect(ways).toEqual([
    { held: 0b110, repeated: 0 },
    { held: 0b101, repeated: 0 },
    { held: 0b011, repeated: 0 },
    { held: 0b001, repeated: 0b001 },
  ])
})

test('takes every list where nothing is known yet, and where there are too many ways', () => {
  const each = (count: number) =>
    Array.from({ length: count }, (_, list) => ({ held: 1 << list, repeated: 0 }))
  expect(waysAbove(Float64Array.of(1, 2), Float64Array.of(1, 2), Number.NEGATIVE_INFINITY)).toEqual(each(2))
  const ten = new Float64Array(10).fill(1)
  expect(waysAbove(ten, ten, 4.5)).toEqual(each(10))
})
