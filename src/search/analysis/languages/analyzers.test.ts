/** Tokens, with their positions, as Lucene 10.5 gives them; it gives the number of stop words too. */
import { describe, expect, it } from 'vitest'
import { Analysis, type AnalysisSettings } from '../analysis.ts'
import { tokensOf } from '../analyzer.ts'
import { languageStopWords } from './stop-word-lists.ts'

function terms(name: string, text: string, settings: AnalysisSettings = {}): string {
  return tokensOf(new Analysis(settings).analyzer(name), text)
    .map(({ token, position }) => `${token}@${position}`)
    .join(' ')
}

describe('analyzers of languages', () => {
  it.each([
    [
      'armenian',
      'Երևանի փողոցներում և քաղաքների տները շատ գեղեցիկ են',
      'երև@0 փող@1 քաղ@3 տները@4 շատ@5 գեղեց@6',
    ],
    ['basque', 'Mendietako etxearekin eta haurrak oso pozik dira', 'mendi@0 etxea@1 haurr@3 oso@4 poz@5'],
    [
      'catalan',
      "L'Anna i les seves amigues d’Òdena viuen al col·legi rapidíssimes",
      'ann@0 amigu@4 oden@5 viuen@6 col.leg@8 rapid@9',
    ],
    [
      'estonian',
      'Õpetajatele ja raamatutega on mõttele, rahulikkude ministrite autosid',
      'õpetaja@0 raama@2 on@3 mõtt@4 rahuliku@5 ministri@6 auto@7',
    ],
    [
      'irish',
      "D'fhear na hÉireann i nAthair an tUisce h-aois agus n-athair B'fhearr mbád",
      'fear@0 héireann@2 athair@4 uisce@6 aois@8 athair@11 fearr@12 bád@13',
    ],
    [
      'lithuanian',
      'Lietuvaitės ir šiauliuose žaislų, gaidžiai yra didesni',
      'lietuvait@0 šiaul@2 žaisl@3 gaid@4 did@6',
    ],
    ['romanian', 'Aceştia sunt copiii mulţi și cărțile ŞCOLII frumoase', 'copii@2 cărț@5 școl@6 frumoas@7'],
    [
      'turkish',
      "İstanbul'daki IŞIKLAR ve ANKARA’nın çocukları için güzel kitaplarımız",
      'istanbul@0 ışık@1 ankar@3 çocuk@4 güzel@6 kitap@7',
    ],
  ])('%s: %s', (analyzer, text, expected) => {
    expect(terms(analyzer, text)).toBe(expected)
  })

  it('compares stem_exclusion with words whose letters have commas', () => {
    const analyzer = { mine: { type: 'romanian', stem_exclusion: ['cărțile', 'şcolile'] } }
    expect(terms('mine', 'cărţile şcolile', { analysis: { analyzer } })).toBe('cărțile@0 școl@1')
  })

  it('normalize as they lower-case, without looking at apostrophes or stop words', () => {
    const analysis = new Analysis()
    expect(analysis.analyzer('turkish').normalize("IĞDIR'DA")).toBe("ığdır'da")
    expect(analysis.analyzer('irish').normalize("b'An")).toBe('an')
    expect(analysis.analyzer('catalan').normalize("L'Anna")).toBe('anna')
    expect(analysis.analyzer('romanian').normalize('ŞI')).toBe('și')
  })
})

describe('stop words', () => {
  it.each([
    ['armenian', 45],
    ['basque', 98],
    ['catalan', 218],
    ['estonian', 1470],
    ['irish', 109],
    ['lithuanian', 125],
    ['romanian', 254],
    ['turkish', 209],
  ])('of %s are %i', (language, count) => {
    expect(languageStopWords(language)?.size).toBe(count)
  })

  it.each([
    ['_armenian_', 'և'],
    ['_basque_', 'eta'],
    ['_catalan_', 'amb'],
    ['_estonian_', 'ja'],
    ['_irish_', 'agus'],
    ['_lithuanian_', 'ir'],
    ['_romanian_', 'și'],
    ['_turkish_', 'çünkü'],
  ])('of the filter stop are known as %s', (stopwords, word) => {
    const analyzer = new Analysis().custom('whitespace', [{ type: 'stop', stopwords }])
    expect(tokensOf(analyzer, `${word} 42`).map(({ token }) => token)).toEqual(['42'])
  })
})
