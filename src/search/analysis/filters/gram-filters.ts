/**
 * Token filters that make several tokens of one: ngram, edge_ngram (at the position and offsets of the token), and
 * shingle (of neighbouring tokens).
 */
import { AnalysisError } from '../analysis-error.ts'
import type { TokenFilter } from '../component.ts'
import type { ComponentOptions } from '../component-options.ts'
import { TermBudget } from '../term-budget.ts'
import { type TokenBuffer, tokenType } from '../token-buffer.ts'
import type { GramSizes } from '../tokenizers/gram-tokenizers.ts'

/** Makes the grams of each term, by start and then by size; only from the first character with `edgeOnly`. */
export function gramFilter(sizes: GramSizes, edgeOnly: boolean, preserveOriginal: boolean): TokenFilter {
  const { min, max } = sizes
  const budget = new TermBudget(edgeOnly ? 'edge_ngram' : 'ngram')
  return {
    apply(tokens, spare) {
      budget.begin()
      spare.clear()
      for (let index = 0; index < tokens.length; index++) {
        const term = tokens.terms[index]!
        const places = codePointPlaces(term)
        const count = places.length - 1
        const starts = edgeOnly ? Math.min(1, count) : count
        for (let start = 0; start < starts; start++) {
          for (let size = min; size <= max && start + size <= count; size++) {
            budget.take(size)
            spare.pushFrom(tokens, index, term.slice(places[start], places[start + size]))
          }
        }
        if (preserveOriginal && (count < min || count > max)) spare.pushFrom(tokens, index)
      }
      tokens.swap(spare)
    },
  }
}

/** Returns the offsets of a term's code points, and its end. */
function codePointPlaces(term: string): number[] {
  const places: number[] = []
  for (let at = 0; at < term.length; at += term.codePointAt(at)! > 0xffff ? 2 : 1) places.push(at)
  places.push(term.length)
  return places
}

/** With `side: back` the grams start at the end. */
export function edgeGramFilter(sizes: GramSizes, side: string, preserveOriginal: boolean): TokenFilter {
  if (side !== 'front' && side !== 'back') throw new AnalysisError(`invalid side: ${side}`)
  if (side === 'front') return gramFilter(sizes, true, preserveOriginal)
  const forward = gramFilter(sizes, true, preserveOriginal)
  const reverse = (tokens: TokenBuffer): void => {
    for (let index = 0; index < tokens.length; index++)
      tokens.terms[index] = [...tokens.terms[index]!].reverse().join('')
  }
  return {
    apply(tokens, spare) {
      reverse(tokens)
      forward.apply(tokens, spare)
      reverse(tokens)
    },
  }
}

interface Word {
  term: string
  start: number
  end: number
  /** The index of the token, or -1 for a position gap. */
  index: number
}

/** Returns the tokens at positions of their own, with fillers for gaps. */
function wordsOf(tokens: TokenBuffer, filler: string, max: number): Word[] {
  const words: Word[] = []
  let last = -1
  for (let index = 0; index < tokens.length; index++) {
    const position = tokens.positions[index]!
    const start = tokens.starts[index]!
    // A long gap makes no more shingles than a gap of the shingle size.
    const holes = Math.min(position - last - 1, max)
    for (let hole = 0; hole < holes; hole++) words.push({ term: filler, start, end: start, index: -1 })
    words.push({ term: tokens.terms[index]!, start, end: tokens.ends[index]!, index })
    last = position
  }
  return words
}

export function shingle(options: ComponentOptions, maxDiff: number): TokenFilter {
  const min = options.integer('min_shingle_size', 2)
  const max = options.integer('max_shingle_size', 2)
  const unigrams = options.flag('output_unigrams', true)
  const ifNone = options.flag('output_unigrams_if_no_shingles', false)
  const separator = options.text('token_separator', ' ')
  const filler = options.text('filler_token', '_')
  const diff = max - min + (unigrams ? 1 : 0)
  if (diff > maxDiff)
    throw new AnalysisError(
      `In Shingle TokenFilter the difference between max_shingle_size and min_shingle_size (and +1 if outputting unigrams) must be less than or equal to: [${maxDiff}] but was [${diff}]. This limit can be set by changing the [index.max_shingle_diff] index level setting.`,
    )
  if (max < 2) throw new AnalysisError('Max shingle size must be >= 2')
  if (min < 2) throw new AnalysisError('Min shingle size must be >= 2')
  if (min > max) throw new AnalysisError('Min shingle size must be <= max shingle size')
  const budget = new TermBudget('shingle')
  return {
    apply(tokens, spare) {
      budget.begin()
      const words = wordsOf(tokens, filler, max)
      const trailing = tokens.length === 0 ? 0 : tokens.endPosition - 1 - tokens.positions[tokens.length - 1]!
      const alone = unigrams || (ifNone && words.length < min)
      spare.clear()
      let position = -1
      for (let first = 0; first < words.length; first++) {
        const word = words[first]!
        const before = spare.length
        if (alone && word.index >= 0) spare.pushFrom(tokens, word.index)
        if (spare.length > before) spare.positions[before] = ++position
        else position++
        for (let size = min; size <= max && first + size <= words.length; size++) {
          const part = words.slice(first, first + size)
          if (part.every(({ index }) => index < 0)) continue
          // Overlapping tokens may go back in the text; where Lucene then fails, the shingle is empty there.
          const end = Math.max(word.start, part.at(-1)!.end)
          const term = part.map((one) => one.term).join(separator)
          budget.take(term.length)
          spare.push(term, position, word.start, end, tokenType.shingle)
          spare.spans[spare.length - 1] = alone ? size : size - min + 1
        }
      }
      tokens.swap(spare)
      // Tokens that shared a position have one each now.
      if (words.length > 0) tokens.endPosition = position + 1 + trailing
    },
  }
}

/** One token of all terms, sorted and without repetitions. */
export function fingerprintFilter(separator: string, max: number): TokenFilter {
  return {
    apply(tokens, spare) {
      const terms = [...new Set(tokens.terms.slice(0, tokens.length))].sort()
      const term = terms.join(separator)
      spare.clear()
      const end = tokens.length === 0 ? 0 : tokens.ends[tokens.length - 1]!
      if (terms.length > 0 && term.length <= max) spare.push(term, 0, 0, end, tokenType.fingerprint)
      tokens.swap(spare)
      // Lucene counts the position of the fingerprint once more at the end of the text, even where there is none.
      tokens.endPosition = tokens.length + 1
    },
  }
}
