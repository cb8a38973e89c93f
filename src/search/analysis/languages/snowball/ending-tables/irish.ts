/** The Snowball stemmer of Irish. Words come in lower case. */
import { behindVowel, EndingStep, regionsOf } from './ending-step.ts'

const vowels = /[aeiouáéíóú]/

/** Mutations of the first consonant, and contractions before a word. */
const mutation = /^(?:[hnt]-|[bm]'|d'(?:fh)?|bhf|fh|m(?=b)|n(?=[dg])|g(?=c)|b(?=p)|t(?=s)|d(?=t)|[bcdgmpst]h)/

function withoutMutation(word: string): string {
  return word.replace(mutation, (part) => {
    if (part.endsWith('f') || part.endsWith('fh')) return 'f'
    return /^[bcdgmpst]h$/.test(part) ? part[0]! : ''
  })
}

const nouns = new EndingStep(
  ['amh eamh abh eabh aibh ibh aimh imh aíocht íocht aíochta íochta', 'first', ''],
  ['ire irí aire airí', 'second', ''],
)
const derivations = new EndingStep(
  ['acht eacht ach each eachtúil eachta achtúil achta', 'second', ''],
  ['arcacht arcachtaí arcachta', 'whole', 'arc'],
  ['gineach gineas ginis', 'whole', 'gin'],
  ['grafaíoch grafaíocht grafaíochta grafaíochtaí', 'whole', 'graf'],
  ['paite patach pataigh patacha', 'whole', 'paite'],
  ['óideach óideacha óidigh', 'whole', 'óid'],
)
const verbs = new EndingStep(
  ['imid aimid ímid aímid faidh fidh', 'verb', ''],
  ['ain eadh adh áil tear tar', 'first', ''],
)

export function irish(given: string): string {
  let word = withoutMutation(given)
  const regions = regionsOf(word, vowels, behindVowel(word, vowels))
  for (const step of [nouns, derivations, verbs]) word = step.apply(word, regions) ?? word
  return word
}
