/** The Snowball stemmer of Portuguese. Words come in lower case. */
import { Endings, endsIn, regionAfter, withEnding } from './regions.ts'
import { verbRegion } from './romance-regions.ts'

const vowels = /[aeiouáéíóúâêô]/

interface Regions {
  readonly first: number
  readonly second: number
  readonly verb: number
}

/** How a step goes on when it has removed an ending. */
type Kind = '' | 'log' | 'u' | 'ente' | 'amente' | 'mente' | 'idade' | 'at' | 'ir'

/** A nasal vowel is a vowel and `~` meanwhile. */
const suffixes = new Endings<Kind>(
  [
    `eza ezas ico ica icos icas ismo ismos ável ível ista istas oso osa osos osas amento amentos imento imentos adora
     ador aça~o adoras adores aço~es ante antes ância`,
    '',
  ],
  ['logia logias', 'log'],
  ['uça~o uço~es', 'u'],
  ['ência ências', 'ente'],
  ['amente', 'amente'],
  ['mente', 'mente'],
  ['idade idades', 'idade'],
  ['iva ivo ivas ivos', 'at'],
  ['ira iras', 'ir'],
)
const beforeAmente = new Endings(['iv os ic ad', ''])
const beforeMente = new Endings(['ante avel ível', ''])
const beforeIdade = new Endings(['abil ic iv', ''])

/** Undefined where no suffix was removed. */
function withoutSuffix(word: string, { first, second, verb }: Regions): string | undefined {
  const suffix = suffixes.of(word)
  if (suffix === undefined) return undefined
  const kind = suffixes.note(suffix)
  const region = kind === 'amente' ? first : kind === 'ir' ? verb : second
  if (word.length - suffix.length < region) return undefined
  const rest = withEnding(word, suffix)
  const without = (from: string, ending: string) =>
    endsIn(from, ending, second) ? withEnding(from, ending) : from
  const withoutAny = (endings: Endings) => without(rest, endings.of(rest) ?? '')
  switch (kind) {
    case '':
      return rest
    case 'at':
      return without(rest, kind)
    case 'amente': {
      const bare = withoutAny(beforeAmente)
      return bare !== rest && rest.endsWith('iv') ? without(bare, 'at') : bare
    }
    case 'mente':
      return withoutAny(beforeMente)
    case 'idade':
      return withoutAny(beforeIdade)
    case 'ir':
      return rest.endsWith('e') ? rest + kind : undefined
    default:
      return rest + kind
  }
}

const verbs = new Endings([
  `ada ida ia aria eria iria ará ara erá era irá ava asse esse isse aste este iste ei arei erei irei am iam ariam eriam
   iriam aram eram iram avam em arem erem irem assem essem issem ado ido ando endo indo ara~o era~o ira~o ar er ir as
   adas idas ias arias erias irias arás aras erás eras irás avas es ardes erdes irdes ares eres ires asses esses isses
   astes estes istes is ais eis íeis aríeis eríeis iríeis áreis areis éreis ereis íreis ireis ásseis ésseis ísseis áveis
   ados idos ámos amos íamos aríamos eríamos iríamos áramos éramos íramos ávamos emos aremos eremos iremos ássemos
   êssemos íssemos imos armos ermos irmos eu iu ou ira iras`,
  '',
])
const residues = new Endings(['os a i o á í ó', ''])

function withoutEnding(word: string, regions: Regions): string {
  const { verb } = regions
  let rest = withoutSuffix(word, regions) ?? withEnding(word, verbs.of(word, verb) ?? '')
  if (rest !== word) return endsIn(rest, 'i', verb) && rest.endsWith('ci') ? rest.slice(0, -1) : rest
  const ending = residues.of(word)
  if (ending !== undefined && word.length - ending.length >= verb) rest = withEnding(word, ending)
  return rest
}

function withoutVowel(word: string, { verb }: Regions): string {
  if (word.endsWith('ç')) return withEnding(word, 'ç', 'c')
  if (word.length <= verb || !/[eéê]$/.test(word)) return word
  const rest = word.slice(0, -1)
  return /(?:gu|ci)$/.test(rest) && rest.length > verb ? rest.slice(0, -1) : rest
}

export function portuguese(given: string): string {
  const nasal = given.replace(/[ãõ]/g, (letter) => (letter === 'ã' ? 'a~' : 'o~'))
  const first = regionAfter(nasal, vowels, 0)
  const regions = { first, second: regionAfter(nasal, vowels, first), verb: verbRegion(nasal, vowels) }
  return withoutVowel(withoutEnding(nasal, regions), regions).replace(/[ao]~/g, (letters) =>
    letters === 'a~' ? 'ã' : 'õ',
  )
}
