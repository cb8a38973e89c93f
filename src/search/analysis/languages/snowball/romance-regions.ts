/** The region of a verb's endings, RV, as Spanish, Italian and Portuguese have it. */
export function verbRegion(word: string, vowels: RegExp): number {
  const { length } = word
  const isVowel = (at: number) => vowels.test(word[at]!)
  if (length < 2) return length
  if (isVowel(0) === isVowel(1)) return behindNext(word, 2, vowels, !isVowel(0))
  return isVowel(0) ? behindNext(word, 2, vowels, true) : Math.min(3, length)
}

/** Behind the next vowel, or the next letter that is none. */
function behindNext(word: string, from: number, vowels: RegExp, isVowel: boolean): number {
  let at = from
  while (at < word.length && vowels.test(word[at]!) !== isVowel) at++
  return Math.min(at + 1, word.length)
}
