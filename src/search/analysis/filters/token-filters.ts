/** Token filters by the type that settings name. */
import { AnalysisError } from '../analysis-error.ts'
import { replaceMatches } from '../char-filters/char-filters.ts'
import type { TokenFilter } from '../component.ts'
import type { ComponentOptions } from '../component-options.ts'
import { bengaliNormalization } from '../languages/indic/bengali-normalization.ts'
import { hindiNormalization } from '../languages/indic/hindi-normalization.ts'
import { indicNormalization } from '../languages/indic/indic-normalization.ts'
import {
  arabicNormalization,
  cjkWidth,
  germanNormalization,
  persianNormalization,
  scandinavianFolding,
  scandinavianNormalization,
  serbianNormalization,
  soraniNormalization,
} from '../languages/normalization.ts'
import { germanCaumanns } from '../languages/stemmers/german-caumanns.ts'
import { gramSizes } from '../tokenizers/gram-tokenizers.ts'
import { type AnalysisContext, expressionFlags } from '../tokenizers/tokenizers.ts'
import {
  classicFilter,
  commonGrams,
  delimitedPayload,
  keywordRepeat,
  multiplexer,
  patternCapture,
} from './branching-filters.ts'
import { cjkBigram } from './cjk-bigram.ts'
import { dictionaryDecompounder } from './decompounder.ts'
import { edgeGramFilter, fingerprintFilter, gramFilter, shingle } from './gram-filters.ts'
import { greekLowercase, irishLowercase, turkishLowercase } from './language-lower-case.ts'
import { minHash } from './min-hash.ts'
import {
  keep,
  keepTypes,
  keywordMarker,
  length,
  limit,
  stemmerOverride,
  stop,
  unique,
  uniqueTerms,
} from './selecting-filters.ts'
import { snowball, stemmer, stemmerOf } from './stemmer-filters.ts'
import { synonymFilter } from './synonym-filter.ts'
import { synonymGraphFilter } from './synonym-graph-filter.ts'
import {
  apostrophe,
  asciifolding,
  decimalDigit,
  elision,
  lowercase,
  normalizing,
  porter,
  reverse,
  stemming,
  trim,
  truncate,
  uppercase,
} from './term-filters.ts'
import { wordDelimiter } from './word-delimiter-filter.ts'

/** Returns the terms of a text, analysed by the components before a filter. */
type PrecedingTerms = (text: string) => string[]

type MakeFilter = (
  options: ComponentOptions,
  context: AnalysisContext,
  preceding: PrecedingTerms,
  /** Makes another filter by its name. */
  other: (name: string) => TokenFilter,
) => TokenFilter

const synonymOf =
  (make: typeof synonymFilter): MakeFilter =>
  (options, _context, preceding) => {
    const rules = options.lines('synonyms')
    if (rules === undefined)
      throw new AnalysisError('synonym requires either `synonyms` or `synonyms_path` to be configured')
    if (options.text('format', 'solr').toLowerCase() !== 'solr')
      throw new AnalysisError('only synonyms in the format [solr] are supported')
    return make(rules, preceding, options.flag('expand', true), options.flag('lenient', false))
  }

const ngram: MakeFilter = (options, { maxNgramDiff }) =>
  gramFilter(
    gramSizes(options, maxNgramDiff, 'NGram Token Filter'),
    false,
    options.flag('preserve_original', false),
  )

const edgeNgram: MakeFilter = (options) =>
  edgeGramFilter(
    gramSizes(options, Number.POSITIVE_INFINITY, ''),
    options.text('side', 'front'),
    options.flag('preserve_original', false),
  )

const patternReplace: MakeFilter = (options, { compile }) => {
  if (!options.has('pattern'))
    throw new AnalysisError(`pattern is missing for [${options.name}] token filter of type 'pattern_replace'`)
  const expression = compile(options.text('pattern', ''), expressionFlags(options))
  const replacement = options.text('replacement', '')
  const all = options.flag('all', true)
  return normalizing((term) => {
    if (all) return replaceMatches(term, expression, replacement)
    const [first] = expression.matchAll(term)
    return first === undefined ? term : replaceMatches(term, { matchAll: () => [first] }, replacement)
  })
}

/** Each entry is a chain of filters, separated by commas. */
const multiplexed: MakeFilter = (options, _context, _preceding, other) =>
  multiplexer(
    (options.lines('filters') ?? []).map((chain) =>
      chain
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')
        .map(other),
    ),
    options.flag('preserve_original', true),
  )

const lowercaseLanguages: ReadonlyMap<string, TokenFilter> = new Map([
  ['', lowercase],
  ['greek', greekLowercase],
  ['irish', irishLowercase],
  ['turkish', turkishLowercase],
])

const lowercaseFilter: MakeFilter = (options) => {
  const language = options.text('language', '')
  const filter = lowercaseLanguages.get(language.toLowerCase())
  if (filter === undefined) throw new AnalysisError(`language [${language}] not support for lower case`)
  return filter
}

const fingerprint: MakeFilter = (options) =>
  fingerprintFilter(options.text('separator', ' '), options.integer('max_output_size', 255))

export const tokenFilterTypes: ReadonlyMap<string, MakeFilter> = new Map<string, MakeFilter>([
  ['lowercase', lowercaseFilter],
  ['uppercase', () => uppercase],
  ['asciifolding', asciifolding],
  ['trim', () => trim],
  ['truncate', truncate],
  ['reverse', () => reverse],
  ['apostrophe', () => apostrophe],
  ['decimal_digit', () => decimalDigit],
  ['elision', elision],
  ['stop', stop],
  ['length', length],
  ['unique', unique],
  ['remove_duplicates', () => uniqueTerms(true)],
  ['keep', keep],
  ['keep_types', keepTypes],
  ['limit', limit],
  ['keyword_marker', keywordMarker],
  ['stemmer_override', stemmerOverride],
  ['stemmer', stemmer],
  ['porter_stem', () => porter],
  ['snowball', snowball],
  ['arabic_stem', () => stemmerOf('arabic')],
  ['brazilian_stem', () => stemmerOf('brazilian')],
  ['german_stem', () => stemming(germanCaumanns)],
  ['czech_stem', () => stemmerOf('czech')],
  ['persian_stem', () => stemmerOf('persian')],
  ['dutch_stem', () => stemmerOf('dutch')],
  ['french_stem', () => stemmerOf('french')],
  ['russian_stem', () => stemmerOf('russian')],
  ['ngram', ngram],
  ['nGram', ngram],
  ['edge_ngram', edgeNgram],
  ['edgeNGram', edgeNgram],
  ['shingle', (options, { maxShingleDiff }) => shingle(options, maxShingleDiff)],
  ['synonym', synonymOf(synonymFilter)],
  ['synonym_graph', synonymOf(synonymGraphFilter)],
  ['word_delimiter', (options) => wordDelimiter(options, false)],
  ['word_delimiter_graph', (options) => wordDelimiter(options, true)],
  ['pattern_replace', patternReplace],
  ['fingerprint', fingerprint],
  ['min_hash', minHash],
  ['keyword_repeat', () => keywordRepeat],
  ['multiplexer', multiplexed],
  ['common_grams', commonGrams],
  ['pattern_capture', (options, { compile }) => patternCapture(options, compile)],
  ['classic', () => classicFilter],
  ['dictionary_decompounder', dictionaryDecompounder],
  ['delimited_payload', delimitedPayload],
  ['cjk_bigram', cjkBigram],
  ['cjk_width', () => cjkWidth],
  ['german_normalization', () => germanNormalization],
  ['arabic_normalization', () => arabicNormalization],
  ['bengali_normalization', () => bengaliNormalization],
  ['hindi_normalization', () => hindiNormalization],
  ['indic_normalization', () => indicNormalization],
  ['persian_normalization', () => persianNormalization],
  ['serbian_normalization', () => serbianNormalization],
  ['sorani_normalization', () => soraniNormalization],
  ['scandinavian_folding', () => scandinavianFolding],
  ['scandinavian_normalization', () => scandinavianNormalization],
  ['flatten_graph', () => ({ apply: () => undefined })],
])
