/**
 * The filter `bengali_normalization`: letters that sound alike become one, after UzZaman and Khan, "A double metaphone
 * encoding for Bangla". What a consonant cluster becomes depends on where in the word it stands. Words marked as
 * keywords stay.
 */
import type { TokenFilter } from '../../component.ts'
import { stemming } from '../../filters/term-filters.ts'
import { letterTable } from './hindi-normalization.ts'

const letters = letterTable(`
  0999 > 0982
  09a3 > 09a8
  09b6 09b7 > 09b8
  09c0 > 09bf
  09c2 > 09c1
  09ce > 09a4
  09dc 09dd > 09b0
  0981
`)

const ba = '\u09ac'
const ha = '\u09b9'
const ka = '\u0995'
const kha = '\u0996'
const ya = '\u09af'
const virama = '\u09cd'
const visarga = '\u0983'
const signAa = '\u09be'
const signE = '\u09c7'
const signI = '\u09bf'

function normalized(term: string): string {
  const done: string[] = []
  let at = 0
  while (at < term.length) {
    const next = term[at++]!
    const isJoined = done.at(-1) === virama
    if (next === ka && term[at] === virama && term[at + 1] === signI) {
      if (done.length > 0) done.push(ka)
      done.push(kha)
      at += 2
    } else if (next === ya && isJoined) {
      // Behind the first consonant it sounds like a vowel, elsewhere it is not heard.
      const isSecond = done.length === 2
      done.pop()
      if (isSecond) done.push(signE)
      if (isSecond && term[at] === signAa) at++
    } else if (next === ba && isJoined && done.length > 1) {
      // Doubles the letter before it, but neither the first of a word nor one that is joined itself.
      done.pop()
      const isDoubled = done.length > 1 && !(done.length > 3 && done.at(-2) === virama)
      if (isDoubled) done.push(done.at(-1)!)
    } else if (next === visarga) {
      // Doubles the letter behind it; at the end it is heard in short words.
      if (at < term.length) done.push(term[at]!)
      else if (done.length < 3) done.push(ha)
    } else {
      const letter = letters.get(next) ?? next
      if (letter !== '') done.push(letter)
    }
  }
  return done.join('')
}

export const bengaliNormalization: TokenFilter = { ...stemming(normalized), normalize: normalized }
