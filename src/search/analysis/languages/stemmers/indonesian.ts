/**
 * The stemmer of Indonesian, after Tala, "A study of stemming effects on information retrieval in Bahasa Indonesia":
 * particles and possessive pronouns go, then prefixes and suffixes of derivation. Two syllables stay, and some prefixes
 * never come with some suffixes.
 */

/** What a word was, and which of the prefixes it had. */
interface State {
  word: string
  syllables: number
  readonly prefixes: Set<string>
}

const maxKeptSyllables = 2

function cutEnd(state: State, endings: RegExp): void {
  const shorter = state.word.replace(endings, '')
  if (shorter === state.word) return
  state.word = shorter
  state.syllables--
}

/** Each with what it is taken for; before vowels some stand for a consonant too. */
const firstPrefixes: readonly (readonly [prefix: RegExp, kind: string, added: string])[] = [
  [/^meng/, 'meng', ''],
  [/^meny(?=[aeiou])/, 'meng', 's'],
  [/^me[nm]?/, 'meng', ''],
  [/^peng/, 'peng', ''],
  [/^peny(?=[aeiou])/, 'peng', 's'],
  [/^peny/, 'peng', ''],
  [/^pen(?=[aeiou])/, 'peng', 't'],
  [/^pe[nm]/, 'peng', ''],
  [/^di/, 'di', ''],
  [/^ter/, 'ter', ''],
  [/^ke/, 'ke', ''],
]

const secondPrefixes: readonly (readonly [prefix: RegExp, kind: string, added: string])[] = [
  [/^ber/, 'ber', ''],
  [/^bel(?=ajar$)/, 'ber', ''],
  [/^be(?=[^aeiou]er)/, 'ber', ''],
  [/^per/, 'per', ''],
  [/^pel(?=ajar$)/, 'per', ''],
  [/^pe/, 'pe', ''],
]

function cutPrefix(state: State, prefixes: typeof firstPrefixes): boolean {
  if (state.syllables <= maxKeptSyllables) return false
  const found = prefixes.find(([prefix]) => prefix.test(state.word))
  if (found === undefined) return false
  const [prefix, kind, added] = found
  state.word = state.word.replace(prefix, added)
  state.syllables--
  state.prefixes.add(kind)
  return true
}

/** Suffixes, and the prefixes that they never come with. */
const suffixes: readonly (readonly [suffix: RegExp, excluded: readonly string[]])[] = [
  [/kan$/, ['ke', 'peng', 'pe']],
  [/an$/, ['di', 'meng', 'ter']],
  [/(?<!s)i$/, ['ber', 'ke', 'peng']],
]

function cutSuffix(state: State): boolean {
  if (state.syllables <= maxKeptSyllables) return false
  const found = suffixes.find(
    ([suffix, excluded]) => suffix.test(state.word) && !excluded.some((kind) => state.prefixes.has(kind)),
  )
  if (found === undefined) return false
  cutEnd(state, found[0])
  return true
}

function cutDerivation(state: State): void {
  if (cutPrefix(state, firstPrefixes)) {
    if (cutSuffix(state)) cutPrefix(state, secondPrefixes)
  } else {
    cutPrefix(state, secondPrefixes)
    cutSuffix(state)
  }
}

export function indonesian(word: string): string {
  const state: State = { word, syllables: word.match(/[aeiou]/g)?.length ?? 0, prefixes: new Set() }
  if (state.syllables > maxKeptSyllables) cutEnd(state, /(?:[kl]ah|pun)$/)
  if (state.syllables > maxKeptSyllables) cutEnd(state, /(?:ku|mu|nya)$/)
  cutDerivation(state)
  return state.word
}
