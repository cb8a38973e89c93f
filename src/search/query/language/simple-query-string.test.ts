import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LuceneNode } from './lucene-node.ts'
import { parseSimpleFlags } from './simple-query-flags.ts'
import {
  readSimpleQueryOptions,
  type SimpleQueryOptions,
  simpleQueryDefaults,
} from './simple-query-options.ts'
import { parseSimpleQueryString } from './simple-query-string.ts'

function parse(query: string, options: Partial<SimpleQueryOptions> = {}): LuceneNode {
  return parseSimpleQueryString({ ...simpleQueryDefaults(query), ...options })
}

/** Compact: `(+a +b)`, `a~1`, `a*`, `"a b"~2`. */
function print(node: LuceneNode): string {
  switch (node.type) {
    case 'bool':
      return `(${node.clauses.map(({ occur, node: inner }) => `${{ must: '+', should: '', mustNot: '-', filter: '#' }[occur]}${print(inner)}`).join(' ')})`
    case 'text':
      return node.text
    case 'prefix':
      return `${node.text}*`
    case 'phrase':
      return `"${node.text}"${node.slop === 0 ? '' : `~${node.slop}`}`
    case 'fuzzy':
      return `${node.text}~${node.edits}`
    case 'all':
      return '*:*'
    default:
      return node.type
  }
}

describe('simple_query_string', () => {
  it.each([
    ['foo', 'foo'],
    ['foo bar', '(foo bar)'],
    ['foo + bar', '(+foo +bar)'],
    ['foo+bar', '(+foo +bar)'],
    ['foo | bar + baz', '(+(foo bar) +baz)'],
    ['foo + bar baz', '((+foo +bar) baz)'],
    ['-foo', '(-foo *:*)'],
    ['foo -bar', '(foo (-bar *:*))'],
    ['--foo', 'foo'],
    ['- foo', 'foo'],
    ['wi-fi', 'wi-fi'],
    ['"foo bar"', '"foo bar"'],
    ['"foo bar"~3', '"foo bar"~3'],
    ['"foo', 'foo'],
    ['""', 'none'],
    ['foo*', 'foo*'],
    ['*', '*:*'],
    [' * ', '*:*'],
    ['f*o', 'f*o'],
    ['foo~1', 'foo~1'],
    ['foo~', 'foo~2'],
    ['foo~7', 'foo~2'],
    ['foo~x', 'foo'],
    ['(foo | bar) + baz', '(+(foo bar) +baz)'],
    ['(foo', 'foo'],
    ['foo)', 'foo'],
    ['()', 'none'],
    ['foo (bar (baz + qux))', '(foo (bar (+baz +qux)))'],
    ['+ | foo', 'foo'],
    ['a\\+b', 'a+b'],
    ['', 'none'],
  ])('%s', (query, expected) => {
    expect(print(parse(query))).toBe(expected)
  })

  it('an escaped star is not a prefix operator', () => {
    expect(parse('foo\\*')).toMatchObject({ type: 'text', text: 'foo*' })
    expect(parse('foo*')).toMatchObject({ type: 'prefix', text: 'foo' })
  })

  it('default_operator and requires every word', () => {
    expect(print(parse('foo bar | baz', { default_operator: 'and' }))).toBe('((+foo +bar) baz)')
  })

  it('flags disable operators', () => {
    expect(print(parse('foo|bar+"baz*', { flags: parseSimpleFlags('OR|PREFIX') }))).toBe('(foo bar+"baz*)')
    expect(print(parse('a|b -c', { flags: parseSimpleFlags('OR|WHITESPACE') }))).toBe('(a b -c)')
    expect(print(parse('a + b', { flags: parseSimpleFlags('NONE') }))).toBe('a + b')
    expect(() => parseSimpleFlags('FOO')).toThrow('Unknown simple_query_string flag [FOO]')
  })

  it('words without tokens are ignored', () => {
    const vanishes = (leaf: { text: string }): boolean => leaf.text === 'the'
    expect(print(parseSimpleQueryString(simpleQueryDefaults('a + the b'), { vanishes }))).toBe('(+a +b)')
  })

  it('never throws, whatever the text', () => {
    const pieces = fc.constantFrom(
      ...['a', 'bc', '+', '|', '-', '"', '(', ')', '~', '~1', '*', '\\', ' ', '😀'],
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces, { maxLength: 20 }).map((list) => list.join('')),
        ),
        fc.integer({ min: 0, max: 1023 }),
        (query, flags) => {
          expect(parse(query, { flags })).toHaveProperty('type')
        },
      ),
      { numRuns: 2000 },
    )
    expect(parse(`${'('.repeat(50_000)}a${')'.repeat(50_000)}`)).toMatchObject({ text: 'a' })
  })

  it('parses all options', () => {
    expect(readSimpleQueryOptions({ query: 'a', fields: ['b^2'], flags: 'AND|OR' })).toMatchObject({
      fields: [{ name: 'b', boost: 2 }],
      flags: 5,
    })
    expect(() => readSimpleQueryOptions({ query: 'a', foo: 1 })).toThrow(
      '[simple_query_string] query does not support [foo]',
    )
  })
})
