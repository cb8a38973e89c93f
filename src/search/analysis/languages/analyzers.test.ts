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
    ['arabic', 'ما هذه الكتب العربية في المدرسة ١٢٣ والمعلمون', 'كتب@2 عرب@3 مدرس@5 123@6 معلم@7'],
    ['bengali', 'আমি বাংলাদেশের মানুষের কথা এবং বাড়ীগুলো ১২ দুঃখ', 'আম@0 বাংলাদেস@1 মানুস@2 কথ@3 এবং@4 বারি@5 12@6 দুখখ@7'],
    ['bulgarian', 'Това са градовете и жителите на България', 'град@2 житял@4 българ@6'],
    ['czech', 'Karlovy mosty a hrady jsou v Praze pro všechny', 'karl@0 most@1 hrad@3 prah@6 všechn@8'],
    ['hindi', 'हिन्दी की किताबें और लड़कियों के लिए १२ विद्यालय', 'हिंद@0 किताब@2 लडक@4 12@7 विदयालय@8'],
    [
      'latvian',
      'Latvijas skaistākās upes un lielajiem mežiem pie jūras',
      'latvij@0 skaistāk@1 upe@2 liel@4 mež@5 jūr@7',
    ],
    [
      'persian',
      'این کتاب\u200cها و دانشجویان در خانهٔ ما می\u200cروند ۱۲',
      'كتاب@1 دانشجو@4 خانه@6 روند@9 12@10',
    ],
    ['sorani', 'پیاوەکان لە كوردستان و سەربازه\u200cکانی ١٢', 'پیاو@0 کوردس@2 سەربازەک@4 12@5'],
    [
      'brazilian',
      'As pessoas brasileiras e os computadores da felicidade',
      'pesso@1 brasileir@2 comput@5 felic@7',
    ],
    [
      'galician',
      'As universidades galegas e os correspondentes da nación',
      'univers@1 galeg@2 correspond@5 nac@7',
    ],
    [
      'indonesian',
      'Mereka membaca bukunya yang menyenangkan di perpustakaan',
      'baca@1 buku@2 senang@4 pustaka@6',
    ],
    [
      'greek',
      'Η Ελλάδα και οι μεγάλοι ποταμοί της ΠΟΛΕΩΣ στους δρόμους',
      'ελλαδ@1 μεγαλ@4 ποταμ@5 πολ@7 στ@8 δρομ@9',
    ],
    [
      'serbian',
      'Деца су у школама и градовима ali nema učiteljica',
      'dec@0 u@2 skol@3 gradov@5 nem@7 uciteljic@8',
    ],
  ])('%s: %s', (analyzer, text, expected) => {
    expect(terms(analyzer, text)).toBe(expected)
  })

  it('compares stem_exclusion with words whose letters have commas', () => {
    const analyzer = { mine: { type: 'romanian', stem_exclusion: ['cărțile', 'şcolile'] } }
    expect(terms('mine', 'cărţile şcolile', { analysis: { analyzer } })).toBe('cărțile@0 școl@1')
  })

  it('compares stem_exclusion with Hindi words before their spelling is normalised', () => {
    const analyzer = { mine: { type: 'hindi', stem_exclusion: ['हिन्दी'] } }
    expect(terms('mine', 'हिन्दी किताबें', { analysis: { analyzer } })).toBe('हिन्दी@0 किताब@1')
  })

  it('normalize as they lower-case, without looking at apostrophes or stop words', () => {
    const analysis = new Analysis()
    expect(analysis.analyzer('turkish').normalize("IĞDIR'DA")).toBe("ığdır'da")
    expect(analysis.analyzer('irish').normalize("b'An")).toBe('an')
    expect(analysis.analyzer('catalan').normalize("L'Anna")).toBe('anna')
    expect(analysis.analyzer('serbian').normalize('ШКОЛА')).toBe('школа')
    expect(analysis.analyzer('persian').normalize('می\u200cروند')).toBe('مي\u200cروند')
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
    ['arabic', 119],
    ['bengali', 116],
    ['brazilian', 126],
    ['bulgarian', 190],
    ['czech', 171],
    ['galician', 160],
    ['greek', 75],
    ['hindi', 225],
    ['indonesian', 355],
    ['latvian', 161],
    ['persian', 308],
    ['sorani', 62],
    ['serbian', 156],
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
    ['_arabic_', 'هذا'],
    ['_bengali_', 'আমরা'],
    ['_brazilian_', 'assim'],
    ['_bulgarian_', 'това'],
    ['_czech_', 'jsou'],
    ['_galician_', 'aínda'],
    ['_greek_', 'και'],
    ['_hindi_', 'और'],
    ['_indonesian_', 'yang'],
    ['_latvian_', 'un'],
    ['_persian_', 'است'],
    ['_serbian_', 'jesam'],
    ['_sorani_', 'لە'],
  ])('of the filter stop are known as %s', (stopwords, word) => {
    const analyzer = new Analysis().custom('whitespace', [{ type: 'stop', stopwords }])
    expect(tokensOf(analyzer, `${word} 42`).map(({ token }) => token)).toEqual(['42'])
  })
})
