/** Stop words of settings: `_english_`, `_none_`, or a list. */
import type { ComponentOptions } from '../component-options.ts'
import { languageStopWords } from '../languages/stop-word-lists.ts'

const english =
  'a an and are as at be but by for if in into is it no not of on or such ' +
  'that the their then there these they this to was will with'

export const englishStopWords: ReadonlySet<string> = new Set(english.split(' '))

const none: ReadonlySet<string> = new Set()

/** `_english_`, `_german_` */
function namedSet(word: string): ReadonlySet<string> | undefined {
  const name = /^_([a-z]+)_$/.exec(word)?.[1]
  if (name === undefined) return undefined
  return name === 'english' ? englishStopWords : languageStopWords(name)
}

/** Returns the words of an option; names of sets may be among words. */
export function stopWords(
  options: ComponentOptions,
  option: string,
  fallback: ReadonlySet<string>,
): ReadonlySet<string> {
  const words = options.list(option)
  if (words === undefined) return fallback
  if (words.length === 1 && words[0] === '_none_') return none
  return new Set(words.flatMap((word) => [...(namedSet(word) ?? [word])]))
}
