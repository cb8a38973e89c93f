/** The light stemmers of Lucene for Finnish and Hungarian, after Savoy's. Words come in lower case. */
import { Endings, withEnding } from './snowball/regions.ts'

/** Endings of words of more letters than `over`, each with what takes its place. */
interface Line {
  readonly over: number
  readonly endings: Endings
}

/** The first line with an ending of the word counts; undefined where there is none. */
function changed(word: string, lines: readonly Line[]): string | undefined {
  for (const { over, endings } of lines) {
    const ending = word.length > over ? endings.of(word) : undefined
    if (ending !== undefined) return withEnding(word, ending, endings.note(ending))
  }
  return undefined
}

const finnishParticles: readonly Line[] = [{ over: 8, endings: new Endings(['kin ko', '']) }]
const finnishAdjectives: readonly Line[] = [{ over: 11, endings: new Endings(['dellinen dellisuus', '']) }]
const finnishAdverbs: readonly Line[] = [
  { over: 5, endings: new Endings(['lla tse sti ni', ''], ['aa', 'a']) },
]
const finnishCases: readonly Line[] = [
  { over: 8, endings: new Endings(['nnen ntena', 's'], ['tten eiden', '']) },
  {
    over: 6,
    endings: new Endings(
      ['neen niin seen teen inen han hen hin hon hun hyn ssa sta lla lta tta ksi lle', ''],
      ['den ksen', 's'],
    ),
  },
  { over: 5, endings: new Endings(['na ne nei', '']) },
  { over: 4, endings: new Endings(['ja ta a an en in on un yn n', '']) },
]

function finnishNormal(given: string): string {
  const word = given.length > 5 && given.endsWith('hde') ? withEnding(given, 'hde', 'ksi') : given
  if (word.length > 4 && /(?:ei|at)$/.test(word)) return word.slice(0, -2)
  return word.length > 3 && /[tsjeai]$/.test(word) ? word.slice(0, -1) : word
}

export function finnishLight(given: string): string {
  if (given.length < 4) return given
  let word = given.replace(/[äåö]/g, (letter) => (letter === 'ö' ? 'o' : 'a'))
  for (let next = changed(word, finnishParticles); next !== undefined; next = changed(word, finnishParticles))
    word = next
  word = changed(word, finnishAdjectives) ?? word
  word = changed(word, finnishAdverbs) ?? word
  word = finnishNormal(changed(word, finnishCases) ?? word)
  if (word.length > 8 && /[eou]$/.test(word)) word = word.slice(0, -1)
  if (word.length > 4 && word.endsWith('i')) word = word.slice(0, -1)
  return word.length > 4 ? word.replace(/([kpt])\1+/g, '$1') : word
}

/** Words of more letters than `over` lose `count` of them where they end so. */
type Rule = readonly [over: number, ending: RegExp, count: number]

const hungarianCases: readonly Rule[] = [
  [6, /kent$/, 4],
  [5, /(?:nak|nek|val|vel|ert|rol|ban|ben|bol|nal|nel|hoz|hez|tol)$/, 3],
  [5, /([^aeiouy])\1[ae]l$/, 3],
  [4, /(?:at|et|ot|va|ve|ra|re|ba|be|ul|ig)$/, 2],
  [4, /[^aeiouy][oe]n$/, 2],
  [4, /[tn]$/, 1],
  [4, /([^aeiouy])\1[ae]$/, 2],
]
const hungarianPossessives: readonly Rule[] = [
  [6, /(?:[^aeiouy](?:atok|otok|etek)|itek|itok)$/, 4],
  [5, /(?:[^aeiouy](?:unk|tok|tek)|[aeiouy]juk|ink)$/, 3],
  [4, /(?:[^aeiouy](?:[aeo]m|[aeo]d|uk)|[aeiouy](?:nk|ja|je)|im|id|ik)$/, 2],
  [3, /(?:[^aeiouy][ae]|[aeiouy][md]|i)$/, 1],
]
const hungarianPlurals: readonly Rule[] = [
  [4, /[aoe]k$/, 2],
  [3, /k$/, 1],
]
const hungarianVowels: readonly Rule[] = [[3, /[aeio]$/, 1]]

function cut(word: string, rules: readonly Rule[]): string {
  const end = word.slice(-5)
  const rule = rules.find(([over, ending]) => word.length > over && ending.test(end))
  return rule === undefined ? word : word.slice(0, -rule[2])
}

const plain: ReadonlyMap<string, string> = new Map(
  Object.entries({ a: 'á', e: 'ëé', i: 'í', o: 'óőõö', u: 'úűũûü' }).flatMap(([letter, accented]) =>
    [...accented].map((one): [string, string] => [one, letter]),
  ),
)

export function hungarianLight(given: string): string {
  const word = given.replace(/[áëéíóőõöúűũûü]/g, (letter) => plain.get(letter)!)
  return [hungarianCases, hungarianPossessives, hungarianPlurals, hungarianVowels].reduce(cut, word)
}
