/** Normalizers, custom analyzers and the messages about settings that are wrong. */
import { describe, expect, it } from 'vitest'
import { Analysis, analyzerFor } from './analysis.ts'
import { tokensOf } from './analyzer.ts'
import type { CompileExpression } from './component.ts'
import { matchesOf } from './tokenizers/pattern-tokenizer.ts'

const compile: CompileExpression = (source) => {
  const expression = new RegExp(source, 'g')
  return { matchAll: (text) => matchesOf(expression, text) }
}

describe('normalizers', () => {
  const analysis = new Analysis({
    analysis: {
      normalizer: {
        folded: { type: 'custom', char_filter: ['quotes'], filter: ['lowercase', 'asciifolding'] },
        stems: { filter: 'stemmer' },
        cut: { tokenizer: 'standard' },
      },
      char_filter: { quotes: { type: 'mapping', mappings: ['« => "', '» => "'] } },
    },
  })

  it('change the whole value', () => {
    expect(analysis.normalizer('folded').normalize('«Àçš Bd»')).toBe('"acs bd"')
    expect(analysis.normalizer('lowercase').normalize('A B')).toBe('a b')
  })

  it('accept only filters that change single terms', () => {
    expect(() => analysis.normalizer('stems')).toThrow(
      'Custom normalizer [stems] may not use filter [stemmer]',
    )
    expect(() => analysis.normalizer('cut')).toThrow('Custom normalizer [cut] cannot configure a tokenizer')
    expect(() => analysis.normalizer('gone')).toThrow('normalizer [gone] not found')
  })

  it('apply to terms that an analyzer does not tokenize', () => {
    expect(analyzerFor('standard').normalize('FOO*')).toBe('foo*')
    expect(analyzerFor('english').normalize('Running*')).toBe('running*')
    expect(analyzerFor('whitespace').normalize('FOO*')).toBe('FOO*')
  })
})

describe('settings', () => {
  const make =
    (analysis: unknown): (() => void) =>
    () =>
      new Analysis({ analysis }).check()

  it('define custom analyzers', () => {
    const settings = {
      compile,
      analysis: {
        analyzer: {
          mine: {
            type: 'custom',
            tokenizer: 'cut',
            char_filter: ['html_strip'],
            filter: ['lowercase', 'short'],
            position_increment_gap: '7',
          },
        },
        tokenizer: { cut: { type: 'pattern', pattern: '[ .,!?]' } },
        filter: { short: { type: 'truncate', length: '3' } },
      },
    }
    expect(tokensOf(analyzerFor('mine', settings), 'Hello, <b>WORLD</b>!').map(({ token }) => token)).toEqual(
      ['hel', 'wor'],
    )
    expect(analyzerFor('mine', settings).positionGap).toBe(7)
  })

  it.each([
    [{ analyzer: { a: { tokenizer: 'x' } } }, 'Custom Analyzer [a] failed to find tokenizer under name [x]'],
    [
      { analyzer: { a: { tokenizer: 'standard', filter: ['x'] } } },
      'Custom Analyzer [a] failed to find filter under name [x]',
    ],
    [
      { analyzer: { a: { tokenizer: 'standard', char_filter: ['x'] } } },
      'Custom Analyzer [a] failed to find char_filter under name [x]',
    ],
    [{ analyzer: { a: {} } }, 'analyzer [a] must specify either an analyzer type, or a tokenizer'],
    [{ analyzer: { a: { type: 'x' } } }, 'Unknown analyzer type [x] for [a]'],
    [{ filter: { f: { type: 'x' } } }, 'Unknown filter type [x] for [f]'],
    [
      { tokenizer: { t: { type: 'ngram', min_gram: 1, max_gram: 10 } } },
      'The difference between max_gram and min_gram in NGram Tokenizer must be less than or equal to: [1] but was [9]. This limit can be set by changing the [index.max_ngram_diff] index level setting.',
    ],
    [{ filter: { f: { type: 'stemmer', language: 'martian' } } }, 'Invalid stemmer class specified: martian'],
  ])('refuse %j', (analysis, message) => {
    expect(make(analysis)).toThrow(message)
  })

  it('accept odd names as names', () => {
    expect(() => analyzerFor('__proto__')).toThrow('failed to find global analyzer [__proto__]')
    expect(() => analyzerFor('constructor', { analysis: { analyzer: {} } })).toThrow('[constructor]')
    expect(() => new Analysis().custom('toString')).toThrow(
      'failed to find global tokenizer under [toString]',
    )
  })

  it('refuse expressions without a compiler', () => {
    expect(make({ tokenizer: { t: { type: 'pattern', pattern: '(a+)+' } } })).toThrow('(a+)+')
  })
})
