/**
 * Porter's stemmer of 1980 with its author's two later changes (`bli`, `logi`), for lower-case words. The measure of
 * a stem counts its vowel-consonant sequences; suffixes are removed or replaced by the measure before them.
 */

function isVowelLetter(code: number): boolean {
  return code === 97 || code === 101 || code === 105 || code === 111 || code === 117
}

const y = 121

/** A y is a vowel after a consonant; of several in a row every second one is. */
function isConsonant(word: string, index: number): boolean {
  let first = index
  while (first > 0 && word.charCodeAt(first) === y) first--
  let consonant = !isVowelLetter(word.charCodeAt(first))
  if ((index - first) % 2 === 1) consonant = !consonant
  return consonant
}

function measure(stem: string): number {
  let count = 0
  let consonantBefore = true
  for (let index = 0; index < stem.length; index++) {
    const code = stem.charCodeAt(index)
    const consonant: boolean = code === y ? index === 0 || !consonantBefore : !isVowelLetter(code)
    if (consonant && !consonantBefore) count++
    consonantBefore = consonant
  }
  return count
}

/** A y behind the first letter follows a vowel or is one. */
function hasVowel(stem: string): boolean {
  for (let index = 0; index < stem.length; index++) {
    const code = stem.charCodeAt(index)
    if (isVowelLetter(code) || (code === y && index > 0)) return true
  }
  return false
}

function endsInDouble(word: string): boolean {
  const last = word.length - 1
  return last > 0 && word[last] === word[last - 1] && isConsonant(word, last)
}

/** Consonant, vowel, consonant other than w, x, y. */
function endsInShortSyllable(word: string): boolean {
  const last = word.length - 1
  if (last < 2 || !isConsonant(word, last) || isConsonant(word, last - 1) || !isConsonant(word, last - 2))
    return false
  return !'wxy'.includes(word[last]!)
}

type Suffixes = readonly (readonly [suffix: string, replacement: string])[]

const none: Suffixes = []

/** Groups suffixes by their last letter, a to z. */
function byLastLetter(all: Suffixes): Suffixes[] {
  return Array.from({ length: 26 }, (_, letter) =>
    all.filter(([suffix]) => suffix.charCodeAt(suffix.length - 1) === letter + 97),
  )
}

function suffixesFor(word: string, table: readonly Suffixes[]): Suffixes {
  return table[word.charCodeAt(word.length - 1) - 97] ?? none
}

/** Longer suffixes come first within a letter: the first that matches is the only one tried. */
const second = byLastLetter([
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
])
const third = byLastLetter([
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
])
const fourth = byLastLetter(
  'al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize'
    .split(' ')
    .map((suffix) => [suffix, ''] as const),
)

function withoutPlural(word: string): string {
  if (!word.endsWith('s')) return word
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('ss') ? word : word.slice(0, -1)
}

function withoutParticiple(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const cut = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0
  if (cut === 0) return word
  const stem = word.slice(0, -cut)
  if (!hasVowel(stem)) return word
  if (stem.endsWith('at') || stem.endsWith('bl') || stem.endsWith('iz')) return `${stem}e`
  if (endsInDouble(stem)) return 'lsz'.includes(stem.at(-1)!) ? stem : stem.slice(0, -1)
  return measure(stem) === 1 && endsInShortSyllable(stem) ? `${stem}e` : stem
}

function replaced(word: string, table: readonly Suffixes[]): string {
  for (const [suffix, replacement] of suffixesFor(word, table)) {
    if (!word.endsWith(suffix)) continue
    const stem = word.slice(0, -suffix.length)
    return measure(stem) > 0 ? stem + replacement : word
  }
  return word
}

function withoutEnding(word: string): string {
  for (const [suffix] of suffixesFor(word, fourth)) {
    if (!word.endsWith(suffix)) continue
    const stem = word.slice(0, -suffix.length)
    if (suffix === 'ion' && !stem.endsWith('s') && !stem.endsWith('t')) continue
    return measure(stem) > 1 ? stem : word
  }
  return word
}

function tidied(word: string): string {
  let result = word
  if (result.endsWith('e')) {
    const stem = result.slice(0, -1)
    const count = measure(stem)
    if (count > 1 || (count === 1 && !endsInShortSyllable(stem))) result = stem
  }
  return result.endsWith('ll') && measure(result.slice(0, -1)) > 1 ? result.slice(0, -1) : result
}

export function porterStem(word: string): string {
  if (word.length < 3) return word
  const last = word.charCodeAt(word.length - 1)
  // Every rule is about a suffix of letters.
  if (last < 97 || last > 122) return word
  let result = withoutParticiple(withoutPlural(word))
  if (result.endsWith('y') && hasVowel(result.slice(0, -1))) result = `${result.slice(0, -1)}i`
  return tidied(withoutEnding(replaced(replaced(result, second), third)))
}
