/** The Snowball stemmer of Italian. Words come in lower case. */
import { Endings, endsIn, regionAfter, withEnding } from './regions.ts'
import { verbRegion } from './romance-regions.ts'

const vowels = /[aeiouàèìòù]/

interface Regions {
  readonly first: number
  readonly second: number
  readonly verb: number
}

const grave: Readonly<Record<string, string>> = { á: 'à', é: 'è', í: 'ì', ó: 'ò', ú: 'ù' }

/** An `u` behind `q`, and `u` and `i` between vowels, are consonants, in upper case meanwhile. */
function marked(given: string): string {
  return given
    .replace(/[áéíóú]/g, (letter) => grave[letter]!)
    .replace(/qu/g, 'qU')
    .replace(
      /([aeiouàèìòù])([ui])(?=[aeiouàèìòù])/g,
      (_all, before: string, letter: string) => before + letter.toUpperCase(),
    )
}

const pronouns = new Endings([
  `ci gli la le li lo mi ne si ti vi sene gliela gliele glieli glielo gliene mela mele meli melo mene tela tele teli
   telo tene cela cele celi celo cene vela vele veli velo vene`,
  '',
])
/** What stands before a pronoun, each with what is added to it. */
const verbForms = new Endings(['ando endo', ''], ['ar er ir', 'e'])

function withoutPronoun(word: string, { verb }: Regions): string {
  const pronoun = pronouns.of(word)
  if (pronoun === undefined) return word
  const rest = withEnding(word, pronoun)
  const form = verbForms.of(rest)
  return form === undefined || rest.length - form.length < verb ? word : rest + verbForms.note(form)
}

/** How a step goes on when it has removed an ending. */
type Kind = '' | 'ic' | 'log' | 'u' | 'ente' | 'verb' | 'amente' | 'ità' | 'at'

const suffixes = new Endings<Kind>(
  [
    `anza anze ico ici ica ice iche ichi ismo ismi abile abili ibile ibili ista iste isti istà istè istì oso osi osa ose
     mente atrice atrici ante anti`,
    '',
  ],
  ['azione azioni atore atori', 'ic'],
  ['logia logie', 'log'],
  ['uzione uzioni usione usioni', 'u'],
  ['enza enze', 'ente'],
  ['amento amenti imento imenti', 'verb'],
  ['amente', 'amente'],
  ['ità', 'ità'],
  ['ivo ivi iva ive', 'at'],
)
const beforeAmente = new Endings(['iv os ic abil', ''])
const beforeIta = new Endings(['abil ic iv', ''])

/** Undefined where no suffix was removed. */
function withoutSuffix(word: string, { first, second, verb }: Regions): string | undefined {
  const suffix = suffixes.of(word)
  if (suffix === undefined) return undefined
  const kind = suffixes.note(suffix)
  const region = kind === 'amente' ? first : kind === 'verb' ? verb : second
  if (word.length - suffix.length < region) return undefined
  const rest = withEnding(word, suffix)
  const without = (from: string, ending: string) =>
    endsIn(from, ending, second) ? withEnding(from, ending) : from
  const withoutAny = (endings: Endings) => without(rest, endings.of(rest) ?? '')
  switch (kind) {
    case '':
    case 'verb':
      return rest
    case 'ic':
      return without(rest, kind)
    case 'at': {
      const bare = without(rest, kind)
      return bare === rest ? rest : without(bare, 'ic')
    }
    case 'amente': {
      const bare = withoutAny(beforeAmente)
      return bare !== rest && rest.endsWith('iv') ? without(bare, 'at') : bare
    }
    case 'ità':
      return withoutAny(beforeIta)
    default:
      return rest + kind
  }
}

const verbs = new Endings([
  `ammo ando ano are arono asse assero assi assimo ata ate ati ato ava avamo avano avate avi avo emmo enda ende endi
   endo erà erai eranno ere erebbe erebbero erei eremmo eremo ereste eresti erete erò erono essero ete eva evamo evano
   evate evi evo Yamo iamo immo irà irai iranno ire irebbe irebbero irei iremmo iremo ireste iresti irete irò irono isca
   iscano isce isci isco iscono issero ita ite iti ito iva ivamo ivano ivate ivi ivo ono uta ute uti uto ar ir`,
  '',
])

function withoutVowel(given: string, { verb }: Regions): string {
  let word = given
  const isIn = (letters: RegExp) => word.length > verb && letters.test(word)
  if (isIn(/[aeioàèìò]$/)) {
    word = word.slice(0, -1)
    if (isIn(/i$/)) word = word.slice(0, -1)
  }
  return word.length - 2 >= verb && /[cg]h$/.test(word) ? word.slice(0, -1) : word
}

export function italian(given: string): string {
  const marks = marked(given)
  const first = regionAfter(marks, vowels, 0)
  const regions = { first, second: regionAfter(marks, vowels, first), verb: verbRegion(marks, vowels) }
  const word = withoutPronoun(marks, regions)
  const rest = withoutSuffix(word, regions) ?? withEnding(word, verbs.of(word, regions.verb) ?? '')
  return withoutVowel(rest, regions).replace(/[UI]/g, (letter) => letter.toLowerCase())
}
