/**
 * Filters that make letters of one script alike: German, Arabic, Persian, Sorani, Serbian, Scandinavian, Romanian, and
 * the widths of Chinese and Japanese.
 */
import { normalizing } from '../filters/term-filters.ts'

/** Umlauts and what stands for them become plain vowels, except after a `q` or a vowel. */
export const germanNormalization = normalizing((term) => {
  let result = ''
  // The state of Lucene's machine: a vowel that may be followed by an `e` that belongs to it.
  let state: 'none' | 'vowel' | 'u' = 'none'
  for (const letter of term) {
    if (letter === 'a' || letter === 'o') {
      state = 'u'
      result += letter
    } else if (letter === 'u') {
      state = state === 'none' ? 'u' : 'vowel'
      result += letter
    } else if (letter === 'e') {
      if (state !== 'u') result += letter
      state = 'vowel'
    } else if ('iqy'.includes(letter)) {
      state = 'vowel'
      result += letter
    } else {
      const plain =
        letter === 'ä' ? 'a' : letter === 'ö' ? 'o' : letter === 'ü' ? 'u' : letter === 'ß' ? 'ss' : letter
      state = 'äöü'.includes(letter) ? 'vowel' : 'none'
      result += plain
    }
  }
  return result
})

const arabicLetters: readonly (readonly [RegExp, string])[] = [
  [/[\u0622\u0623\u0625]/g, '\u0627'],
  [/\u0649/g, '\u064a'],
  [/\u0629/g, '\u0647'],
  [/[\u0640\u064b-\u0652]/g, ''],
]

export const arabicNormalization = normalizing((term) => replaced(term, arabicLetters))

const persianLetters: readonly (readonly [RegExp, string])[] = [
  [/[\u06cc\u06d2]/g, '\u064a'],
  [/\u06a9/g, '\u0643'],
  [/[\u06c0\u06c1]/g, '\u0647'],
  [/\u0654/g, ''],
]

/** Persian forms of letters become the Arabic ones. */
export const persianNormalization = normalizing((term) => replaced(term, persianLetters))

const soraniLetters: readonly (readonly [RegExp, string])[] = [
  // A heh at the end of a word or before a non-joiner is the vowel e.
  [/\u0647$|\u0629/g, '\u06d5'],
  // Format characters and vowel signs, but the zero-width non-joiner, which is looked at below.
  [/[\u0640\u064b-\u0652\u061c]/g, ''],
  [/[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|\u200d/g, ''],
  [/[\u00ad\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u180e]/g, ''],
  [/[\u0649\u064a]/g, '\u06cc'],
  [/\u0643/g, '\u06a9'],
  [/[\u0647\u06be]\u200c/g, '\u06d5'],
  [/\u06be/g, '\u0647'],
  [/\u200c/g, ''],
  [/^\u0631|\u0692/g, '\u0695'],
]

/** Arabic forms of letters become those of Sorani Kurdish. */
export const soraniNormalization = normalizing((term) => replaced(term, soraniLetters))

const serbianLetters: ReadonlyMap<string, string> = new Map(
  `ćčцчћ:c đђ:dj šсш:s žжз:z а:a б:b в:v г:g д:d е:e и:i ј:j к:k л:l љ:lj м:m н:n њ:nj о:o п:p р:r т:t у:u ф:f
  х:h џ:dz`
    .split(/\s+/)
    .flatMap((line) => {
      const [letters = '', latin = ''] = line.split(':')
      return [...letters].map((letter): [string, string] => [letter, latin])
    }),
)

/** Small Cyrillic letters become Latin ones, and these lose their marks. */
export const serbianNormalization = normalizing((term) =>
  term.replace(/[\u0107-\u017e\u0430-\u045f]/g, (letter) => serbianLetters.get(letter) ?? letter),
)

/** The letters that two become, by the first of them; a pair counts before what follows it. */
export const scandinavianFolding = normalizing((term) =>
  term.replace(/[åäæÅÄÆöøÖØ]|[aA][aeoAEO]|[oO][eoEO]/g, ([first]) => folded.get(first!) ?? first!),
)

const folded = new Map(
  Object.entries({ a: 'åäæ', A: 'ÅÄÆ', o: 'öø', O: 'ÖØ' }).flatMap(([plain, all]) =>
    [...all].map((letter): [string, string] => [letter, plain]),
  ),
)

export const scandinavianNormalization = normalizing((term) =>
  term.replace(/[äÄöÖ]|[aA][aeoAEO]|[oO][eoEO]/g, (part) => {
    const [first, second] = part
    if (second === undefined) return { ä: 'æ', Ä: 'Æ', ö: 'ø', Ö: 'Ø' }[part]!
    if (first === 'o' || first === 'O') return first === 'o' ? 'ø' : 'Ø'
    const isRound = second !== 'e' && second !== 'E'
    return first === 'a' ? (isRound ? 'å' : 'æ') : isRound ? 'Å' : 'Æ'
  }),
)

function replaced(term: string, rules: readonly (readonly [RegExp, string])[]): string {
  return rules.reduce((text, [from, to]) => text.replace(from, to), term)
}

const romanianLetters: readonly (readonly [RegExp, string])[] = [
  [/ş/g, 'ș'],
  [/Ş/g, 'Ș'],
  [/ţ/g, 'ț'],
  [/Ţ/g, 'Ț'],
]

/** Letters with a cedilla get the comma that Romanian has. */
export const romanianNormalization = normalizing((term) => replaced(term, romanianLetters))

/** Full-width Latin becomes basic Latin, half-width Katakana full-width. */
export const cjkWidth = normalizing((term) =>
  term.replace(/[\uff01-\uff5e]|[\uff65-\uff9f]+/g, (part) => part.normalize('NFKC')),
)
