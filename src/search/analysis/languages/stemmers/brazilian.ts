/**
 * The stemmer of Brazilian Portuguese: suffixes of nouns, else those of verbs, else vowels, each in one
 * of the regions that the Snowball project describes for Portuguese. Letters lose their accents first.
 */
import { endsIn, regionAfter, withEnding } from '../snowball/regions.ts'

const minLength = 3
const maxLength = 29

const accents = new Map(
  ['aáâã', 'eéê', 'ií', 'oóôõ', 'uúü', 'cç', 'nñ'].flatMap(([plain = '', ...accented]) =>
    accented.map((letter): [string, string] => [letter, plain]),
  ),
)

const vowel = /[aeiou]/

/** Where verbs' endings begin at the earliest. */
function verbRegion(word: string): number {
  const { length } = word
  const next = (from: number, isVowel: boolean): number => {
    let at = from
    while (at < length && vowel.test(word[at]!) !== isVowel) at++
    return at
  }
  const isVowel = (at: number): boolean => vowel.test(word[at] ?? '')
  const at = isVowel(0) || !isVowel(1) ? next(2, !isVowel(1)) : length
  return at < length - 1 ? at + 1 : 3
}

type Region = 'r1' | 'r2' | 'rv'

interface Suffix {
  readonly ending: string
  readonly region: Region
  readonly added: string
  /** What must be before it. */
  readonly after: string
}

/**
 * `ending`, `>` and what takes its place (Lucene leaves `logias`), `@` and a region other than R2, `<` and the letters before it.
 */
const suffixes: readonly Suffix[] = `
  uciones>u imentos amentos adores adoras logias>logias encias>ente amente@r1 idades
  acoes imento amento adora ismos istas logia>log ucion>u encia>ente mente idade
  acao ezas icos icas ismo avel ivel ista osos osas ador ivas ivos iras>ir@rv<e
  eza ico ica oso osa iva ivo ira>ir@rv<e
`
  .trim()
  .split(/\s+/)
  .map((line) => {
    const [, ending = '', added = '', region = 'r2', after = ''] =
      /^([a-z]+)(?:>([a-z]+))?(?:@(r1|rv))?(?:<([a-z]+))?$/.exec(line)!
    return { ending, added, region: region as Region, after }
  })

/** The longest first. */
const verbEndings = `
  issemos essemos assemos ariamos eriamos iriamos
  iremos eremos aremos avamos iramos eramos aramos asseis esseis isseis arieis erieis irieis
  irmos iamos armos ermos areis ereis ireis asses esses isses astes assem essem issem ardes erdes irdes ariam eriam
  iriam arias erias irias estes istes aveis
  aria eria iria asse esse isse aste este iste arei erei irei aram eram iram avam arem erem irem ando endo indo arao
  erao irao adas idas aras eras iras avas ares eres ires ados idos amos emos imos ieis
  ada ida ara era iam ado ido ias ais eis ear
  ia ei am em ar er ir as es is eu iu ou
`
  .trim()
  .split(/\s+/)

function withoutSuffix(word: string, rv: number): string | undefined {
  const r1 = regionAfter(word, vowel, 0)
  const regions = { r1, r2: regionAfter(word, vowel, r1), rv }
  const suffix = suffixes.find(
    ({ ending, region, after }) => endsIn(word, ending, regions[region]) && word.endsWith(after + ending),
  )
  if (suffix !== undefined) return withEnding(word, suffix.ending, suffix.added)
  const ending = verbEndings.find((verb) => endsIn(word, verb, rv))
  if (ending !== undefined) return withEnding(word, ending)
  // Counts as a verb, but Lucene leaves it.
  return endsIn(word, 'ira', rv) ? word : undefined
}

function withoutVowels(word: string, rv: number): string {
  const vowels = ['os', 'a', 'i', 'o'].find((ending) => endsIn(word, ending, rv))
  if (vowels !== undefined) return withEnding(word, vowels)
  if (!endsIn(word, 'e', rv)) return word
  if (endsIn(word, 'gue', rv)) return withEnding(word, 'ue')
  return withEnding(word, endsIn(word, 'cie', rv) ? 'ie' : 'e')
}

export function brazilian(given: string): string {
  const word = given
    .toLowerCase()
    .replace(/[á-ü]/g, (letter) => accents.get(letter) ?? letter)
    .replace(/^["'\-,;.?!](?=.)/, '')
    .replace(/(?<=.)["'\-,;.?!]$/, '')
  if (word.length < minLength || word.length > maxLength) return given
  if (!/^\p{L}*$/u.test(word)) return word
  const rv = verbRegion(word)
  const stem = withoutSuffix(word, rv)
  if (stem === undefined) return withoutVowels(word, rv)
  return endsIn(word, 'e', rv) && stem.endsWith('e') ? withEnding(stem, 'e') : stem
}
