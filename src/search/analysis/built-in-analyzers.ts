/** The built-in analyzers by type; settings may adjust them. */
import { type Analyzer, chainAnalyzer, standardAnalyzer } from './analyzer.ts'
import type { TokenFilter } from './component.ts'
import type { ComponentOptions } from './component-options.ts'
import { keywordMarker, stopFilter } from './filters/selecting-filters.ts'
import { englishStopWords, stopWords } from './filters/stop-words.ts'
import { lowercase, porter, possessive } from './filters/term-filters.ts'
import {
  charTokenizer,
  isLetter,
  isWhitespace,
  keywordTokenizer,
  maxTokenLength,
} from './tokenizers/char-tokenizers.ts'
import { standardTokens } from './tokenizers/standard-tokenizer.ts'
import { type AnalysisContext, patternTokenizerFor } from './tokenizers/tokenizers.ts'

type MakeAnalyzer = (options: ComponentOptions, context: AnalysisContext) => Analyzer

const none: ReadonlySet<string> = new Set()

const pattern: MakeAnalyzer = (options, context) => {
  const filters: TokenFilter[] = []
  if (options.flag('lowercase', true)) filters.push(lowercase)
  const words = stopWords(options, 'stopwords', none)
  if (words.size > 0) filters.push(stopFilter(words))
  return chainAnalyzer({ tokenizer: patternTokenizerFor(options, context), filters })
}

const english: MakeAnalyzer = (options) => {
  const filters = [possessive, lowercase, stopFilter(stopWords(options, 'stopwords', englishStopWords))]
  if (options.has('stem_exclusion')) {
    const kept = { keywords: options.list('stem_exclusion') }
    filters.push(keywordMarker(options.with(kept)))
  }
  filters.push(porter)
  return chainAnalyzer({
    tokenizer: (text, out) => standardTokens(text, text, out),
    filters,
    isCuttable: true,
  })
}

const stop: MakeAnalyzer = (options) =>
  chainAnalyzer({
    tokenizer: charTokenizer(isLetter, undefined, true),
    filters: [lowercase, stopFilter(stopWords(options, 'stopwords', englishStopWords))],
    isCuttable: true,
  })

export const builtInAnalyzers: ReadonlyMap<string, MakeAnalyzer> = new Map<string, MakeAnalyzer>([
  ['standard', (options) => standardAnalyzer(stopWords(options, 'stopwords', none), maxTokenLength(options))],
  // The filter only applies to terms that are not tokenized.
  [
    'simple',
    () =>
      chainAnalyzer({
        tokenizer: charTokenizer(isLetter, undefined, true),
        filters: [lowercase],
        isCuttable: true,
      }),
  ],
  [
    'whitespace',
    () => chainAnalyzer({ tokenizer: charTokenizer((code) => !isWhitespace(code)), isCuttable: true }),
  ],
  ['keyword', () => chainAnalyzer({ tokenizer: keywordTokenizer })],
  ['stop', stop],
  ['pattern', pattern],
  ['english', english],
])
