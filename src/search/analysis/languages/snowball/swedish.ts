/** The Snowball stemmer of Swedish. Words come in lower case. */
import { Endings, regionAfter, withEnding } from './regions.ts'

const vowels = /[aeiouyäåö]/
const inflections = new Endings([
  `a arna erna heterna orna ad e ade ande arne are aste en anden aren heten ern ar er heter or as arnas ernas ornas es
   ades andes ens arens hetens erns at andet het ast s`,
  '',
])
const pairs = new Endings(['dd gd nn dt gt kt tt', ''])
const derivations = new Endings(['lig els ig', ''], ['fullt', 'full'], ['öst', 'ös'])
/** Letters that may stand before `öst`. */
const beforeOst = /[iklnprtuv]/

export function swedish(given: string): string {
  let word = given
  const region = Math.max(3, regionAfter(word, vowels, 0))
  if (word.length < 3) return word
  const first = inflections.of(word, region)
  if (first === 's') {
    if (/[bcdfghjklmnoprtvy]$/.test(word.slice(0, -1))) word = word.slice(0, -1)
  } else if (first !== undefined) word = withEnding(word, first)
  if (pairs.of(word, region) !== undefined) word = word.slice(0, -1)
  const last = derivations.of(word, region)
  if (last === undefined || (last === 'öst' && !beforeOst.test(word.at(-4) ?? ''))) return word
  return withEnding(word, last, derivations.note(last))
}
