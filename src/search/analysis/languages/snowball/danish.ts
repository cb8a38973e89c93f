/** The Snowball stemmer of Danish. Words come in lower case. */
import { Endings, regionAfter, withEnding } from './regions.ts'

const vowels = /[aeiouyæåø]/

const inflections = new Endings([
  `hed ethed ered e erede ende erende ene erne ere en heden eren er heder erer heds es endes erendes enes ernes eres
   ens hedens erens ers ets erets et eret s`,
  '',
])
/** Letters that may stand before a removed `s`. */
const beforeS = /[abcdfghjklmnoprtvyzå]/
const pairs = new Endings(['gd dt gt kt', ''])
const derivations = new Endings(['ig lig elig els', ''], ['løst', 'løs'])

function withoutPair(word: string, region: number): string {
  return pairs.of(word, region) === undefined ? word : word.slice(0, -1)
}

function withoutInflection(word: string, region: number): string {
  const ending = inflections.of(word, region)
  if (ending === undefined || (ending === 's' && !beforeS.test(word.at(-2) ?? ''))) return word
  return withEnding(word, ending)
}

function withoutDerivation(given: string, region: number): string {
  const word = given.endsWith('igst') ? given.slice(0, -2) : given
  const ending = derivations.of(word, region)
  if (ending === undefined) return word
  const rest = withEnding(word, ending, derivations.note(ending))
  return ending === 'løst' ? rest : withoutPair(rest, region)
}

export function danish(given: string): string {
  if (given.length < 3) return given
  const region = Math.max(3, regionAfter(given, vowels, 0))
  const word = withoutDerivation(withoutPair(withoutInflection(given, region), region), region)
  const isDoubled = word.length > region && word.at(-1) === word.at(-2)
  return isDoubled && /[bcdfghj-np-tv-xz]$/.test(word) ? word.slice(0, -1) : word
}
