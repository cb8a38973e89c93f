/**
 * The shorter light and minimal stemmers of Lucene, after Savoy's: one ending of a word goes, and which depends on how
 * long the word is. Words come in lower case.
 */
import { linesOf, shortened } from './ending-lines.ts'
import { withEnding } from './snowball/regions.ts'

function withoutGenitive(word: string): string {
  return word.length > 4 && word.endsWith('s') ? word.slice(0, -1) : word
}

/** A Scandinavian stemmer: a genitive, and one ending. */
function scandinavian(text: string): (word: string) => string {
  const lines = linesOf(text)
  return (word) => shortened(withoutGenitive(word), lines)
}

export const swedishLight = scandinavian(`
  7 elser heten
  6 arne erna ande else aste orna aren
  5 are ast het
  4 ar er or en at te et
  3 t a e n
`)

export const norwegianLight = scandinavian(`
  7 heter heten
  5 dom het
  7 elser elsen
  6 ende else este eren
  5 ere est ene
  4 er en et st te
  3 a e n
`)

export const norwegianMinimal = scandinavian(`
  5 ene
  4 er en et
  3 a e
`)

export const nynorskLight = scandinavian(`
  7 heita
  8 heiter leiken leikar
  5 dom
  6 heit semd leik
  7 elser elsen
  6 ande else aste aren
  5 are ast ene ane
  4 er en et ar te
  3 a e n
`)

export const nynorskMinimal = scandinavian(`
  5 ene ane
  4 er en et ar
  3 a e
`)

const germanEndings = linesOf(`
  6 nen
  5 en se es er
  4 n e s r
`)
const umlauts: Readonly<Record<string, string>> = { ä: 'a', ö: 'o', ü: 'u' }

export function germanMinimal(word: string): string {
  if (word.length < 5) return word
  return shortened(
    word.replace(/[äöü]/g, (letter) => umlauts[letter]!),
    germanEndings,
  )
}

export function frenchMinimal(given: string): string {
  if (given.length < 6) return given
  if (given.endsWith('x')) return given.endsWith('aux') ? withEnding(given, 'ux', 'l') : given.slice(0, -1)
  let word = given
  for (const letter of 'sreé') if (word.endsWith(letter)) word = word.slice(0, -1)
  return word.at(-1) === word.at(-2) && /\p{L}$/u.test(word) ? word.slice(0, -1) : word
}

const russianEndings = linesOf(`
  6 иями оями
  5 иям иях оях ями оям оьв ами его ему ери ими ого ому ыми оев
  4 ая яя ях юю ах ею их ия ию ьв ою ую ям ых ея ам ем ей ём ев ий им ое ой ом ов ые ый ым ми
  3 а е и о у й ы я ь
`)

export function russianLight(given: string): string {
  const word = shortened(given, russianEndings)
  return word.length > 3 && /(?:[ьи]|нн)$/.test(word) ? word.slice(0, -1) : word
}
