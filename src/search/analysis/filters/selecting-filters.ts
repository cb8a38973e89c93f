/**
 * Token filters that drop or mark tokens: stop, length, unique, keep, keep_types, limit, keyword_marker,
 * stemmer_override. A dropped token leaves a position gap.
 */
import { AnalysisError } from '../analysis-error.ts'
import type { TokenFilter } from '../component.ts'
import type { ComponentOptions } from '../component-options.ts'
import { type TokenBuffer, tokenTypes } from '../token-buffer.ts'
import { toLower } from './letter-case.ts'
import { englishStopWords, stopWords } from './stop-words.ts'

/** Keeps the tokens that pass, in place. */
function retain(tokens: TokenBuffer, passes: (index: number) => boolean): void {
  let kept = 0
  for (let index = 0; index < tokens.length; index++) if (passes(index)) tokens.move(index, kept++)
  tokens.length = kept
}

export function stopFilter(
  words: ReadonlySet<string>,
  ignoreCase = false,
  removeTrailing = true,
): TokenFilter {
  const set = ignoreCase ? new Set([...words].map(toLower)) : words
  return {
    apply(tokens) {
      const last = tokens.length - 1
      retain(tokens, (index) => {
        if (!removeTrailing && index === last) return true
        const term = tokens.terms[index]!
        return !set.has(ignoreCase ? toLower(term) : term)
      })
    },
  }
}

export function stop(options: ComponentOptions): TokenFilter {
  return stopFilter(
    stopWords(options, 'stopwords', englishStopWords),
    options.flag('ignore_case', false),
    options.flag('remove_trailing', true),
  )
}

export function length(options: ComponentOptions): TokenFilter {
  const min = options.integer('min', 0)
  const max = options.integer('max', 2_147_483_647)
  if (min < 0) throw new AnalysisError('minimum length must be greater than or equal to zero')
  if (min > max) throw new AnalysisError('maximum length must not be greater than minimum length')
  return {
    apply: (tokens) =>
      retain(tokens, (index) => {
        const size = tokens.terms[index]!.length
        return size >= min && size <= max
      }),
  }
}

export function unique(options: ComponentOptions): TokenFilter {
  return uniqueTerms(options.flag('only_on_same_position', false))
}

/** Drops repeated terms. Unlike other filters it closes the gaps: later tokens move up. */
export function uniqueTerms(onlyOnSamePosition: boolean): TokenFilter {
  return {
    apply(tokens) {
      const { positions } = tokens
      const seen = new Set<string>()
      let last = -1
      let moved = 0
      retain(tokens, (index) => {
        const position = positions[index]!
        const step = position - last
        last = position
        if (onlyOnSamePosition && step > 0) seen.clear()
        const term = tokens.terms[index]!
        if (seen.has(term)) {
          moved += step
          return false
        }
        seen.add(term)
        positions[index] = position - moved
        return true
      })
      tokens.endPosition -= moved
    },
  }
}

export function keep(options: ComponentOptions): TokenFilter {
  const ignoreCase = options.flag('keep_words_case', false)
  const listed = options.list('keep_words')
  if (listed === undefined)
    throw new AnalysisError('keep requires either `keep_words` or `keep_words_path` to be configured')
  const words = new Set(ignoreCase ? listed.map(toLower) : listed)
  return {
    apply: (tokens) =>
      retain(tokens, (index) => {
        const term = tokens.terms[index]!
        return words.has(ignoreCase ? toLower(term) : term)
      }),
  }
}

export function keepTypes(options: ComponentOptions): TokenFilter {
  const types = new Set(options.list('types') ?? [])
  if (types.size === 0) throw new AnalysisError('keep_types requires `types` to be configured')
  const mode = options.text('mode', 'include').toLowerCase()
  if (mode !== 'include' && mode !== 'exclude')
    throw new AnalysisError(
      `\`keep_types\` tokenfilter mode can only be [include] or [exclude] but was [${mode}].`,
    )
  return {
    apply: (tokens) =>
      retain(tokens, (index) => types.has(tokenTypes[tokens.types[index]!]!) === (mode === 'include')),
  }
}

export function limit(options: ComponentOptions): TokenFilter {
  const max = options.integer('max_token_count', 1)
  return {
    apply(tokens) {
      tokens.length = Math.min(tokens.length, max)
    },
  }
}

export function keywordMarker(options: ComponentOptions): TokenFilter {
  const ignoreCase = options.flag('ignore_case', false)
  const listed = options.list('keywords') ?? []
  const words = new Set(ignoreCase ? listed.map(toLower) : listed)
  return {
    apply(tokens) {
      for (let index = 0; index < tokens.length; index++) {
        const term = tokens.terms[index]!
        if (words.has(ignoreCase ? toLower(term) : term)) tokens.keywords[index] = 1
      }
    },
  }
}

export function stemmerOverride(options: ComponentOptions): TokenFilter {
  const stems = new Map<string, string>()
  for (const rule of options.lines('rules') ?? []) {
    const [words, stem, ...more] = rule.split('=>').map((part) => part.trim())
    if (!words || !stem || more.length > 0) throw new AnalysisError(`Invalid Keyword override Rule:${rule}`)
    for (const word of words.split(',')) stems.set(word.trim(), stem)
  }
  return {
    apply(tokens) {
      for (let index = 0; index < tokens.length; index++) {
        const stem = stems.get(tokens.terms[index]!)
        if (stem === undefined) continue
        tokens.terms[index] = stem
        tokens.keywords[index] = 1
      }
    },
  }
}
