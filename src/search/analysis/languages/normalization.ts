/** Filters that make letters of one script alike: German, Arabic, Scandinavian, Romanian, and the widths of Chinese and Japanese. */
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

export const arabicNormalization = normalizing((term) =>
  arabicLetters.reduce((text, [from, to]) => text.replace(from, to), term),
)

const foldings: readonly (readonly [RegExp, string])[] = [
  [/[åäæ]|a[aeoAEO]/g, 'a'],
  [/[ÅÄÆ]|A[aeoAEO]/g, 'A'],
  [/[öø]|o[eoEO]/g, 'o'],
  [/[ÖØ]|O[eoEO]/g, 'O'],
]

export const scandinavianFolding = normalizing((term) => replaced(term, foldings))

const normalForms: readonly (readonly [RegExp, string])[] = [
  [/a[aoAO]/g, 'å'],
  [/A[aoAO]/g, 'Å'],
  [/ä|a[eE]/g, 'æ'],
  [/Ä|A[eE]/g, 'Æ'],
  [/ö|o[eoEO]/g, 'ø'],
  [/Ö|O[eoEO]/g, 'Ø'],
]

export const scandinavianNormalization = normalizing((term) => replaced(term, normalForms))

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
