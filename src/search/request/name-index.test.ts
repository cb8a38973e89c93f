import fc from 'fast-check'
import { expect, it } from 'vitest'
import { NameIndex } from './name-index.ts'
import { simpleMatch } from './simple-match.ts'

const text = (...letters: string[]) => fc.string({ unit: fc.constantFrom(...letters), maxLength: 10 })

it('finds for each of many patterns the names that it matches, in their order', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(text('a', 'b', '.')),
      fc.array(text('a', 'b', '.', '*'), { minLength: 100, maxLength: 200 }),
      (names, patterns) => {
        const index = new NameIndex(names)
        for (const pattern of patterns)
          expect(index.matching(pattern)).toEqual(names.filter((name) => simpleMatch(pattern, name)))
      },
    ),
    { numRuns: 30 },
  )
})

it('compares a name with the few of many patterns that it may match', () => {
  const names = Array.from({ length: 2000 }, (_, at) => `field_number_${at}`)
  let compared = 0
  const index = new NameIndex(names, (pattern, name) => {
    compared++
    return simpleMatch(pattern, name)
  })
  for (let at = 0; at < 10_000; at++) index.matching(`field*r_${at}x*`)
  for (let at = 0; at < 2000; at++) expect(index.matching(`field*r_${at}*`)).toContain(`field_number_${at}`)
  // Each with each would be 24 million.
  expect(compared).toBeLessThan(1_000_000)
})
