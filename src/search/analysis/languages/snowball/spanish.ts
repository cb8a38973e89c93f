/** The Snowball stemmer of Spanish. Words come in lower case. */
import { Endings, endsIn, regionAfter, withEnding } from './regions.ts'
import { verbRegion } from './romance-regions.ts'

const vowels = /[aeiouáéíóúü]/

interface Regions {
  readonly first: number
  readonly second: number
  readonly verb: number
}

const pronouns = new Endings(['me se sela selo selas selos la le lo las les los nos', ''])
/** What stands before a pronoun, each with what takes its place. */
const verbForms = new Endings(
  ['ando iendo ar er ir yendo', ''],
  ['iéndo', 'iendo'],
  ['ándo', 'ando'],
  ['ár', 'ar'],
  ['ér', 'er'],
  ['ír', 'ir'],
)

function withoutPronoun(word: string, { verb }: Regions): string {
  const pronoun = pronouns.of(word)
  if (pronoun === undefined) return word
  const rest = withEnding(word, pronoun)
  const form = verbForms.of(rest)
  if (form === undefined || rest.length - form.length < verb) return word
  if (form === 'yendo') return rest.endsWith('uyendo') ? rest : word
  return withEnding(rest, form, verbForms.note(form) || form)
}

/** How a step goes on when it has removed an ending. */
type Kind = '' | 'ic' | 'log' | 'u' | 'ente' | 'amente' | 'mente' | 'idad' | 'at'

const suffixes = new Endings<Kind>(
  [
    `anza anzas ico ica icos icas ismo ismos able ables ible ibles ista istas oso osa osos osas amiento amientos
     imiento imientos`,
    '',
  ],
  ['adora ador ación adoras adores aciones ante antes ancia ancias', 'ic'],
  ['logía logías', 'log'],
  ['ución uciones', 'u'],
  ['encia encias', 'ente'],
  ['amente', 'amente'],
  ['mente', 'mente'],
  ['idad idades', 'idad'],
  ['iva ivo ivas ivos', 'at'],
)
const beforeMente = new Endings(['ante able ible', ''])
const beforeIdad = new Endings(['abil ic iv', ''])
const beforeAmente = new Endings(['iv os ic ad', ''])

/** Undefined where no suffix was removed. */
function withoutSuffix(word: string, { first, second }: Regions): string | undefined {
  const suffix = suffixes.of(word)
  if (suffix === undefined) return undefined
  const kind = suffixes.note(suffix)
  if (word.length - suffix.length < (kind === 'amente' ? first : second)) return undefined
  const rest = withEnding(word, suffix)
  const without = (endings: Endings) => {
    const ending = endings.of(rest)
    return ending !== undefined && rest.length - ending.length >= second ? withEnding(rest, ending) : rest
  }
  const withoutOne = (ending: string) => (endsIn(rest, ending, second) ? withEnding(rest, ending) : rest)
  switch (kind) {
    case '':
      return rest
    case 'ic':
    case 'at':
      return withoutOne(kind)
    case 'amente': {
      const bare = without(beforeAmente)
      return rest.endsWith('iv') && endsIn(bare, 'at', second) ? withEnding(bare, 'at') : bare
    }
    case 'mente':
      return without(beforeMente)
    case 'idad':
      return without(beforeIdad)
    default:
      return rest + kind
  }
}

const verbsInY = new Endings(['ya ye yan yen yeron yendo yo yó yas yes yais yamos', ''])
const verbs = new Endings(
  ['en es éis emos', 'gu'],
  [
    `arían arías arán arás aríais aría aréis aríamos aremos ará aré erían erías erán erás eríais ería eréis eríamos
     eremos erá eré irían irías irán irás iríais iría iréis iríamos iremos irá iré aba ada ida ía ara iera ad ed id ase
     iese aste iste an aban ían aran ieran asen iesen aron ieron ado ido ando iendo ió ar er ir as abas adas idas ías
     aras ieras ases ieses ís áis abais íais arais ierais aseis ieseis asteis isteis ados idos amos ábamos íamos imos
     áramos iéramos iésemos ásemos`,
    '',
  ],
)

function withoutVerbEnding(word: string, { verb }: Regions): string {
  const inY = verbsInY.of(word, verb)
  if (inY !== undefined && word.at(-inY.length - 1) === 'u') return withEnding(word, inY)
  const ending = verbs.of(word, verb)
  if (ending === undefined) return word
  const rest = withEnding(word, ending)
  return verbs.note(ending) === 'gu' && rest.endsWith('gu') ? rest.slice(0, -1) : rest
}

const residues = new Endings(['os a o á í ó', ''], ['e é', 'gu'])

function withoutResidue(word: string, { verb }: Regions): string {
  const ending = residues.of(word)
  if (ending === undefined || word.length - ending.length < verb) return word
  const rest = withEnding(word, ending)
  const isGu = residues.note(ending) === 'gu' && rest.endsWith('gu') && rest.length > verb
  return isGu ? rest.slice(0, -1) : rest
}

const plain: Readonly<Record<string, string>> = { á: 'a', é: 'e', í: 'i', ó: 'o', ú: 'u' }

export function spanish(given: string): string {
  const first = regionAfter(given, vowels, 0)
  const regions = { first, second: regionAfter(given, vowels, first), verb: verbRegion(given, vowels) }
  const word = withoutPronoun(given, regions)
  const rest = withoutSuffix(word, regions) ?? withoutVerbEnding(word, regions)
  return withoutResidue(rest, regions).replace(/[áéíóú]/g, (letter) => plain[letter]!)
}
