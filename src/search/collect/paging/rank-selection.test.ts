import fc from 'fast-check'
import { expect, test } from 'vitest'
import { finish } from '../../scheduling/steps.ts'
import { lazyScoreList } from './lazy-score-list.ts'
import { splitAtRank } from './rank-selection.ts'

const scores = fc.oneof(
  { weight: 4, arbitrary: fc.float({ min: 0, max: 30, noNaN: true }) },
  { weight: 4, arbitrary: fc.constantFrom(0, 0.5, 1, 1.5, 2.25) },
  { weight: 1, arbitrary: fc.float() },
)
const list = fc.record({
  few: fc.array(scores, { minLength: 1, maxLength: 60 }),
  length: fc.constantFrom(6000, 4500, 300, 20, 1),
  step: fc.nat(100),
})

test('a rank splits lists of scores as it splits their matches in order', () => {
  fc.assert(
    fc.property(
      fc.array(list, { minLength: 2, maxLength: 4 }),
      fc.boolean(),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 5 }),
      (made, descending, shares) => {
        const direction = { descending, missingFirst: false }
        const all = made.map(({ few, length, step }) =>
          Float32Array.from({ length }, (_, i) => few[(i * step + (i >>> 5)) % few.length]!),
        )
        const lists = all.map((values) =>
          lazyScoreList({ docs: Uint32Array.from(values, (_, i) => i), scores: values }, direction),
        )
        const sign = descending ? -1 : 1
        const order = all
          .flatMap((values, from) => Array.from(values, (value) => ({ value, from })))
          .sort((a, b) => {
            const isLast = Number(Number.isNaN(a.value)) - Number(Number.isNaN(b.value))
            return isLast || sign * (a.value - b.value) || a.from - b.from
          })
        for (const share of shares) {
          const rank = Math.floor(share * order.length)
          const expected = all.map((_, i) => order.slice(0, rank).filter(({ from }) => from === i).length)
          expect([...finish(splitAtRank(lists, rank, direction))]).toEqual(expected)
        }
      },
    ),
    { numRuns: 60 },
  )
})
