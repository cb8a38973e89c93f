/**
 * The light stemmers of Lucene (Savoy's, University of Neuchâtel): plurals, genders and accents of German, French,
 * Spanish, Italian and Portuguese. Words come in lower case.
 */

const accents: ReadonlyMap<string, string> = new Map(
  Object.entries({ a: 'àáâä', o: 'òóôö', e: 'èéêë', u: 'ùúûü', i: 'ìíîï' }).flatMap(([plain, all]) =>
    [...all].map((letter): [string, string] => [letter, plain]),
  ),
)

/** Letters without accents, as far as `letters` has them. */
function folded(word: string, letters: ReadonlyMap<string, string>): string {
  let result = ''
  for (let at = 0; at < word.length; at++) result += letters.get(word[at]!) ?? word[at]!
  return result
}

/** Cuts `count` letters off the end and adds others. */
function cut(word: string, count: number, added = ''): string {
  return word.slice(0, word.length - count) + added
}

const germanLetters: ReadonlyMap<string, string> = new Map(
  [...accents].filter(([letter]) => !'èéêë'.includes(letter)),
)
const beforeS = /[bdfghklmnt]/

export function germanLight(given: string): string {
  let word = folded(given, germanLetters)
  const { length } = word
  if (length > 5 && word.endsWith('ern')) word = cut(word, 3)
  else if (length > 4 && /e[mnrs]$/.test(word)) word = cut(word, 2)
  else if (length > 3 && word.endsWith('e')) word = cut(word, 1)
  else if (length > 3 && word.endsWith('s') && beforeS.test(word.at(-2)!)) word = cut(word, 1)
  if (word.length > 5 && word.endsWith('est')) return cut(word, 3)
  if (word.length > 4 && /e[rn]$/.test(word)) return cut(word, 2)
  if (word.length > 4 && word.endsWith('st') && beforeS.test(word.at(-3)!)) return cut(word, 2)
  return word
}

export function spanishLight(given: string): string {
  if (given.length < 5) return given
  const word = folded(given, accents)
  if (/[oae]$/.test(word)) return cut(word, 1)
  if (!word.endsWith('s')) return word
  if (word.endsWith('eses')) return cut(word, 2)
  if (word.endsWith('ces')) return cut(word, 3, 'z')
  return /[oae]s$/.test(word) ? cut(word, 2) : word
}

export function italianLight(given: string): string {
  if (given.length < 6) return given
  const word = folded(given, accents)
  if (/(?:[ih]e|[hi]i|ia|io)$/.test(word)) return cut(word, 2)
  return /[eiao]$/.test(word) ? cut(word, 1) : word
}

const portugueseLetters: ReadonlyMap<string, string> = new Map([
  ...accents,
  ['ã', 'a'],
  ['õ', 'o'],
  ['ç', 'c'],
])

function portuguesePlural(word: string): string {
  const { length } = word
  if (length > 4 && /[rslz]es$/.test(word)) return cut(word, 2)
  if (length > 3 && word.endsWith('ns')) return cut(word, 2, 'm')
  if (length > 4 && /[eé]is$/.test(word)) return cut(word, 3, 'el')
  if (length > 4 && word.endsWith('ais')) return cut(word, 2, 'l')
  if (length > 4 && word.endsWith('óis')) return cut(word, 3, 'ol')
  if (length > 4 && word.endsWith('is')) return cut(word, 1, 'l')
  if (length > 3 && /[õã]es$/.test(word)) return cut(word, 3, 'ão')
  if (length > 6 && word.endsWith('mente')) return cut(word, 5)
  return length > 3 && word.endsWith('s') ? cut(word, 1) : word
}

function portugueseMasculine(word: string): string {
  const { length } = word
  if (length > 7 && /(?:inha|iaca|eira)$/.test(word)) return cut(word, 1, 'o')
  if (length <= 6) return word
  if (/(?:osa|ica|ida|ada|iva|ama)$/.test(word)) return cut(word, 1, 'o')
  if (word.endsWith('ona')) return cut(word, 3, 'ão')
  if (word.endsWith('ora')) return cut(word, 1)
  if (word.endsWith('esa')) return cut(word, 3, 'ês')
  return word.endsWith('na') ? cut(word, 1, 'o') : word
}

export function portugueseLight(given: string): string {
  if (given.length < 4) return given
  let word = portuguesePlural(given)
  if (word.length > 3 && word.endsWith('a')) word = portugueseMasculine(word)
  if (word.length > 4 && /[eao]$/.test(word)) word = cut(word, 1)
  return folded(word, portugueseLetters)
}

/** A rule of French: words longer than `over` with this ending lose `count` letters and get others. */
interface FrenchRule {
  readonly ending: string
  readonly over: number
  readonly count: number
  readonly added: string
  /** Whether further rules apply. */
  readonly continues: boolean
}

const frenchRules: readonly FrenchRule[] = `
issement 9 7 r
issant 8 5 r
ficatrice 11 7 er
ficateur 10 6 er
catrice 9 7 quer
cateur 8 6 quer
atrice 8 6 er
ateur 7 5 er
trice 6 5 teur +
ième 5 4
teuse 7 3 r
teur 6 2 r
euse 5 2
ère 8 3 er
ive 7 2 f
folle 4 3 u
molle 4 3 u
nnelle 9 5
nnel 9 3
ète 4 3 et +
ique 8 4 - +
esse 8 3
inage 7 3
`
  .trim()
  .split('\n')
  .map((line) => {
    const [ending = '', over = '', count = '', added = '', continues] = line.split(' ')
    return {
      ending,
      over: Number(over),
      count: Number(count),
      added: added === '-' ? '' : added,
      continues: continues === '+',
    }
  })

export function frenchLight(given: string): string {
  let word = given
  if (word.length > 5 && word.endsWith('aux') && word.at(-4) !== 'e') word = cut(word, 2, 'l')
  if (word.length > 3 && word.endsWith('x')) word = cut(word, 1)
  if (word.length > 3 && word.endsWith('s')) word = cut(word, 1)
  for (const { ending, over, count, added, continues } of frenchRules) {
    if (ending === 'ficatrice' && word.length > 6 && word.endsWith('ement')) {
      word = cut(word, 4)
      if (word.length > 3 && word.endsWith('ive')) word = cut(word, 2, 'f')
      return frenchNorm(word)
    }
    if (word.length <= over || !word.endsWith(ending)) continue
    word = cut(word, count, added)
    if (!continues) return frenchNorm(word)
  }
  if (word.length > 9 && word.endsWith('isation')) {
    word = cut(word, 7)
    return frenchNorm(word.length > 5 && word.endsWith('ual') ? cut(word, 2, 'el') : word)
  }
  if (word.length > 9 && word.endsWith('isateur')) return frenchNorm(cut(word, 7))
  if (word.length > 8 && /[ai]tion$/.test(word)) return frenchNorm(cut(word, 5))
  return frenchNorm(word)
}

const frenchLetters: ReadonlyMap<string, string> = new Map(
  Object.entries({ a: 'àáâ', o: 'ô', e: 'èéê', u: 'ùû', i: 'î', c: 'ç' }).flatMap(([plain, all]) =>
    [...all].map((letter): [string, string] => [letter, plain]),
  ),
)

/** Folds accents, joins doubled letters and drops the last vowels. */
function frenchNorm(given: string): string {
  let word = given
  if (word.length > 4) word = folded(word, frenchLetters).replace(/(\p{L})\1+/gu, '$1')
  if (word.length > 4 && word.endsWith('ie')) word = cut(word, 2)
  if (word.length > 4) {
    if (word.endsWith('r')) word = cut(word, 1)
    if (word.endsWith('e')) word = cut(word, 1)
    if (word.endsWith('e')) word = cut(word, 1)
    if (/(\p{L})\1$/u.test(word)) word = cut(word, 1)
  }
  return word
}
