/** The Snowball stemmer of Norwegian. Words come in lower case. */
import { Endings, regionAfter, withEnding } from './regions.ts'

const vowels = /[aeiouyæåø]/

const inflections = new Endings(
  [
    `a e ede ande ende ane ene hetene en heten ar er heter as es edes endes enes hetenes ens hetens ers ets et het ast
     s`,
    '',
  ],
  ['erte ert', 'er'],
)
/** Letters that may stand before a removed `s`; a `k` behind a vowel may not. */
const beforeS = /(?:[bcdfghjlmnoprtvyz]|[^aeiouyæåø]k)s$/
const pairs = new Endings(['dt vt', ''])
const derivations = new Endings(['leg eleg ig eig lig elig els lov elov slov hetslov', ''])

function withoutInflection(word: string, region: number): string {
  const ending = inflections.of(word, region)
  if (ending === undefined || (ending === 's' && !beforeS.test(word.slice(-3)))) return word
  return withEnding(word, ending, inflections.note(ending))
}

export function norwegian(given: string): string {
  if (given.length < 3) return given
  const region = Math.max(3, regionAfter(given, vowels, 0))
  let word = withoutInflection(given, region)
  if (pairs.of(word, region) !== undefined) word = word.slice(0, -1)
  const ending = derivations.of(word, region)
  return ending === undefined ? word : withEnding(word, ending)
}
