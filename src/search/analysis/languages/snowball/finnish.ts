/** The Snowball stemmer of Finnish. Words come in lower case. */
import { Endings, endsIn, regionAfter, withEnding } from './regions.ts'

const vowels = /[aeiouyäö]/

interface Regions {
  readonly first: number
  readonly second: number
}

const particles = new Endings(['kin kaan kään ko kö han hän pa pä sti', ''])

function withoutParticle(word: string, { first, second }: Regions): string {
  const ending = particles.of(word, first)
  if (ending === undefined) return word
  const rest = withEnding(word, ending)
  if (ending === 'sti') return rest.length >= second ? rest : word
  return /[aeiouyäönt]$/.test(rest) ? rest : word
}

/** Possessive endings, each with what may stand before it. */
const possessives = new Endings<RegExp>(
  ['si', /(?:^|[^k])$/],
  ['ni nsa nsä mme nne', /$/],
  ['an', /(?:ta|ssa|sta|lla|lta|na)$/],
  ['än', /(?:tä|ssä|stä|llä|ltä|nä)$/],
  ['en', /(?:lle|ine)$/],
)

function withoutPossessive(word: string, { first }: Regions): string {
  const ending = possessives.of(word, first)
  if (ending === undefined) return word
  const rest = withEnding(word, ending)
  if (!possessives.note(ending).test(rest.slice(-3))) return word
  return ending === 'ni' && rest.endsWith('kse') ? withEnding(rest, 'kse', 'ksi') : rest
}

/** Endings that count only behind these letters; otherwise a shorter ending may apply. */
const guardedCases = new Endings<RegExp>(
  ['siin den tten', /[aeiouäö]i$/],
  ['seen', /(?:aa|ee|ii|oo|uu|ää|öö)$/],
)
const cases = new Endings<RegExp>(
  ['han', /a$/],
  ['hen', /e$/],
  ['hin', /i$/],
  ['hon', /o$/],
  ['hän', /ä$/],
  ['hön', /ö$/],
  ['a ä', /[bcdfghj-np-tvwxz][aeiouyäö]$/],
  ['tta ttä', /e$/],
  ['ta tä ssa ssä sta stä lla llä lta ltä lle na nä ksi ine n', /$/],
)

function withoutCase(word: string, { first }: Regions): string {
  const guarded = guardedCases.of(word, first)
  if (guarded !== undefined) {
    const rest = withEnding(word, guarded)
    if (guardedCases.note(guarded).test(rest.slice(-2))) return rest
  }
  const ending = cases.of(word, first)
  if (ending === undefined) return word
  const rest = withEnding(word, ending)
  if (!cases.note(ending).test(rest.slice(-2))) return word
  return ending === 'n' && /(?:aa|ee|ii|oo|uu|ää|öö|ie)$/.test(rest.slice(-2)) ? rest.slice(0, -1) : rest
}

const comparatives = new Endings(
  ['mpi mpa mpä mmi mma mmä', 'po'],
  ['impi impa impä immi imma immä eja ejä', ''],
)
const pluralComparatives = new Endings(['mma', 'po'], ['imma', ''])

/** Removes an ending in the second region, unless it stands behind the letters of its note. */
function withoutComparative(word: string, endings: Endings, { second }: Regions): string {
  const ending = endings.of(word, second)
  if (ending === undefined) return word
  const rest = withEnding(word, ending)
  const but = endings.note(ending)
  return but !== '' && rest.endsWith(but) ? word : rest
}

function withoutPlural(word: string, hadCase: boolean, regions: Regions): string {
  const { first } = regions
  if (hadCase) return word.length > first && /[ij]$/.test(word) ? word.slice(0, -1) : word
  if (!endsIn(word, 't', first) || word.length - 2 < first || !vowels.test(word.at(-2)!)) return word
  return withoutComparative(word.slice(0, -1), pluralComparatives, regions)
}

function tidied(given: string, { first }: Regions): string {
  let word = given
  const ends = (letters: RegExp) => word.length - 2 >= first && letters.test(word.slice(-2))
  const shorten = (letters: RegExp) => {
    if (ends(letters)) word = word.slice(0, -1)
  }
  shorten(/aa|ee|ii|oo|uu|ää|öö/)
  shorten(/[bcdfghj-np-tvwxz][aäei]/)
  shorten(/[ou]j/)
  shorten(/jo/)
  return withoutDoubled(word)
}

/** Removes one of two equal consonants before the last vowels. */
function withoutDoubled(word: string): string {
  let at = word.length - 1
  while (at >= 0 && vowels.test(word[at]!)) at--
  if (at < 1 || word[at] !== word[at - 1] || !/[bcdfghj-np-tvwxz]/.test(word[at]!)) return word
  return word.slice(0, at) + word.slice(at + 1)
}

export function finnish(given: string): string {
  const first = regionAfter(given, vowels, 0)
  const regions = { first, second: regionAfter(given, vowels, first) }
  const owned = withoutPossessive(withoutParticle(given, regions), regions)
  const bare = withoutCase(owned, regions)
  const word = withoutComparative(bare, comparatives, regions)
  return tidied(withoutPlural(word, bare !== owned, regions), regions)
}
