/** What holds for every stemmer and every word: it ends, in time linear in the word, with no longer word. */
import { describe, expect, it } from 'vitest'
import {
  frenchMinimal,
  germanMinimal,
  norwegianLight,
  norwegianMinimal,
  nynorskLight,
  nynorskMinimal,
  russianLight,
  swedishLight,
} from './short-stemmers.ts'
import { estonian } from './snowball/agglutinative/estonian.ts'
import { turkish } from './snowball/agglutinative/turkish.ts'
import { danish } from './snowball/danish.ts'
import { dutch } from './snowball/dutch.ts'
import { armenian } from './snowball/ending-tables/armenian.ts'
import { basque } from './snowball/ending-tables/basque.ts'
import { catalan } from './snowball/ending-tables/catalan.ts'
import { irish } from './snowball/ending-tables/irish.ts'
import { lithuanian } from './snowball/ending-tables/lithuanian.ts'
import { finnish } from './snowball/finnish.ts'
import { french } from './snowball/french.ts'
import { german } from './snowball/german.ts'
import { hungarian } from './snowball/hungarian.ts'
import { italian } from './snowball/italian.ts'
import { norwegian } from './snowball/norwegian.ts'
import { portuguese } from './snowball/portuguese.ts'
import { romanian } from './snowball/romanian.ts'
import { russian } from './snowball/russian.ts'
import { serbian } from './snowball/serbian/serbian.ts'
import { spanish } from './snowball/spanish.ts'
import { swedish } from './snowball/swedish.ts'
import { arabic, persian, sorani } from './stemmers/arabic-script.ts'
import { brazilian } from './stemmers/brazilian.ts'
import { germanCaumanns } from './stemmers/german-caumanns.ts'
import { greek } from './stemmers/greek/greek.ts'
import { bengali, hindi } from './stemmers/indian.ts'
import { indonesian } from './stemmers/indonesian.ts'
import { latvian } from './stemmers/latvian.ts'
import { galician, portugueseRslp } from './stemmers/rslp/portuguese-and-galician.ts'
import { bulgarian, czech } from './stemmers/slavic.ts'
import { spanishPlural } from './stemmers/spanish-plural.ts'
import { finnishLight, hungarianLight } from './uralic-light.ts'

/** Each with the letters and endings of its words, and how many letters a stem may have more than its word. */
const stemmers: readonly (readonly [
  name: string,
  stem: (word: string) => string,
  parts: string,
  maxGrowth: number,
])[] = [
  ['armenian', armenian, 'ա ե ի ու ւ ն կ ներ ություն ացրինք վածք որակ ներից', 0],
  ['basque', basque, 'a e i o n r t atseden arabera minutuko zlea tzaile koa garri ik koatseden', 0],
  ['catalan', catalan, "a e i o u à ï ç c · l'm -la ivitat quíssim ando iqu íem acions", 0],
  ['danish', danish, 'b d e g i k l n s t v y å ø hed erendes ets løst igst elig', 0],
  ['dutch', dutch, 'b e i n y ë heden ene lijk end ing baar ig gem aa', 0],
  ['estonian', estonian, 'a e i õ ü k p t d g lane misse te sid ikkude mai nuksin gi jooma va', 1],
  ['finnish', finnish, 'a e i j k n o t u ä ö kseni ssaan hin seen ksi mmat impi tta eja', 0],
  ['french', french, 'a e i u y ï ë q c é iv ic ement ité abil iqU ier issaient eaux enn ions', 0],
  ['german', german, 'a e u y ä b d n q s t oe ue niss keit lich ig est end', 0],
  ['hungarian', hungarian, 'a e b cs dzs gy k t á é ű al ccsal ban ánként estül ééi jaitok ök', 0],
  ['irish', irish, "a e í ó c m b d'fh bhf ng h- íochta arcacht óideach paite faidh", 0],
  ['italian', italian, 'a e i o u q à á c h gliela ando ar amente iv at ic ità enza ch', 0],
  ['lithuanian', lithuanian, 'a e ė i o ų k s t č dž gd uosna avime aitės iausi učiuk ing', 0],
  ['norwegian', norwegian, 'b d e g i k l n s t v y å ø hetenes erte ert hetslov eleg', 0],
  ['portuguese', portuguese, 'a e i o u ã õ ç c gu ê ivamente at ic abil idade eira ência ~', 0],
  ['romanian', romanian, 'a ă e i u ş ț icator ativ abilitate ile țiune ism ești ie', 0],
  ['russian', russian, 'а б в е и н ь ё ивши ость ейше ями нн', 0],
  ['serbian', serbian, 'a e i o u r ije je dj č š c ima ost ovati ljaca ucima njem ч', 4],
  ['spanish', spanish, 'a e i o u á é y c gu yendo sela ándo ar ivamente at idad encia', 0],
  ['swedish', swedish, 'b d e g i k l n s t v y å ö heterna ast löst fullt lig', 0],
  [
    'turkish',
    turkish,
    'a e ı i o ö u ü b c d g ğ n s y ki da lar leri nde nın ca mış ken casına lardaki nınki ndaki',
    1,
  ],
  ['arabic', arabic, 'ال وال لل و ها ان ات ون ين يه ة ي ك ت', 0],
  ['bengali', bengali, 'ি ে া ব ত ের দের িতেছিলাম গুলো রা ক', 0],
  ['brazilian', brazilian, 'a e i o u ã ç uciones logias iras idade mente ira gue cie ando', 0],
  ['german_stem', germanCaumanns, 'e er em nd s t sch ch ei ie ig st erin gege z ä tt', 0],
  ['bulgarian', bulgarian, 'ища я а о е и н ият ът та овци еве ци зи си ен ъ', 0],
  ['czech', czech, 'atech ětem ech ich ové ov ův č š t ž e ů a', 0],
  ['galician', galician, 'íssimo ciño ns ós ión mente azo a o á iño eis aremos uras s', 0],
  ['greek', greek, 'ια ιου ικα αμε ουσαμε ανε ηθηκανε ετε ουσα αγα ησου ουνε ματων φωσ τρ τσ α υτερ', 4],
  ['hindi', hindi, 'ा ी ु े ों ियाँ ाएंगी ता ने कर क', 0],
  ['indonesian', indonesian, 'meng meny peny pen ber bel ajar ke di kah nya kan i an s a', 0],
  ['latvian', latvian, 'ajiem ajā us iem u a s š ņ kš ļļ j p', 0],
  ['persian', persian, 'ات ان ترين تر يي ي ها \u200c ک', 0],
  ['portuguese_rslp', portugueseRslp, 'íssimo zinho ns ões a ã mente aço o idade aríamos s', 1],
  ['sorani', sorani, 'دا نا ەوە مان یان ێکی ەکان یە ە ی ا ک', 0],
  ['spanish_plural', spanishPlural, 'a e i o u á s es ces guis ques ises d l n z y', 0],
  ['light_finnish', finnishLight, 'a e i n o k t u ä ö kin ko hde dellinen ksen hin eiden lla', 0],
  ['light_hungarian', hungarianLight, 'a e k m t á ő ű kent ban zz al etek ink juk ak', 0],
  ['light_norwegian', norwegianLight, 'a e n s t heten dom elser ende este er', 0],
  ['light_nynorsk', nynorskLight, 'a e n s t heiter leik semd aste ane ar', 0],
  ['light_russian', russianLight, 'а е и н ь ями его ая нн', 0],
  ['light_swedish', swedishLight, 'a e n s t heten erna aste het or', 0],
  ['minimal_french', frenchMinimal, 'a e é r s x l nn aux', 0],
  ['minimal_german', germanMinimal, 'a e n s r ä nen es', 0],
  ['minimal_norwegian', norwegianMinimal, 'a e n s t ene er', 0],
  ['minimal_nynorsk', nynorskMinimal, 'a e n s t ane ar', 0],
]

const longWord = 100_000
/** Processor time of one long word; quadratic work takes minutes. */
const maxMicros = 2_000_000

/** Small repeatable numbers. */
function numbers(): (below: number) => number {
  let state = 2463534242
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

describe.each(stemmers)('the stemmer %s', (_name, stem, text, maxGrowth) => {
  const parts = text.split(' ')

  it('takes any word', () => {
    const next = numbers()
    for (let round = 0; round < 3000; round++) {
      const word = Array.from({ length: next(7) }, () => parts[next(parts.length)]).join('')
      expect(stem(word).length, word).toBeLessThanOrEqual(word.length + maxGrowth)
    }
    for (const word of ['', "'", '1999', '\u{1f600}', '\ud800', 'é́', '\u0000'])
      expect(stem(word).length, word).toBeLessThanOrEqual(word.length + maxGrowth)
  })

  it.each(parts)('takes linear time for a long word of %s', (part) => {
    const word = part.repeat(Math.ceil(longWord / part.length))
    const before = process.cpuUsage()
    const stemmed = stem(word)
    const { user, system } = process.cpuUsage(before)
    expect(user + system).toBeLessThan(maxMicros)
    expect(stemmed.length).toBeLessThanOrEqual(word.length + maxGrowth)
  })
})
