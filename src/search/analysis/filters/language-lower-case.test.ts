/** Words in lower case as Lucene 10.5 gives them. */
import { describe, expect, it } from 'vitest'
import { Analysis } from '../analysis.ts'
import { tokensOf } from '../analyzer.ts'

function lower(language: string, text: string): string {
  const analyzer = new Analysis().custom('keyword', [{ type: 'lowercase', language }])
  return tokensOf(analyzer, text)
    .map(({ token }) => token)
    .join(' ')
}

describe('the filter lowercase with a language', () => {
  it.each([
    ['IŞIK', 'ışık', 'işik', 'işik'],
    ['İSTANBUL', 'istanbul', 'istanbul', 'istanbul'],
    ['I\u0307stanbul', 'istanbul', 'i\u0307stanbul', 'i\u0307stanbul'],
    ['I\u0327\u0307X', 'i\u0327x', 'i\u0327\u0307x', 'i\u0327\u0307x'],
    ['nAthair', 'nathair', 'n-athair', 'nathair'],
    ['tUISCE', 'tuısce', 't-uisce', 'tuisce'],
    ['NAOI', 'naoı', 'naoi', 'naoi'],
    ['NATHAIR', 'nathaır', 'nathair', 'nathair'],
    ['ΆΈΉΊΌΎΏ ΪΫΐΰ', 'άέήίόύώ ϊϋΐΰ', 'άέήίόύώ ϊϋΐΰ', 'αεηιουω ιυιυ'],
    ['ΣΟΦΌΣ', 'σοφόσ', 'σοφόσ', 'σοφοσ'],
    ['σοφός', 'σοφός', 'σοφός', 'σοφοσ'],
  ])('makes of %s in Turkish %s, in Irish %s, in Greek %s', (word, turkish, irish, greek) => {
    expect(lower('turkish', word)).toBe(turkish)
    expect(lower('Irish', word)).toBe(irish)
    expect(lower('GREEK', word)).toBe(greek)
  })

  it('is refused with another language', () => {
    expect(() => lower('klingon', 'x')).toThrow('language [klingon] not support for lower case')
  })

  it('also normalises terms that are not tokenized', () => {
    const analyzer = new Analysis().custom('keyword', [{ type: 'lowercase', language: 'turkish' }])
    expect(analyzer.normalize('ILIK')).toBe('ılık')
  })
})
