/** Filters that put several tokens in place of one: keyword_repeat, multiplexer, common_grams, pattern_capture; and classic, delimited_payload. */
import { AnalysisError } from '../analysis-error.ts'
import type { CompileExpression, TokenFilter } from '../component.ts'
import type { ComponentOptions } from '../component-options.ts'
import { checkTermCount, TermBudget } from '../term-budget.ts'
import { TokenBuffer, tokenType } from '../token-buffer.ts'
import { toLower } from './letter-case.ts'

/** The maximum number of captures of one token, which are sorted before they become tokens. */
const maxCaptures = 256 * 1024

/** Each token twice, first as a keyword that stemmers leave alone. */
export const keywordRepeat: TokenFilter = {
  apply(tokens, spare) {
    spare.clear()
    for (let index = 0; index < tokens.length; index++) {
      spare.pushFrom(tokens, index)
      spare.keywords[spare.length - 1] = 1
      spare.pushFrom(tokens, index)
      spare.keywords[spare.length - 1] = 0
      checkTermCount('keyword_repeat', tokens.length, spare.length)
    }
    tokens.swap(spare)
  },
}

/** The token itself, then what each chain makes of it, without repetitions at one position. */
export function multiplexer(
  chains: readonly (readonly TokenFilter[])[],
  preserveOriginal: boolean,
): TokenFilter {
  const one = new TokenBuffer()
  const inner = new TokenBuffer()
  return {
    apply(tokens, spare) {
      spare.clear()
      for (let index = 0; index < tokens.length; index++) {
        const from = spare.length
        const isNew = (term: string) => !spare.terms.slice(from, spare.length).includes(term)
        if (preserveOriginal) spare.pushFrom(tokens, index)
        for (const chain of chains) {
          one.clear()
          one.pushFrom(tokens, index)
          for (const filter of chain) filter.apply(one, inner)
          for (let at = 0; at < one.length; at++) if (isNew(one.terms[at]!)) spare.pushFrom(one, at)
          checkTermCount('multiplexer', tokens.length, spare.length)
        }
      }
      tokens.swap(spare)
    },
  }
}

/** Pairs of words of which one is common, beside the words or, for queries, instead of them. */
export function commonGrams(options: ComponentOptions): TokenFilter {
  const ignoreCase = options.flag('ignore_case', false)
  const forQueries = options.flag('query_mode', false)
  const listed = options.list('common_words') ?? []
  if (listed.length === 0)
    throw new AnalysisError(
      'missing or empty [common_words] or [common_words_path] configuration for common_grams token filter',
    )
  const words = new Set(ignoreCase ? listed.map(toLower) : listed)
  const isCommon = (term: string) => words.has(ignoreCase ? toLower(term) : term)
  return {
    apply(tokens, spare) {
      spare.clear()
      let wasGram = false
      for (let index = 0; index < tokens.length; index++) {
        const term = tokens.terms[index]!
        const next = index + 1 < tokens.length ? tokens.terms[index + 1]! : undefined
        const isPair = next !== undefined && (isCommon(term) || isCommon(next))
        // In queries a pair takes the place of its words, and the last word of pairs stays only when it is no part of one.
        const isLeftOut = forQueries && (isPair || (wasGram && index === tokens.length - 1))
        if (!isLeftOut) spare.pushFrom(tokens, index)
        if (isPair) {
          spare.push(
            `${term}_${next}`,
            tokens.positions[index]!,
            tokens.starts[index]!,
            tokens.ends[index + 1]!,
            tokenType.gram,
          )
          spare.spans[spare.length - 1] = forQueries ? 1 : 2
        }
        wasGram = isPair
      }
      tokens.swap(spare)
    },
  }
}

/** What the groups of patterns capture, at the place of the token, the leftmost first. */
export function patternCapture(options: ComponentOptions, compile: CompileExpression): TokenFilter {
  const patterns = options.list('patterns')
  if (patterns === undefined)
    throw new AnalysisError("required setting 'patterns' is missing for token filter [pattern_capture]")
  const expressions = patterns.map((pattern) => compile(pattern, []))
  const budget = new TermBudget('pattern_capture', undefined, maxCaptures)
  const preserveOriginal = options.flag('preserve_original', true)
  return {
    apply(tokens, spare) {
      spare.clear()
      for (let index = 0; index < tokens.length; index++) {
        const term = tokens.terms[index]!
        const captured: { text: string; at: number; pattern: number }[] = []
        budget.begin()
        for (const [pattern, expression] of expressions.entries())
          for (const { index: start, groups } of expression.matchAll(term))
            for (const text of groups.slice(1))
              if (text !== undefined && text !== '' && !(preserveOriginal && text === term)) {
                budget.take(text.length)
                captured.push({ text, at: start + Math.max(0, (groups[0] ?? '').indexOf(text)), pattern })
              }
        captured.sort((one, other) => one.at - other.at || one.pattern - other.pattern)
        if (preserveOriginal || captured.length === 0) spare.pushFrom(tokens, index)
        for (const { text } of captured) spare.pushFrom(tokens, index, text)
        checkTermCount('pattern_capture', tokens.length, spare.length)
      }
      tokens.swap(spare)
    },
  }
}

/** Takes `'s` off words with an apostrophe, and the dots out of acronyms. */
export const classicFilter: TokenFilter = {
  apply(tokens) {
    for (let index = 0; index < tokens.length; index++) {
      const term = tokens.terms[index]!
      if (tokens.types[index] === tokenType.apostrophe && /'[sS]$/.test(term))
        tokens.terms[index] = term.slice(0, -2)
      else if (tokens.types[index] === tokenType.acronym) tokens.terms[index] = term.replaceAll('.', '')
    }
  },
}

/** Cuts off what follows the last delimiter; payloads are not kept. */
export function delimitedPayload(options: ComponentOptions): TokenFilter {
  const delimiter = options.text('delimiter', '|')
  if (delimiter.length !== 1) throw new AnalysisError('delimiter must be a one char value')
  return {
    apply(tokens) {
      for (let index = 0; index < tokens.length; index++) {
        const at = tokens.terms[index]!.lastIndexOf(delimiter)
        if (at >= 0) tokens.terms[index] = tokens.terms[index]!.slice(0, at)
      }
    },
  }
}
