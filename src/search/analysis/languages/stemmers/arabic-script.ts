/**
 * Stemmers of languages with Arabic letters: Arabic ("light10" of Larkey, Ballesteros and Connell), Persian, and Sorani
 * Kurdish. Words come normalised.
 */
import { linesOf, shortened } from '../ending-lines.ts'

/** Without each of the affixes in turn that the word has; two letters must be left. */
function withoutSuffixes(given: string, suffixes: readonly string[]): string {
  let word = given
  for (const suffix of suffixes)
    if (word.length >= suffix.length + 2 && word.endsWith(suffix)) word = word.slice(0, -suffix.length)
  return word
}

/** Articles, with the conjunctions and prepositions that are written together with them. */
const arabicPrefixes = 'ال وال بال كال فال لل و'.split(' ')
const arabicSuffixes = 'ها ان ات ون ين يه ية ه ة ي'.split(' ')

export function arabic(given: string): string {
  // A single letter is taken for a conjunction only if three others follow it.
  const prefix = arabicPrefixes.find(
    (start) => given.length >= start.length + (start.length === 1 ? 3 : 2) && given.startsWith(start),
  )
  return withoutSuffixes(given.slice(prefix?.length ?? 0), arabicSuffixes)
}

const persianSuffixes = [...'ات ان ترين تر يي ي ها'.split(' '), '\u200c']

export function persian(word: string): string {
  return withoutSuffixes(word, persianSuffixes)
}

/** Behind the noun and its own endings: postpositions, then possessive pronouns. */
const soraniPostpositions = linesOf(`
  5 دا
  6 ەوە
`)
const soraniPronouns = linesOf('6 مان یان تان')

/** Indefinite and definite forms, plurals and demonstratives, with and without ezafe. */
const soraniEndings = linesOf(`
  6 ێکی
  7 یەکی
  5 ێک
  6 یەک
  6 ەکە
  5 کە
  7 ەکان
  6 کان
  7 یانی
  6 انی
  6 یان
  5 ان
  7 یانە
  6 انە
`)
const soraniVowels = linesOf('4 ە ی')

function soraniNoun(word: string): string {
  const noun = shortened(word, soraniEndings)
  if (noun !== word) return noun
  // A demonstrative behind a vowel begins with a glide.
  return word.length > 5 && /[اە]یە$/.test(word) ? word.slice(0, -2) : shortened(word, soraniVowels)
}

export function sorani(given: string): string {
  // Of the postposition `na` only the vowel is one.
  const isNa = given.length > 4 && given.endsWith('نا')
  const noun = isNa ? given.slice(0, -1) : shortened(given, soraniPostpositions)
  return soraniNoun(shortened(noun, soraniPronouns))
}
