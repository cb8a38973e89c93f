/** The Snowball stemmer of Hungarian: the inflections of nouns. Words come in lower case. */
import { Endings, withEnding } from './regions.ts'

const vowels = /[aeiouáéíóöőúüű]/
const digraphs = /^(?:dzs|cs|gy|ly|ny|sz|ty|zs)/
const doubled = /(?:bb|ccs?|dd|ff|ggy?|jj|kk|lly?|mm|nny?|pp|rr|ssz?|tty?|vv|zzs?)$/

/** Behind the first consonant or digraph of a word that begins with a vowel, or the first vowel of another. */
function regionOf(word: string): number {
  const isVowel = vowels.test(word[0] ?? '')
  let at = 0
  while (at < word.length && vowels.test(word[at]!) === isVowel) at++
  if (at === word.length) return at
  return at + (isVowel ? (digraphs.exec(word.slice(at, at + 3))?.[0].length ?? 1) : 1)
}

/** Steps that remove or replace the longest of their endings. */
const frequentCases = new Endings([
  `ban ben ba be ra re nak nek val vel tól től ról ről ból ből hoz hez höz nál nél ig at et ot öt ért képp képpen kor
   ul ül vá vé onként enként anként ként en on an ön n t`,
  '',
])
const steps = [
  new Endings(['én', 'e'], ['án ánként', 'a']),
  new Endings(['astul estül stul stül', ''], ['ástul', 'a'], ['éstül', 'e']),
]
const ownedSteps = [
  new Endings(['oké öké aké eké ké éi é', ''], ['áké áéi', 'a'], ['éké ééi éé', 'e']),
  new Endings(
    ['ünk unk nk juk jük uk ük em om am m od ed ad öd d ja je a e o', ''],
    ['ánk ájuk ám ád á', 'a'],
    ['énk éjük ém éd é', 'e'],
  ),
  new Endings(
    [
      `jaim jeim aim eim im jaid jeid aid eid id jai jei ai ei i jaink jeink eink aink ink jaitok jeitek aitok eitek
       itek jeik jaik aik eik ik`,
      '',
    ],
    ['áim áid ái áink áitok áik', 'a'],
    ['éim éid éi éink éitek éik', 'e'],
  ),
  new Endings(['ák', 'a'], ['ék', 'e'], ['ök ok ek ak k', '']),
]

/** The longest ending counts wherever it begins; it is removed if that is in the region. */
function without(word: string, endings: Endings, region: number): string {
  const ending = endings.of(word)
  if (ending === undefined || word.length - ending.length < region) return word
  return withEnding(word, ending, endings.note(ending))
}

/** Removes an ending behind a double consonant, and one of its letters. */
function withoutDoubling(word: string, ending: RegExp, region: number): string {
  const found = ending.exec(word)
  if (found === null || found.index < region) return word
  const rest = word.slice(0, found.index)
  return doubled.test(rest.slice(-3)) ? rest.slice(0, -2) + rest.at(-1) : word
}

function withoutCase(word: string, region: number): string {
  const rest = without(word, frequentCases, region)
  if (rest === word || rest.length <= region) return rest
  if (rest.endsWith('á')) return withEnding(rest, 'á', 'a')
  return rest.endsWith('é') ? withEnding(rest, 'é', 'e') : rest
}

export function hungarian(given: string): string {
  const region = regionOf(given)
  let word = withoutCase(withoutDoubling(given, /[ae]l$/, region), region)
  for (const endings of steps) word = without(word, endings, region)
  word = withoutDoubling(word, /[áé]$/, region)
  for (const endings of ownedSteps) word = without(word, endings, region)
  return word
}
