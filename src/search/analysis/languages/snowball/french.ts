/** The Snowball stemmer of French. Words come in lower case. */
import { Endings, endsIn, regionAfter, withEnding } from './regions.ts'

const vowels = /[aeiouyâàëéêèïîôûù]/

interface Regions {
  readonly first: number
  readonly second: number
  readonly verb: number
}

/** Letters that are consonants: `u` and `i` between vowels, `y` behind or before one, `u` behind `q`. */
const consonants = /[aeiouyâàëéêèïîôûù](?:[ui](?=[aeiouyâàëéêèïîôûù])|y)|y(?=[aeiouyâàëéêèïîôûù])|qu/g

/** Consonantal letters are in upper case meanwhile, and a diaeresis is an `H` before its vowel. */
function marked(given: string): string {
  return given
    .replace(consonants, (all: string) => all.slice(0, -1) + all.at(-1)!.toUpperCase())
    .replaceAll('ë', 'He')
    .replaceAll('ï', 'Hi')
}

function verbRegion(word: string): number {
  const { length } = word
  if (length < 2) return length
  if (vowels.test(word[0]!) && vowels.test(word[1]!)) return length > 2 ? 3 : behindVowel(word)
  return /^(?:par|col|tap)/.test(word) ? 3 : behindVowel(word)
}

/** Behind the first vowel that is not the first letter. */
function behindVowel(word: string): number {
  let at = 1
  while (at < word.length && !vowels.test(word[at]!)) at++
  return Math.min(at + 1, word.length)
}

/** How step 1 goes on with an ending. */
type Kind =
  | 'gone'
  | 'ic'
  | 'log'
  | 'u'
  | 'ent'
  | 'ement'
  | 'ité'
  | 'at'
  | 'eau'
  | 'al'
  | 'eux'
  | 'iss'
  | 'adverb'

const suffixes = new Endings<Kind>(
  ['ance iqUe isme able iste eux ances iqUes ismes ables istes', 'gone'],
  ['atrice ateur ation atrices ateurs ations', 'ic'],
  ['logie logies', 'log'],
  ['usion ution usions utions', 'u'],
  ['ence ences', 'ent'],
  ['ement ements', 'ement'],
  ['ité ités', 'ité'],
  ['if ive ifs ives', 'at'],
  ['eaux', 'eau'],
  ['aux', 'al'],
  ['euse euses', 'eux'],
  ['issement issements', 'iss'],
  ['amment emment ment ments', 'adverb'],
)
const beforeEment = new Endings(['iv eus abl iqU ièr Ièr', ''])
const beforeIte = new Endings(['abil', 'abl'], ['ic', 'iqU'], ['iv', 'iv'])

/** Undefined where step 1 removed nothing; adverbs in -ment are seen to behind it. */
function withoutSuffix(word: string, regions: Regions): string | undefined {
  const suffix = suffixes.of(word)
  if (suffix === undefined) return undefined
  const { first, second, verb } = regions
  const rest = withEnding(word, suffix)
  const isIn = (region: number) => rest.length >= region
  const kind = suffixes.note(suffix)
  switch (kind) {
    case 'adverb':
      return undefined
    case 'eau':
      return rest + kind
    case 'al':
      return isIn(first) ? rest + kind : undefined
    case 'eux':
      if (isIn(second)) return rest
      return isIn(first) ? rest + kind : undefined
    case 'iss':
      return isIn(first) && rest !== '' && !vowels.test(rest.at(-1)!) ? rest : undefined
    case 'ement':
      return isIn(verb) ? withoutBeforeEment(rest, regions) : undefined
  }
  if (!isIn(second)) return undefined
  switch (kind) {
    case 'gone':
      return rest
    case 'ic':
      return withoutIc(rest, second)
    case 'ité': {
      const ending = beforeIte.of(rest)
      if (ending === undefined) return rest
      return withEnding(rest, ending, endsIn(rest, ending, second) ? '' : beforeIte.note(ending))
    }
    case 'at': {
      return endsIn(rest, 'at', second) ? withoutIc(withEnding(rest, 'at'), second) : rest
    }
    default:
      return rest + kind
  }
}

function withoutIc(word: string, second: number): string {
  if (!word.endsWith('ic')) return word
  return withEnding(word, 'ic', endsIn(word, 'ic', second) ? '' : 'iqU')
}

function withoutBeforeEment(word: string, { first, second, verb }: Regions): string {
  const ending = beforeEment.of(word)
  if (ending === undefined) return word
  const rest = withEnding(word, ending)
  switch (ending) {
    case 'iv':
      if (rest.length < second) return word
      return endsIn(rest, 'at', second) ? withEnding(rest, 'at') : rest
    case 'eus':
      if (rest.length >= second) return rest
      return rest.length >= first ? `${rest}eux` : word
    case 'ièr':
    case 'Ièr':
      return rest.length >= verb ? `${rest}i` : word
    default:
      return rest.length >= second ? rest : word
  }
}

const adverbs = new Endings(['amment', 'ant'], ['emment', 'ent'], ['ment ments', ''])

/** Turns an adverb in -ment into its adjective. */
function withoutAdverb(word: string, { verb }: Regions): string {
  const suffix = suffixes.of(word)
  if (suffix === undefined || suffixes.note(suffix) !== 'adverb') return word
  const rest = withEnding(word, suffix)
  const added = adverbs.note(suffix)
  if (added !== '') return rest.length >= verb ? rest + added : word
  return rest.length > verb && vowels.test(rest.at(-1)!) ? rest : word
}

const verbsInI = new Endings([
  `îmes ît îtes i ie ies ir ira irai iraIent irais irait iras irent irez iriez irions irons iront is issaIent issais
   issait issant issante issantes issants isse issent isses issez issiez issions issons it`,
  '',
])
const verbs = new Endings(
  ['ions', 'second'],
  ['é ée ées és èrent er era erai eraIent erais erait eras erez eriez erions erons eront ez iez', ''],
  ['âmes ât âtes a ai aIent ais ait ant ante antes ants as asse assent asses assiez assions', 'e'],
)

/** Undefined where no ending was removed. */
function withoutVerbEnding(word: string, { second, verb }: Regions): string | undefined {
  const inI = verbsInI.of(word, verb)
  if (inI !== undefined) {
    const rest = withEnding(word, inI)
    if (rest.length > verb && rest.at(-1) !== 'H' && !vowels.test(rest.at(-1)!)) return rest
  }
  const ending = verbs.of(word, verb)
  if (ending === undefined) return undefined
  const rest = withEnding(word, ending)
  switch (verbs.note(ending)) {
    case 'second':
      return rest.length >= second ? rest : undefined
    case 'e':
      return endsIn(rest, 'e', verb) ? rest.slice(0, -1) : rest
    default:
      return rest
  }
}

const residues = new Endings(['ion', ''], ['ier ière Ier Ière', 'i'], ['e', ''])

function withoutResidue(given: string, { second, verb }: Regions): string {
  const word = /(?:Hi|[^aiouès])s$/.test(given) ? given.slice(0, -1) : given
  const ending = residues.of(word, verb)
  if (ending === undefined) return word
  const rest = withEnding(word, ending, residues.note(ending))
  if (ending !== 'ion') return rest
  return rest.length >= second && rest.length > verb && /[st]$/.test(rest) ? rest : word
}

/** An accent before the last consonants goes. */
function withoutAccent(word: string): string {
  let at = word.length
  while (at > 0 && !vowels.test(word[at - 1]!)) at--
  if (at === 0 || at === word.length || !/[éè]/.test(word[at - 1]!)) return word
  return `${word.slice(0, at - 1)}e${word.slice(at)}`
}

const unmarked: Readonly<Record<string, string>> = { I: 'i', U: 'u', Y: 'y', He: 'ë', Hi: 'ï', H: '' }

export function french(given: string): string {
  const word = marked(given)
  const first = regionAfter(word, vowels, 0)
  const regions = { first, second: regionAfter(word, vowels, first), verb: verbRegion(word) }
  let rest = withoutSuffix(word, regions)
  if (rest === undefined) {
    const adjective = withoutAdverb(word, regions)
    rest = withoutVerbEnding(adjective, regions)
    rest = rest === undefined ? withoutResidue(adjective, regions) : withoutMark(rest)
  } else rest = withoutMark(rest)
  if (/(?:enn|onn|ett|ell|eill)$/.test(rest)) rest = rest.slice(0, -1)
  return withoutAccent(rest).replace(/He|Hi|[IUYH]/g, (letters) => unmarked[letters]!)
}

function withoutMark(word: string): string {
  if (word.endsWith('Y')) return withEnding(word, 'Y', 'i')
  return word.endsWith('ç') ? withEnding(word, 'ç', 'c') : word
}
