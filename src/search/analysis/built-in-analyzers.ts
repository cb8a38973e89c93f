/** The built-in analyzers by type; settings may adjust them. */
import { type Analyzer, chainAnalyzer, standardAnalyzer } from './analyzer.ts'
import type { TokenFilter } from './component.ts'
import { ComponentOptions } from './component-options.ts'
import { cjkBigram } from './filters/cjk-bigram.ts'
import { fingerprintFilter } from './filters/gram-filters.ts'
import { greekLowercase, irishLowercase, turkishLowercase } from './filters/language-lower-case.ts'
import { keywordMarker, stemmerOverride, stopFilter } from './filters/selecting-filters.ts'
import { stemmerOf } from './filters/stemmer-filters.ts'
import { englishStopWords, stopWords } from './filters/stop-words.ts'
import {
  apostrophe,
  asciifolding,
  decimalDigit,
  elision,
  lowercase,
  porter,
  possessive,
} from './filters/term-filters.ts'
import { bengaliNormalization } from './languages/indic/bengali-normalization.ts'
import { hindiNormalization } from './languages/indic/hindi-normalization.ts'
import { indicNormalization } from './languages/indic/indic-normalization.ts'
import {
  arabicNormalization,
  cjkWidth,
  germanNormalization,
  persianNormalization,
  romanianNormalization,
  serbianNormalization,
  soraniNormalization,
} from './languages/normalization.ts'
import { languageStopWords } from './languages/stop-word-lists.ts'
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

/** Articles before an apostrophe. */
const frenchArticles = 'l m t qu n s j d c jusqu quoiqu lorsqu puisqu'
const italianArticles = 'c l all dall dell nell sull coll pell gl agl dagl degl negl sugl un m t s v d'
const catalanArticles = 'd l m n s t'
const irishArticles = 'd m b'

/** Letters that a hyphen sets before an Irish word. */
const irishPrefixes = stopFilter(new Set(['h', 'n', 't']), true)

/** Words whose Dutch stems are given. */
const dutchStems = 'fiets => fiets, bromfiets => bromfiets, ei => eier, kind => kinder'

/**
 * The analyzer of a language: filters before its stop words, and those behind them; `stem_exclusion` comes between, or
 * behind the filters that are given last.
 */
function language(
  name: string,
  before: readonly TokenFilter[],
  after: readonly TokenFilter[],
  beforeExclusion: readonly TokenFilter[] = [],
): MakeAnalyzer {
  return (options) => {
    const words = stopWords(options, 'stopwords', languageStopWords(name) ?? none)
    const filters = [...before, stopFilter(words), ...beforeExclusion]
    if (options.has('stem_exclusion'))
      filters.push(keywordMarker(options.with({ keywords: options.list('stem_exclusion') })))
    return chainAnalyzer({
      tokenizer: (text, out) => standardTokens(text, text, out),
      filters: [...filters, ...after],
      isCuttable: true,
    })
  }
}

/** Analyzers of Hindi and Bengali: `stem_exclusion` comes before spellings are normalised, stop words behind. */
function indian(name: string, normalization: TokenFilter): MakeAnalyzer {
  return (options) => {
    const words = stopWords(options, 'stopwords', languageStopWords(name) ?? none)
    const kept = keywordMarker(options.with({ keywords: options.list('stem_exclusion') ?? [] }))
    return chainAnalyzer({
      tokenizer: (text, out) => standardTokens(text, text, out),
      filters: [
        lowercase,
        decimalDigit,
        kept,
        indicNormalization,
        normalization,
        stopFilter(words),
        stemmerOf(name),
      ],
      isCuttable: true,
    })
  }
}

/** Parts of Persian words that a zero-width non-joiner separates are tokens. */
const persian: MakeAnalyzer = (options) => {
  const words = stopWords(options, 'stopwords', languageStopWords('persian') ?? none)
  const kept = keywordMarker(options.with({ keywords: options.list('stem_exclusion') ?? [] }))
  return chainAnalyzer({
    tokenizer: (text, out) => {
      const spaced = text.replaceAll('\u200c', ' ')
      standardTokens(spaced, spaced, out)
    },
    filters: [
      lowercase,
      decimalDigit,
      arabicNormalization,
      persianNormalization,
      stopFilter(words),
      kept,
      stemmerOf('persian'),
    ],
    isCuttable: true,
  })
}

function articles(words: string): TokenFilter {
  return elision(new ComponentOptions('elision', { articles: words.split(' '), articles_case: true }))
}

const dutchOverride = stemmerOverride(new ComponentOptions('stems', { rules: dutchStems.split(', ') }))

const fingerprint: MakeAnalyzer = (options) => {
  const words = stopWords(options, 'stopwords', none)
  return chainAnalyzer({
    tokenizer: (text, out) => standardTokens(text, text, out),
    filters: [
      lowercase,
      asciifolding(new ComponentOptions('asciifolding', {})),
      ...(words.size > 0 ? [stopFilter(words)] : []),
      fingerprintFilter(options.text('separator', ' '), options.integer('max_output_size', 255)),
    ],
  })
}

const cjk: MakeAnalyzer = (options) =>
  chainAnalyzer({
    tokenizer: (text, out) => standardTokens(text, text, out),
    filters: [
      cjkWidth,
      lowercase,
      cjkBigram(new ComponentOptions('cjk_bigram', {})),
      stopFilter(stopWords(options, 'stopwords', languageStopWords('cjk') ?? none)),
    ],
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
  ['german', language('german', [lowercase], [germanNormalization, stemmerOf('light_german')])],
  ['french', language('french', [articles(frenchArticles), lowercase], [stemmerOf('light_french')])],
  ['spanish', language('spanish', [lowercase], [stemmerOf('light_spanish')])],
  ['italian', language('italian', [articles(italianArticles), lowercase], [stemmerOf('light_italian')])],
  ['portuguese', language('portuguese', [lowercase], [stemmerOf('light_portuguese')])],
  ['dutch', language('dutch', [lowercase], [dutchOverride, stemmerOf('dutch')])],
  ['russian', language('russian', [lowercase], [stemmerOf('russian')])],
  ['swedish', language('swedish', [lowercase], [stemmerOf('swedish')])],
  ['danish', language('danish', [lowercase], [stemmerOf('danish')])],
  ['norwegian', language('norwegian', [lowercase], [stemmerOf('norwegian')])],
  ['finnish', language('finnish', [lowercase], [stemmerOf('finnish')])],
  ['hungarian', language('hungarian', [lowercase], [stemmerOf('hungarian')])],
  ['armenian', language('armenian', [lowercase], [stemmerOf('armenian')])],
  ['basque', language('basque', [lowercase], [stemmerOf('basque')])],
  ['catalan', language('catalan', [articles(catalanArticles), lowercase], [stemmerOf('catalan')])],
  ['estonian', language('estonian', [lowercase], [stemmerOf('estonian')])],
  [
    'irish',
    language('irish', [irishPrefixes, articles(irishArticles), irishLowercase], [stemmerOf('irish')]),
  ],
  ['lithuanian', language('lithuanian', [lowercase], [stemmerOf('lithuanian')])],
  ['romanian', language('romanian', [lowercase], [stemmerOf('romanian')], [romanianNormalization])],
  ['turkish', language('turkish', [apostrophe, turkishLowercase], [stemmerOf('turkish')])],
  ['arabic', language('arabic', [lowercase, decimalDigit], [stemmerOf('arabic')], [arabicNormalization])],
  ['bengali', indian('bengali', bengaliNormalization)],
  ['brazilian', language('brazilian', [lowercase], [stemmerOf('brazilian')])],
  ['bulgarian', language('bulgarian', [lowercase], [stemmerOf('bulgarian')])],
  ['czech', language('czech', [lowercase], [stemmerOf('czech')])],
  ['greek', language('greek', [greekLowercase], [stemmerOf('greek')])],
  ['hindi', indian('hindi', hindiNormalization)],
  ['galician', language('galician', [lowercase], [stemmerOf('galician')])],
  ['indonesian', language('indonesian', [lowercase], [stemmerOf('indonesian')])],
  ['latvian', language('latvian', [lowercase], [stemmerOf('latvian')])],
  ['persian', persian],
  // Letters lose their marks behind the stemmer, and not in terms that are not tokenized.
  [
    'serbian',
    language('serbian', [lowercase], [stemmerOf('serbian'), { apply: serbianNormalization.apply }]),
  ],
  ['sorani', language('sorani', [soraniNormalization, lowercase, decimalDigit], [stemmerOf('sorani')])],
  ['cjk', cjk],
  ['fingerprint', fingerprint],
])
