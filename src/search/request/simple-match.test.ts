import fc from 'fast-check'
import { expect, it } from 'vitest'
import { simpleMatch } from './simple-match.ts'

const texts = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 })
const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '*'), maxLength: 8 })

it('matches what a regular expression of the same meaning matches', () => {
  fc.assert(
    fc.property(patterns, texts, (pattern, text) => {
      const source = pattern.replaceAll('.', '\\.').replaceAll('*', '.*')
      expect(simpleMatch(pattern, text)).toBe(new RegExp(`^${source}$`).test(text))
    }),
    { numRuns: 2000 },
  )
})
