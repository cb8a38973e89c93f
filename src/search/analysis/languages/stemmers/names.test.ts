/** The names that Elasticsearch takes for `language` of the filter `stemmer`. */
import { describe, expect, it } from 'vitest'
import { Analysis } from '../../analysis.ts'
import { tokensOf } from '../../analyzer.ts'

function stemOf(language: string, word: string): string {
  const analyzer = new Analysis().custom('keyword', [{ type: 'stemmer', language }])
  return tokensOf(analyzer, word)[0]!.token
}

describe('languages of the filter stemmer', () => {
  it.each([
    ['lightFinish', 'light_finnish', 'kaupunkiko'],
    ['light_finish', 'light_finnish', 'kaupunkiko'],
    ['lightFrench', 'light_french', 'chevaux'],
    ['lightGerman', 'light_german', 'häuser'],
    ['lightHungarian', 'light_hungarian', 'asztalom'],
    ['lightItalian', 'light_italian', 'ragazzo'],
    ['lightNynorsk', 'light_nynorsk', 'gutane'],
    ['lightPortuguese', 'light_portuguese', 'quilométricas'],
    ['lightRussian', 'light_russian', 'книгами'],
    ['lightSpanish', 'light_spanish', 'chicas'],
    ['lightSwedish', 'light_swedish', 'bilar'],
    ['minimalEnglish', 'minimal_english', 'horses'],
    ['minimalFrench', 'minimal_french', 'chevaux'],
    ['minimalGerman', 'minimal_german', 'bilder'],
    ['minimalNynorsk', 'minimal_nynorsk', 'gutar'],
    ['minimalPortuguese', 'minimal_portuguese', 'bons'],
    ['possessiveEnglish', 'possessive_english', "dog's"],
  ])('%s is %s', (name, same, word) => {
    expect(stemOf(name, word)).toBe(stemOf(same, word))
    expect(stemOf(name, word)).not.toBe(word)
  })

  it.each(['kp', 'dutch_kp', 'dutchKp', 'lovins'])('%s leaves words, as Lucene 10 has it no more', (name) => {
    expect(stemOf(name, 'houses')).toBe('houses')
  })

  it.each(['minimalGalician', 'portugueseRslp', 'klingon'])('%s is none', (name) => {
    expect(() => stemOf(name, 'casas')).toThrow(`Invalid stemmer class specified: ${name}`)
  })
})
