/** The names under which settings find the stemmers. */
import { describe, expect, it } from 'vitest'
import { Analysis } from '../../analysis.ts'
import { TokenBuffer } from '../../token-buffer.ts'

const analysis = new Analysis()
const buffer = new TokenBuffer()

function terms(analyzer: ReturnType<typeof analysis.analyzer>, text: string): string {
  analyzer.analyze(text, buffer)
  return buffer.terms.slice(0, buffer.length).join(' ')
}

describe('analyzers of languages', () => {
  it.each([
    ['danish', 'Husene og de venlige Danskere', 'hus ven dansk'],
    ['norwegian', 'Husene og de vennlige guttene', 'hus venn gutt'],
    ['finnish', 'Talossa ja edeltäjän kirjoista', 'talo edeltäj kirj'],
    ['hungarian', 'A házban és a mulatságos gyerekeknek', 'ház mulatságos gyerek'],
  ])('%s leaves out stop words and stems', (name, text, expected) => {
    expect(terms(analysis.analyzer(name), text)).toBe(expected)
  })

  it('stem no words of stem_exclusion', () => {
    const settings = { analysis: { analyzer: { mine: { type: 'danish', stem_exclusion: ['husene'] } } } }
    expect(terms(new Analysis(settings).analyzer('mine'), 'husene kattene')).toBe('husene kat')
  })
})

describe('the filters stemmer and snowball', () => {
  it.each([
    ['danish', 'Danish', 'husene', 'hus'],
    ['norwegian', 'Norwegian', 'husenes', 'hus'],
    ['finnish', 'Finnish', 'talossa', 'talo'],
    ['hungarian', 'Hungarian', 'babakocsijáért', 'babakocs'],
    ['german', 'German', 'regierungen', 'regier'],
    ['german2', 'German2', 'goethe', 'goth'],
    ['french', 'French', 'continuellement', 'continuel'],
    ['spanish', 'Spanish', 'construyeron', 'constru'],
    ['italian', 'Italian', 'abbandoneranno', 'abbandon'],
    ['portuguese', 'Portuguese', 'organizações', 'organiz'],
    ['romanian', 'Romanian', 'posibilitate', 'posibil'],
    ['swedish', 'Swedish', 'flickornas', 'flick'],
    ['armenian', 'Armenian', 'փողոցներում', 'փող'],
    ['basque', 'Basque', 'etxearekin', 'etxea'],
    ['catalan', 'Catalan', 'rapidíssimes', 'rapid'],
    ['estonian', 'Estonian', 'raamatutega', 'raama'],
    ['irish', 'Irish', 'mbád', 'bád'],
    ['lithuanian', 'Lithuanian', 'gaidžiai', 'gaid'],
    ['turkish', 'Turkish', 'kitaplarımız', 'kitap'],
    ['Turkish', 'turkish', 'kitaplarımız', 'kitap'],
  ])('know %s', (stemmer, snowball, word, stem) => {
    expect(terms(analysis.custom('standard', [{ type: 'stemmer', language: stemmer }]), word)).toBe(stem)
    expect(terms(analysis.custom('standard', [{ type: 'snowball', language: snowball }]), word)).toBe(stem)
  })

  it.each([
    ['dutch_stem', 'lichamelijk', 'licham'],
    ['french_stem', 'continuellement', 'continuel'],
    ['russian_stem', 'красивыми', 'красив'],
  ])('are known as %s', (name, word, stem) => {
    expect(terms(analysis.custom('standard', [name]), word)).toBe(stem)
  })
})
