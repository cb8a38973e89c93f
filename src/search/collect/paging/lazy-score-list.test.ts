import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lazyScoreList } from './lazy-score-list.ts'
import { SortedList } from './ranked-list.ts'

const scores = fc.oneof(
  { weight: 4, arbitrary: fc.float({ min: 0, max: 30, noNaN: true }) },
  { weight: 4, arbitrary: fc.constantFrom(0, 0.5, 1, 1.5, 2.25) },
  { weight: 1, arbitrary: fc.float({ noNaN: true }) },
)

/** Long enough to be sorted lazily: a few hundred scores repeat in varying order. */
function long(few: readonly number[], step: number, length = 5000): Float32Array {
  return Float32Array.from({ length }, (_, i) => few[(i * step + (i >>> 7)) % few.length]!)
}

test('the lazily sorted list has the same ranks as a fully sorted one', () => {
  fc.assert(
    fc.property(
      fc.array(scores, { minLength: 1, maxLength: 400 }),
      fc.nat(1000),
      fc.constantFrom(5000, 1000, 300, 256),
      fc.boolean(),
      fc.array(fc.oneof(fc.nat(4999), fc.nat(300)), { minLength: 1, maxLength: 12 }),
      fc.array(fc.oneof(scores, fc.double({ min: 0, max: 30, noNaN: true })), { maxLength: 5 }),
      (few, step, length, descending, anyRanks, values) => {
        const all = long(few, step, length)
        const ranks = anyRanks.map((rank) => rank % length)
        const docs = Uint32Array.from(all, (_, i) => i * 3)
        const direction = { descending, missingFirst: false }
        const lazy = lazyScoreList({ docs, scores: all }, direction)
        const whole = SortedList.of({ docs, values: all }, direction)
        expect(lazy.count).toBe(whole.count)
        for (const rank of ranks) {
          expect(lazy.doc(rank)).toBe(whole.doc(rank))
          expect(lazy.value(rank)).toBe(whole.value(rank))
        }
        for (const value of [...values, ...ranks.map((rank) => whole.value(rank)), null]) {
          for (const past of [false, true]) {
            expect(lazy.before(value, past)).toBe(whole.before(value, past))
          }
        }
      },
    ),
    { numRuns: 150 },
  )
})

test('NaN scores sort as missing values', () => {
  const all = long([1, Number.NaN, 2], 1)
  const docs = Uint32Array.from(all, (_, i) => i)
  const list = lazyScoreList({ docs, scores: all }, { descending: true, missingFirst: false })
  expect(list.value(0)).toBe(2)
  expect(list.value(4999)).toBe(null)
})

test('infinities and both zeros sort as in a fully sorted list', () => {
  const all = long([0, -0, Number.POSITIVE_INFINITY, -1, Number.NEGATIVE_INFINITY], 1)
  const docs = Uint32Array.from(all, (_, i) => i)
  const direction = { descending: true, missingFirst: false }
  const [lazy, whole] = [
    lazyScoreList({ docs, scores: all }, direction),
    SortedList.of({ docs, values: all }, direction),
  ]
  for (let rank = 0; rank < 5000; rank += 37) expect(lazy.doc(rank)).toBe(whole.doc(rank))
})
