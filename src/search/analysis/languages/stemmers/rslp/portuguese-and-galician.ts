/** The stemmers `portuguese_rslp` and `galician`, and the minimal ones, which only know plurals. */
import { galicianRules } from './galician-rules.ts'
import { portugueseRules } from './portuguese-rules.ts'
import { stepOf } from './rslp.ts'

/** Plain letters, each with its accented ones behind it. */
function withoutAccents(letters: string): (word: string) => string {
  const plain = new Map(
    letters
      .split(' ')
      .flatMap(([to = '', ...accented]) => accented.map((letter): [string, string] => [letter, to])),
  )
  return (word) => word.replace(/[à-ÿ]/g, (letter) => plain.get(letter) ?? letter)
}

const plainPortuguese = withoutAccents('aàáâãäå cç eèéêë iìíîï nñ oòóôõö uùúûü yýÿ')
const plainGalician = withoutAccents('aá eéê ií oó uú')

const portuguesePlural = stepOf(portugueseRules.plural)
const portugueseAdverb = stepOf(portugueseRules.adverb)
const portugueseFeminine = stepOf(portugueseRules.feminine)
const portugueseAugmentative = stepOf(portugueseRules.augmentative)
const portugueseNoun = stepOf(portugueseRules.noun)
const portugueseVerb = stepOf(portugueseRules.verb)
const portugueseVowel = stepOf(portugueseRules.vowel)

export function portugueseRslp(given: string): string {
  const word = portugueseAugmentative(portugueseFeminine(portugueseAdverb(portuguesePlural(given))))
  let stem = portugueseNoun(word)
  if (stem === word) stem = portugueseVerb(word)
  if (stem === word) stem = portugueseVowel(word)
  return plainPortuguese(stem)
}

export function portugueseMinimal(word: string): string {
  return portuguesePlural(word)
}

const galicianPlural = stepOf(galicianRules.plural)
const galicianUnification = stepOf(galicianRules.unification)
const galicianAdverb = stepOf(galicianRules.adverb)
const galicianAugmentative = stepOf(galicianRules.augmentative)
const galicianNoun = stepOf(galicianRules.noun)
const galicianVerb = stepOf(galicianRules.verb)
const galicianVowel = stepOf(galicianRules.vowel)

export function galician(given: string): string {
  let word = galicianAdverb(galicianUnification(galicianPlural(given)))
  // A word may have several augmentatives and diminutives.
  for (let shorter = galicianAugmentative(word); shorter !== word; shorter = galicianAugmentative(word))
    word = shorter
  const noun = galicianNoun(word)
  return plainGalician(galicianVowel(noun === word ? galicianVerb(word) : noun))
}

export function galicianMinimal(word: string): string {
  return galicianPlural(word)
}
