/**
 * Every analysis component takes time linear in its text: eight times the text must not take many times eight. CPU
 * time is compared with itself, so a slow or busy machine makes no difference.
 */
import { describe, expect, it } from 'vitest'
import { Analysis } from './analysis.ts'
import type { Analyzer } from './analyzer.ts'
import { builtInAnalyzers } from './built-in-analyzers.ts'
import { tokenFilterTypes } from './filters/token-filters.ts'
import { TokenBuffer, TooManyTokens } from './token-buffer.ts'
import { matchesOf } from './tokenizers/pattern-tokenizer.ts'
import { tokenizerTypes } from './tokenizers/tokenizers.ts'

const small = 4 * 1024
const factor = 8
/** Linear work has the ratio `factor`, quadratic work its square. */
const maxRatio = 3 * factor
/** Shorter times are rounded up to this: they are noise. */
const minMicros = 500

/** Texts made of these units repeated, as an attacker would send them. */
const hostile: Readonly<Record<string, string>> = {
  'one long word': 'a',
  'one long number': '7',
  blanks: ' ',
  'a word and blanks': `a${' '.repeat(4000)}`,
  connectors: '_',
  'connectors and marks of Thai': '_\u0e31',
  dots: 'a.',
  'digits and dots': '1.',
  apostrophes: "a'",
  quotes: '\u05d0"',
  'combining marks': '\u0301',
  'letters with marks': "e'\u0301\u0302",
  'emoji with joiners': '\u{1f469}\u200d',
  flags: '\u{1f1e9}',
  surrogates: '\ud800',
  'alternating classes': 'aB1_-',
  'tags that do not end': '<a "',
  comments: '<!-- ',
  references: '&#1&amp',
  addresses: 'a@b.',
  links: 'http://',
  paths: '/',
  words: 'the cats ran ',
}

const settings = {
  maxNgramDiff: 1,
  compile: (source: string) => ({ matchAll: (text: string) => matchesOf(new RegExp(source, 'gu'), text) }),
  analysis: {
    tokenizer: {
      long_standard: { type: 'standard', max_token_length: 1_048_576 },
      grams: { type: 'ngram', min_gram: 3, max_gram: 4, token_chars: ['letter', 'digit'] },
      groups: { type: 'char_group', tokenize_on_chars: ['whitespace', 'punctuation', '-'] },
    },
    char_filter: {
      mapped: { type: 'mapping', mappings: ['a => b', 'aaaaaaaa1 => c', ':) => smile'] },
      replaced: { type: 'pattern_replace', pattern: '[0-9]', replacement: '#$0' },
    },
    filter: {
      compounds: { type: 'dictionary_decompounder', word_list: ['a', 'aB', 'aaaaaaaaa'] },
      kept: { type: 'keep', keep_words: ['the'] },
      typed: { type: 'keep_types', types: ['<NUM>'] },
      same: { type: 'synonym', synonyms: ['a, b', 'cats ran => run'] },
      replaced: { type: 'pattern_replace', pattern: '[0-9]', replacement: '#' },
      split: { type: 'word_delimiter', catenate_all: true, preserve_original: true },
      graph: { type: 'synonym_graph', synonyms: ['a, b c', 'cats ran => run'] },
      captured: { type: 'pattern_capture', patterns: ['([0-9])'] },
      pairs: { type: 'common_grams', common_words: ['a', 'the'] },
      several: { type: 'multiplexer', filters: ['lowercase', 'uppercase, reverse'] },
    },
  },
}

const analysis = new Analysis(settings)
const buffer = new TokenBuffer()

function micros(analyzer: Analyzer, text: string): number {
  const { user, system } = process.cpuUsage()
  analyzer.analyze(text, buffer)
  const spent = process.cpuUsage()
  return spent.user + spent.system - user - system
}

/** Returns how many times longer `factor` times the text takes. */
function ratioOf(analyzer: Analyzer, unit: string, length: number): number {
  const [short, long] = [textOf(unit, length), textOf(unit, length * factor)]
  let large = micros(analyzer, long)
  if (large < minMicros * factor) return factor
  let little = micros(analyzer, short)
  // A garbage collection may have taken most of the time: the fastest of a few runs counts.
  for (let round = 0; round < 5 && large / Math.max(minMicros, little) >= maxRatio; round++) {
    large = Math.min(large, micros(analyzer, long))
    little = Math.min(little, micros(analyzer, short))
  }
  return large / Math.max(minMicros, little)
}

function textOf(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length))
}

function expectLinear(analyzer: Analyzer, texts: readonly string[] = Object.keys(hostile)): void {
  for (const what of texts) expect(ratioOf(analyzer, hostile[what]!, small), what).toBeLessThan(maxRatio)
}

const manyTokens = ['words', 'dots', 'alternating classes', 'addresses']

/**
 * Components that need settings are tested with those above; those that produce more text than they consume have a
 * limit.
 */
const apart = new Set(
  (
    'path_hierarchy PathHierarchy nGram edgeNGram keep keep_types synonym synonym_graph word_delimiter_graph ' +
    'pattern_replace pattern_capture common_grams multiplexer dictionary_decompounder'
  ).split(' '),
)
const plain = (names: Iterable<string>) => [...names].filter((name) => !apart.has(name))

describe('analysis takes time linear in its text', () => {
  for (const name of builtInAnalyzers.keys())
    it(`with the analyzer ${name}`, () => expectLinear(analysis.analyzer(name)))
  for (const name of [...plain(tokenizerTypes.keys()), 'long_standard', 'grams', 'groups'])
    it(`with the tokenizer ${name}`, () => expectLinear(analysis.custom(name)))
  for (const name of ['html_strip', 'mapped', 'replaced'])
    it(`with the character filter ${name}`, () => expectLinear(analysis.custom('keyword', [], [name])))
  for (const name of [
    ...plain(tokenFilterTypes.keys()),
    'compounds',
    'kept',
    'typed',
    'same',
    'replaced',
    'split',
    'graph',
    'captured',
    'pairs',
    'several',
  ]) {
    it(`with the filter ${name} after one token`, () => expectLinear(analysis.custom('keyword', [name])))
    it(`with the filter ${name} after many tokens`, () =>
      expectLinear(analysis.custom('standard', [name]), manyTokens))
  }
})

describe('a word without any delimiter', () => {
  it.each([255, 1_048_576])('is scanned in linear time with a token limit of %d characters', (length) => {
    const analyzer = analysis.custom({ type: 'standard', max_token_length: length })
    for (const unit of ['a', '_', 'a.', '_\u0e31'])
      expect(ratioOf(analyzer, unit, 64 * 1024), unit).toBeLessThan(maxRatio)
  })
})

describe('a component that produces more text than it consumes', () => {
  const refused = 'produces of one text have exceeded the allowed maximum of [67108864] characters.'

  it('is refused when a path has too many parts', () => {
    const paths = analysis.custom('path_hierarchy')
    expect(() => paths.analyze('/a'.repeat(100_000), buffer)).toThrow(
      `The terms that [path_hierarchy] ${refused}`,
    )
    paths.analyze('/a'.repeat(1000), buffer)
    expect(buffer.length).toBe(1000)
  })

  it('is refused when grams are long', () => {
    const grams = analysis.custom({ type: 'edge_ngram', min_gram: 1, max_gram: 1_000_000 })
    expect(() => grams.analyze('a'.repeat(1_000_000), buffer)).toThrow(
      `The terms that [edge_ngram] ${refused}`,
    )
    const filter = { type: 'ngram', min_gram: 5000, max_gram: 5000 }
    expect(() => analysis.custom('keyword', [filter]).analyze('a'.repeat(1_000_000), buffer)).toThrow(
      `The terms that [ngram] ${refused}`,
    )
  })

  it('is refused when there are many short grams', () => {
    const grams = analysis.custom({ type: 'ngram', min_gram: 1, max_gram: 2 })
    expect(() => grams.analyze('abcdefgh'.repeat(300_000), buffer)).toThrow(
      'The number of terms that [ngram] produces of one text has exceeded the allowed maximum of [4194304].',
    )
  })

  it('stops at the length of its buffer', () => {
    const grams = analysis.custom({ type: 'ngram', min_gram: 1, max_gram: 2 })
    const small = new TokenBuffer(1000)
    expect(() => grams.analyze('abcdefgh'.repeat(100_000), small)).toThrow(TooManyTokens)
    expect(small.length).toBeLessThan(4000)
    grams.analyze('abc', small)
    expect(small.length).toBe(5)
  })

  it('is refused when shingles are long', () => {
    const filter = { type: 'shingle', min_shingle_size: 2000, max_shingle_size: 2000 }
    expect(() => analysis.custom('standard', [filter]).analyze('some words '.repeat(20_000), buffer)).toThrow(
      `The terms that [shingle] ${refused}`,
    )
  })

  it('is refused when too many words are synonyms of each other', () => {
    const line = Array.from({ length: 1100 }, (_, number) => `w${number}`).join(',')
    expect(() => analysis.custom('standard', [{ type: 'synonym', synonyms: [line] }])).toThrow(
      'The synonyms make more than the allowed maximum of [1000000] pairs',
    )
  })
})
