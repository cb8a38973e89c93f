/**
 * The Snowball stemmer of German as Lucene 10 has it, which reads `ae`, `oe` and `ue` as umlauts: the former variant
 * German2. Words come in lower case.
 */
import { Endings, regionAfter, withEnding } from './regions.ts'

const vowels = /[aeiouyäöü]/

/** A `u` or `y` between vowels is a consonant, in upper case meanwhile; umlauts are one letter. */
function marked(given: string): string {
  const consonants = given.replace(
    /([aeiouyäöü])([uy])(?=[aeiouyäöü])/g,
    (_all, before: string, letter: string) => before + letter.toUpperCase(),
  )
  return consonants.replace(/ß|ae|oe|qu|ue/g, (letters) => umlauts[letters] ?? letters)
}

const umlauts: Readonly<Record<string, string>> = { ß: 'ss', ae: 'ä', oe: 'ö', ue: 'ü' }

const inflections = new Endings(['em', 'em'], ['ern er', 'any'], ['e en es', 'niss'], ['s', 's'])
const comparisons = new Endings(['en er est st', ''])

function withoutInflection(word: string, region: number): string {
  const ending = inflections.of(word)
  if (ending === undefined || word.length - ending.length < region) return word
  const rest = withEnding(word, ending)
  const kind = inflections.note(ending)
  if (kind === 'em' && rest.endsWith('syst')) return word
  if (kind === 's') return /[bdfghklmnrt]$/.test(rest) ? rest : word
  return kind === 'niss' && rest.endsWith('niss') ? rest.slice(0, -1) : rest
}

function withoutComparison(word: string, region: number): string {
  const ending = comparisons.of(word)
  if (ending === undefined || word.length - ending.length < region) return word
  const rest = withEnding(word, ending)
  return ending !== 'st' || (rest.length > 3 && /[bdfghklmnt]$/.test(rest)) ? rest : word
}

const derivations = new Endings(
  ['end ung', 'ung'],
  ['ig ik isch', 'ig'],
  ['lich heit', 'heit'],
  ['keit', 'keit'],
)

function withoutDerivation(word: string, first: number, second: number): string {
  const ending = derivations.of(word)
  if (ending === undefined || word.length - ending.length < second) return word
  const rest = withEnding(word, ending)
  const without = (inner: string, region: number) =>
    rest.endsWith(inner) && rest.length - inner.length >= region ? withEnding(rest, inner) : undefined
  switch (derivations.note(ending)) {
    case 'ung': {
      const bare = without('ig', second)
      return bare === undefined || bare.endsWith('e') ? rest : bare
    }
    case 'ig':
      return rest.endsWith('e') ? word : rest
    case 'heit':
      return without('er', first) ?? without('en', first) ?? rest
    default:
      return without('lich', second) ?? without('ig', second) ?? rest
  }
}

const plain: Readonly<Record<string, string>> = { U: 'u', Y: 'y', ä: 'a', ö: 'o', ü: 'u' }

export function german(given: string): string {
  const word = marked(given)
  const start = regionAfter(word, vowels, 0)
  const second = regionAfter(word, vowels, start)
  const first = Math.max(3, start)
  const rest = withoutComparison(withoutInflection(word, first), first)
  return withoutDerivation(rest, first, second).replace(/[UYäöü]/g, (letter) => plain[letter]!)
}
