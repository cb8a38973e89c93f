/** Tokenizers by the type that settings name. */

import type { CompileExpression, Tokenizer } from '../component.ts'
import type { ComponentOptions } from '../component-options.ts'
import {
  charGroupTokenizer,
  charTokenizer,
  isLetter,
  isWhitespace,
  keywordTokenizer,
  maxTokenLength,
} from './char-tokenizers.ts'
import { classicTokenizer } from './classic-tokenizer.ts'
import { gramSizes, gramTokenizer } from './gram-tokenizers.ts'
import { pathTokenizer } from './path-tokenizer.ts'
import { betweenWords, patternTokenizer } from './pattern-tokenizer.ts'
import { simplePatternTokenizer, thaiTokenizer } from './segment-tokenizers.ts'
import { standardTokens } from './standard-tokenizer.ts'
import { urlEmailTokenizer } from './url-email-tokenizer.ts'

/** What components need besides their own options. */
export interface AnalysisContext {
  readonly compile: CompileExpression
  /** `index.max_ngram_diff`. */
  readonly maxNgramDiff: number
  /** `index.max_shingle_diff`. */
  readonly maxShingleDiff: number
}

type MakeTokenizer = (options: ComponentOptions, context: AnalysisContext) => Tokenizer

function standardTokenizer(maxLength: number): Tokenizer {
  return (text, out) => standardTokens(text, text, out, maxLength)
}

/** Java's regex flags in settings: `CASE_INSENSITIVE|COMMENTS`. */
export function expressionFlags(options: ComponentOptions): string[] {
  return options
    .text('flags', '')
    .split('|')
    .map((flag) => flag.trim())
    .filter((flag) => flag !== '')
}

export function patternTokenizerFor(options: ComponentOptions, context: AnalysisContext): Tokenizer {
  const source = options.text('pattern', '\\W+')
  const flags = expressionFlags(options)
  const expression = source === '\\W+' && flags.length === 0 ? betweenWords : context.compile(source, flags)
  return patternTokenizer(expression, options.integer('group', -1))
}

const ngram: MakeTokenizer = (options, { maxNgramDiff }) =>
  gramTokenizer(options, gramSizes(options, maxNgramDiff, 'NGram Tokenizer'), false)
const edgeNgram: MakeTokenizer = (options) =>
  gramTokenizer(options, gramSizes(options, Number.POSITIVE_INFINITY, ''), true)
const letter: MakeTokenizer = () => charTokenizer(isLetter)

/** Without a pattern nothing matches. */
const simplePattern =
  (isSplit: boolean): MakeTokenizer =>
  (options, { compile }) =>
    simplePatternTokenizer(
      options.has('pattern') ? compile(options.text('pattern', ''), []) : undefined,
      isSplit,
    )

export const tokenizerTypes: ReadonlyMap<string, MakeTokenizer> = new Map<string, MakeTokenizer>([
  ['standard', (options) => standardTokenizer(maxTokenLength(options))],
  ['uax_url_email', (options) => urlEmailTokenizer(maxTokenLength(options))],
  ['whitespace', (options) => charTokenizer((code) => !isWhitespace(code), maxTokenLength(options))],
  ['keyword', () => keywordTokenizer],
  ['letter', letter],
  ['lowercase', () => charTokenizer(isLetter, undefined, true)],
  ['pattern', patternTokenizerFor],
  ['ngram', ngram],
  ['nGram', ngram],
  ['edge_ngram', edgeNgram],
  ['edgeNGram', edgeNgram],
  ['path_hierarchy', pathTokenizer],
  ['PathHierarchy', pathTokenizer],
  ['char_group', charGroupTokenizer],
  ['classic', (options) => classicTokenizer(maxTokenLength(options))],
  ['thai', () => thaiTokenizer],
  ['simple_pattern', simplePattern(false)],
  ['simple_pattern_split', simplePattern(true)],
])
