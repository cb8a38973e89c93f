/**
 * An analyzer: a chain of character filters, a tokenizer and token filters, built once. `analyze` fills a reused
 * buffer; only the terms are allocated per text.
 */

import { OffsetMap } from './char-filters/offset-map.ts'
import type { CharFilter, TokenFilter, Tokenizer } from './component.ts'
import { toLower } from './filters/letter-case.ts'
import { stopFilter } from './filters/selecting-filters.ts'
import { type Token, TokenBuffer } from './token-buffer.ts'
import { defaultMaxTokenLength, standardTokens } from './tokenizers/standard-tokenizer.ts'

export interface Analyzer {
  /** `position_increment_gap`. */
  readonly positionGap: number
  /** Clears `out` and fills it with the tokens of a text. */
  analyze(text: string, out: TokenBuffer): void
  /** Normalises a term that is not tokenized: a wildcard, a prefix, a keyword. */
  normalize(term: string): string
  /** True for the standard analyzer without settings, which `standard-bytes.ts` can replace. */
  readonly isPlainStandard?: boolean
  /** True when a text may be split before blanks and its chunks analysed one after the other. */
  readonly isCuttable?: boolean
}

/** An analyzer of named components; in stages only one text at a time. */
export interface ChainAnalyzer extends Analyzer {
  /** Like `analyze`: yields when `out` holds the tokens of the tokenizer, and again behind each filter. */
  analyzeInStages(text: string, out: TokenBuffer): Generator<void, void, void>
  /** The text behind each character filter. */
  filterInStages(text: string): Generator<string, void, void>
}

interface Chain {
  readonly charFilters?: readonly CharFilter[]
  readonly tokenizer: Tokenizer
  readonly filters?: readonly TokenFilter[]
  readonly positionGap?: number | undefined
  readonly isCuttable?: boolean
}

export const defaultPositionGap = 100

export function chainAnalyzer(chain: Chain): ChainAnalyzer {
  const { charFilters = [], tokenizer, filters = [] } = chain
  const spare = new TokenBuffer()
  const maps = charFilters.map(() => new OffsetMap())
  // Only filters that change single terms take part.
  const normalizers = filters.filter(({ normalize }) => normalize !== undefined)
  const filtered = (text: string): string => {
    let result = text
    charFilters.forEach((filter, index) => {
      maps[index]!.clear()
      result = filter.apply(result, maps[index]!)
    })
    return result
  }
  const tokenize = (text: string, out: TokenBuffer): void => {
    out.clear()
    if (charFilters.length === 0) {
      tokenizer(text, out)
      return
    }
    tokenizer(filtered(text), out)
    for (let index = maps.length - 1; index >= 0; index--) {
      const map = maps[index]!
      for (let token = 0; token < out.length; token++) {
        out.starts[token] = map.original(out.starts[token]!)
        out.ends[token] = map.original(out.ends[token]!)
      }
    }
  }
  return {
    positionGap: chain.positionGap ?? defaultPositionGap,
    isCuttable: chain.isCuttable ?? false,
    analyze(text, out) {
      tokenize(text, out)
      for (const filter of filters) filter.apply(out, spare)
    },
    *analyzeInStages(text, out) {
      tokenize(text, out)
      yield
      for (const filter of filters) {
        filter.apply(out, spare)
        yield
      }
    },
    *filterInStages(text) {
      let result = text
      for (const filter of charFilters) {
        result = filter.apply(result, new OffsetMap())
        yield result
      }
    },
    normalize(term) {
      let result = filtered(term)
      for (const filter of normalizers) result = filter.normalize!(result)
      return result
    },
  }
}

/** The standard analyzer: tokenizer and lower-casing in one pass, then stop words if any. */
export function standardAnalyzer(
  stopWords: ReadonlySet<string> = new Set(),
  maxLength = defaultMaxTokenLength,
): Analyzer {
  const stop = stopWords.size === 0 ? undefined : stopFilter(stopWords)
  const spare = new TokenBuffer()
  return {
    positionGap: defaultPositionGap,
    analyze(text, out) {
      out.clear()
      standardTokens(text, toLower(text), out, maxLength)
      stop?.apply(out, spare)
    },
    normalize: toLower,
    isCuttable: true,
    isPlainStandard: stopWords.size === 0 && maxLength === defaultMaxTokenLength,
  }
}

/** Returns the tokens of a text as objects, as `_analyze` prints them. */
export function tokensOf(analyzer: Analyzer, text: string): Token[] {
  const out = new TokenBuffer()
  analyzer.analyze(text, out)
  return out.tokens()
}
