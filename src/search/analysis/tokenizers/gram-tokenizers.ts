/**
 * The ngram and edge_ngram tokenizers: grams of `min_gram` to `max_gram` code points of each run of characters in
 * `token_chars` (all characters when none are named).
 */
import { AnalysisError } from '../analysis-error.ts'
import type { Tokenizer } from '../component.ts'
import type { ComponentOptions } from '../component-options.ts'
import { TermBudget } from '../term-budget.ts'
import { tokenType } from '../token-buffer.ts'
import { characterClasses, isWhitespace } from './char-tokenizers.ts'

export interface GramSizes {
  min: number
  max: number
}

/** Reads sizes; `diff` is the maximum difference, and `place` the setting that limits it. */
export function gramSizes(options: ComponentOptions, diff: number, place: string): GramSizes {
  const min = options.integer('min_gram', 1)
  const max = options.integer('max_gram', 2)
  if (min < 1) throw new AnalysisError('minGram must be greater than zero')
  if (min > max) throw new AnalysisError('minGram must not be greater than maxGram')
  if (max - min > diff)
    throw new AnalysisError(
      `The difference between max_gram and min_gram in ${place} must be less than or equal to: [${diff}] but was [${max - min}]. This limit can be set by changing the [index.max_ngram_diff] index level setting.`,
    )
  return { min, max }
}

function tokenChars(options: ComponentOptions): (code: number) => boolean {
  const tests: ((code: number) => boolean)[] = []
  for (const name of options.list('token_chars') ?? []) {
    const kind = name.trim().toLowerCase()
    const named = Object.hasOwn(characterClasses, kind) ? characterClasses[kind] : undefined
    if (kind === 'whitespace') tests.push(isWhitespace)
    else if (named !== undefined) tests.push((code) => named.test(String.fromCodePoint(code)))
    else if (kind === 'custom') {
      const characters = new Set(
        [...options.text('custom_token_chars', '')].map((one) => one.codePointAt(0)!),
      )
      tests.push((code) => characters.has(code))
    } else
      throw new AnalysisError(
        `Unknown token type: '${name.toLowerCase()}', must be one of [custom, digit, letter, punctuation, symbol, whitespace]`,
      )
  }
  return tests.length === 0 ? () => true : (code) => tests.some((test) => test(code))
}

/** Returns the offsets of the code points from `from` as far as they pass, and the end of the last. */
function runFrom(text: string, from: number, belongs: (code: number) => boolean): number[] {
  const places = [from]
  let index = from
  while (index < text.length) {
    const code = text.codePointAt(index)!
    if (!belongs(code)) break
    index += code > 0xffff ? 2 : 1
    places.push(index)
  }
  return places
}

export function gramTokenizer(options: ComponentOptions, sizes: GramSizes, edgeOnly: boolean): Tokenizer {
  const belongs = tokenChars(options)
  const budget = new TermBudget(edgeOnly ? 'edge_ngram' : 'ngram')
  return (text, out) => {
    budget.begin()
    let position = 0
    let index = 0
    while (index < text.length) {
      const places = runFrom(text, index, belongs)
      const starts = edgeOnly ? Math.min(1, places.length - 1) : places.length - 1
      for (let start = 0; start < starts; start++) {
        for (let size = sizes.min; size <= sizes.max && start + size < places.length; size++) {
          const from = places[start]!
          const to = places[start + size]!
          budget.take(to - from)
          out.push(text.slice(from, to), position++, from, to, tokenType.word)
        }
      }
      index = places.at(-1)!
      if (index < text.length) index += text.codePointAt(index)! > 0xffff ? 2 : 1
    }
    out.endPosition = position
  }
}
