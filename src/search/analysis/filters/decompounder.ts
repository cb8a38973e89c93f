/** The filter `dictionary_decompounder`: behind a compound word come, at its place, the words of a list that it has inside. */
import { AnalysisError } from '../analysis-error.ts'
import type { TokenFilter } from '../component.ts'
import type { ComponentOptions } from '../component-options.ts'
import { TermBudget } from '../term-budget.ts'

function size(options: ComponentOptions, option: string, fallback: number): number {
  const value = options.integer(option, fallback)
  if (value < 0) throw new AnalysisError(`${option} cannot be negative`)
  return value
}

export function dictionaryDecompounder(options: ComponentOptions): TokenFilter {
  const listed = options.list('word_list')
  if (listed === undefined)
    throw new AnalysisError(
      `word_list must be provided for [${options.name}], either as a path to a file, or directly`,
    )
  const words = new Set(listed)
  const minWordSize = size(options, 'min_word_size', 5)
  const minSize = Math.max(1, size(options, 'min_subword_size', 2))
  // No longer piece can be a word.
  const maxSize = Math.min(
    size(options, 'max_subword_size', 15),
    listed.reduce((longest, word) => Math.max(longest, word.length), 0),
  )
  const budget = new TermBudget('dictionary_decompounder')
  const onlyLongest = options.flag('only_longest_match', false)
  return {
    apply(tokens, spare) {
      spare.clear()
      budget.begin()
      const add = (index: number, part: string): void => {
        budget.take(part.length)
        spare.pushFrom(tokens, index, part)
      }
      for (let index = 0; index < tokens.length; index++) {
        spare.pushFrom(tokens, index)
        const term = tokens.terms[index]!
        if (term.length < minWordSize) continue
        for (let at = 0; at + minSize <= term.length; at++) {
          let longest = ''
          const limit = Math.min(maxSize, term.length - at)
          for (let length = minSize; length <= limit; length++) {
            const part = term.slice(at, at + length)
            if (!words.has(part)) continue
            if (onlyLongest) longest = part
            else add(index, part)
          }
          if (longest === '') continue
          add(index, longest)
          // The letters of the longest word do not begin others.
          at += longest.length - 1
        }
      }
      tokens.swap(spare)
    },
  }
}
