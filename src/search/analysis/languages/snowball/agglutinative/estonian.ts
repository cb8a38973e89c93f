/** The Snowball stemmer of Estonian as Lucene 10 has it. Words come in lower case. */
import { Endings, endsIn, regionAfter, withEnding } from '../regions.ts'
import { shortVerbs } from './estonian-verbs.ts'

const vowels = /[aeiouõäöü]/
const longVowel = /(?:aa|ee|ii|oo|uu|ää|öö|üü|õõ)$/

/** A word as short as the parts that some endings need before them. */
const minStem = 4

function endsInVowel(word: string): boolean {
  return vowels.test(word.at(-1) ?? '')
}

function endsInLongVowel(word: string): boolean {
  return longVowel.test(word.slice(-2))
}

function endsInPlainVowel(word: string): boolean {
  return /[aeiou]/.test(word.at(-1) ?? '')
}

function endsInPlainOrLongVowel(word: string): boolean {
  return endsInPlainVowel(word) || endsInLongVowel(word)
}

/** The particles `gi`, behind voiced letters, and `ki`, behind others. */
function withoutParticle(word: string, region: number): string {
  if (word.length < minStem + 2) return word
  const rest = word.slice(0, -2)
  if (endsIn(word, 'ki', region)) return /[bdfghkpstzšž]$/.test(rest.slice(-1)) ? rest : word
  if (!endsIn(word, 'gi', region) || endsInLongVowel(rest)) return word
  return /[aceijlmnoqruvwxäõöü]/.test(rest.slice(-1)) ? rest : word
}

const verbs = new Endings(
  [`nuksin nuksime nuksid nuksite ksin ksid ksime ksite mata takse dakse taks daks sime site sin`, ''],
  ['akse', 'a'],
  ['me da n b', 'behind a vowel'],
)

/** Undefined where no ending of a verb was removed. */
function withoutVerbEnding(word: string, region: number): string | undefined {
  const ending = verbs.of(word, region)
  if (ending === undefined) return undefined
  const note = verbs.note(ending)
  if (note !== 'behind a vowel') return withEnding(word, ending, note)
  const rest = withEnding(word, ending)
  return endsInVowel(rest) ? rest : undefined
}

const derivations = new Endings(
  ['lasse last lane lasi', 'lase'],
  ['misse mist mine misi', 'mise'],
  ['lisse list line lisi', 'lise'],
)
const cases = new Endings(['sse st le lt ga ks ta s l', 'behind a vowel'], ['t', 'behind four letters'])

function withoutCase(word: string, region: number): string {
  const ending = cases.of(word, region)
  if (ending === undefined) return word
  const rest = withEnding(word, ending)
  const applies = ending === 't' ? rest.length >= minStem : endsInPlainOrLongVowel(rest)
  return applies ? rest : word
}

const plurals = new Endings(['ikkude ikke ike', 'iku'], ['sid te de d', ''])

/** The plural of the nominative, genitive and partitive. */
function withoutPlural(word: string, region: number): string {
  const ending = plurals.of(word, region)
  if (ending === undefined) return word
  const rest = withEnding(word, ending, plurals.note(ending))
  switch (ending) {
    case 'sid':
      return endsInLongVowel(rest) ? word : rest
    case 'te':
      if (rest.length < minStem) return `${rest}t`
      if (rest.endsWith('t')) return word
      return /(?:mis|las|lis)$/.test(rest.slice(-3)) ? `${rest}e` : rest
    case 'de':
    case 'd':
      return endsInPlainOrLongVowel(rest) ? rest : word
    default:
      return rest
  }
}

const degrees = new Endings(['mai m', 'behind a vowel'], ['ma', ''])

function withoutDegree(word: string, region: number): string {
  const ending = degrees.of(word, region)
  if (ending === undefined) return word
  const rest = withEnding(word, ending)
  return ending === 'ma' || endsInPlainVowel(rest) ? rest : word
}

const participles = new Endings(['nu tu du va', ''])

function withoutNounEndings(given: string, region: number): string {
  const derived = derivations.of(given, region)
  let word = derived === undefined ? given : withEnding(given, derived, derivations.note(derived))
  word = withoutDegree(withoutPlural(withoutCase(word, region), region), region)
  if (endsIn(word, 'i', region) && endsInPlainVowel(word.slice(0, -1))) word = word.slice(0, -1)
  return withEnding(word, participles.of(word, region) ?? '')
}

/** One of two letters before the last vowel. */
function withoutDoubling(word: string, region: number): string {
  const { length } = word
  if (length - 1 < region || !/(?:kk|pp|tt)[aeiouõäöü]$/.test(word.slice(-3))) return word
  return word.slice(0, -2) + word.at(-1)
}

export function estonian(given: string): string {
  const known = shortVerbs.get(given)
  if (known !== undefined) return known
  const region = regionAfter(given, vowels, 0)
  const word = withoutParticle(given, region)
  return withoutDoubling(withoutVerbEnding(word, region) ?? withoutNounEndings(word, region), region)
}
