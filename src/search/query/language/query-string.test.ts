import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SearchError } from '../../request/search-error.ts'
import type { LuceneNode } from './lucene-node.ts'
import { parseQueryString, type QueryStringSurroundings } from './query-string.ts'
import {
  type QueryStringOptions,
  queryStringDefaults,
  readQueryStringOptions,
} from './query-string-options.ts'

function parse(
  query: string,
  options: Partial<QueryStringOptions> = {},
  surroundings?: QueryStringSurroundings,
): LuceneNode {
  return parseQueryString({ ...queryStringDefaults(query), default_field: 'f', ...options }, surroundings)
}

function errorOf(run: () => unknown): SearchError {
  try {
    run()
  } catch (error) {
    if (error instanceof SearchError) return error
  }
  throw new Error('expected a SearchError')
}

function reasonOf(query: string, options: Partial<QueryStringOptions> = {}): string | undefined {
  return errorOf(() => parse(query, options)).causedBy?.message
}

const text = (value: string, field: string | undefined = 'f') => ({
  type: 'text',
  field,
  text: value,
  boost: 1,
})

describe('adjacent words', () => {
  it('are analyzed as one text, except a word that an operator follows', () => {
    expect(parse('new york city')).toEqual(text('new york city'))
    expect(parse('foo bar baz AND qux')).toEqual({
      type: 'bool',
      boost: 1,
      clauses: [
        { occur: 'should', node: text('foo bar'), spread: true },
        { occur: 'must', node: text('baz'), spread: false },
        { occur: 'must', node: text('qux'), spread: false },
      ],
    })
  })

  it('without tokens leave a following AND to the clause before', () => {
    const vanishes = (leaf: { text: string }): boolean => leaf.text === 'the'
    expect(parse('foo OR the AND bar', {}, { vanishes })).toMatchObject({
      clauses: [{ occur: 'must' }, { occur: 'must' }],
    })
    expect(parse('the', {}, { vanishes })).toEqual({ type: 'none', boost: 1 })
    expect(parse('(the) -the', {}, { vanishes })).toEqual({ type: 'none', boost: 1 })
  })

  it('carry minimum_should_match on the outermost node only', () => {
    expect(parse('a b c', { minimum_should_match: '2' })).toMatchObject({ minimumShouldMatch: '2' })
    expect(parse('a OR b OR c', { minimum_should_match: '75%' })).toMatchObject({ minimumShouldMatch: '75%' })
    expect(parse('"a b"', { minimum_should_match: '2' })).not.toHaveProperty('minimumShouldMatch')
  })
})

describe('field names', () => {
  it('are undefined in leaves without a default field', () => {
    expect(parse('foo', { default_field: undefined })).toEqual({ ...text('foo'), field: undefined })
    expect(parse('>10', { default_field: undefined })).toEqual({ ...text('>10'), field: undefined })
  })

  it('are inherited by groups and may be patterns', () => {
    expect(parse('book.\\*:(quick +brown)')).toEqual({
      type: 'bool',
      boost: 1,
      clauses: [
        { occur: 'should', node: text('quick', 'book.*'), spread: false },
        { occur: 'must', node: text('brown', 'book.*'), spread: false },
      ],
    })
    expect(parse('first\\ name:Alice')).toEqual(text('Alice', 'first name'))
  })

  it('may equal names of object properties', () => {
    expect(parse('constructor:__proto__ toString')).toMatchObject({
      clauses: [{ node: text('__proto__', 'constructor') }, { node: text('toString') }],
    })
  })
})

describe('existence tests', () => {
  it.each([
    ['*', '*', { type: 'all', boost: 1 }],
    ['*', 'f', { type: 'exists', field: 'f', boost: 1 }],
    ['*', undefined, { type: 'exists', field: undefined, boost: 1 }],
    ['*:*', 'f', { type: 'all', boost: 1 }],
    ['user:*', 'f', { type: 'exists', field: 'user', boost: 1 }],
    ['_exists_:user', 'f', { type: 'exists', field: 'user', boost: 1 }],
    ['_exists_:"user"', 'f', { type: 'exists', field: 'user', boost: 1 }],
  ])('%s with default field %s', (query, default_field, expected) => {
    expect(parse(query, { default_field })).toEqual(expected)
  })
})

describe('ranges', () => {
  const range = (from: string | undefined, to: string | undefined, includeFrom = true, includeTo = true) => ({
    type: 'range',
    field: 'age',
    from,
    to,
    includeFrom,
    includeTo,
    boost: 1,
  })
  it.each([
    ['age:[1 TO 5]', range('1', '5')],
    ['age:{1 TO 5}', range('1', '5', false, false)],
    ['age:[1 TO 5}', range('1', '5', true, false)],
    ['age:[* TO *]', range(undefined, undefined)],
    ['age:["a b" TO "*"]', range('a b', undefined)],
    ['age:[TO TO TO]', range('TO', 'TO')],
    ['age:[2024-01-01T00:00:00 TO now/d]', range('2024-01-01T00:00:00', 'now/d')],
    ['age:>10', range('10', undefined, false, true)],
    ['age:>=10', range('10', undefined)],
    ['age:<10', range(undefined, '10', true, false)],
    ['age:<=10', range(undefined, '10')],
    ['age:\\>10', range('10', undefined, false, true)],
    ['age:>=', range('=', undefined, false, true)],
    ['age:>', text('>', 'age')],
  ])('%s', (query, expected) => {
    expect(parse(query)).toEqual(expected)
  })
})

describe('fuzzy, slop and boost suffixes', () => {
  it('a fuzzy term without a number uses AUTO', () => {
    const edits = (query: string, options = {}): number => {
      const node = parse(query, options)
      return node.type === 'fuzzy' ? node.edits : -1
    }
    expect(['ab~', 'abc~', 'abcde~', 'abcdef~'].map((query) => edits(query))).toEqual([0, 1, 1, 2])
    expect(edits('abcdef~', { fuzziness: 1 })).toBe(1)
    expect(edits('abcdef~1')).toBe(1)
    expect(edits('abcdef~5')).toBe(2)
    expect(edits('abc~AUTO', { fuzziness: 0 })).toBe(1)
    expect(reasonOf('abc~x')).toBe('fuzziness cannot be [x]')
    expect(errorOf(() => parse('abc~x')).message).toBe('failed to create query: fuzziness cannot be [x]')
  })

  it('phrases take a slop', () => {
    expect(parse('"a b"~2')).toEqual({ type: 'phrase', field: 'f', text: 'a b', slop: 2, boost: 1 })
    expect(parse('"a b"~x', { phrase_slop: 4 })).toMatchObject({ slop: 4 })
    expect(parse('"a \\"b\\""')).toMatchObject({ text: 'a "b"' })
  })

  it('nested boosts multiply', () => {
    expect(parse('(foo^2)^3')).toEqual({ ...text('foo'), boost: 6 })
    expect(parse('foo^2~1')).toMatchObject({ type: 'fuzzy', edits: 1, boost: 2 })
    expect(parse('[1 TO 2]^0.5')).toMatchObject({ type: 'range', boost: 0.5 })
  })
})

describe('patterns', () => {
  it('wildcards keep their escapes, prefixes lose them', () => {
    expect(parse('a\\*b*')).toEqual({ type: 'prefix', field: 'f', text: 'a*b', boost: 1 })
    expect(parse('a\\*b?')).toEqual({ type: 'wildcard', field: 'f', pattern: 'a\\*b?', boost: 1 })
    expect(parse('/a\\/b/')).toMatchObject({
      type: 'regexp',
      pattern: 'a\\/b',
      maxDeterminizedStates: 10_000,
    })
    expect(parse('\\u0041bc')).toEqual(text('Abc'))
  })

  it('are limited in length', () => {
    expect(reasonOf('*a', { allow_leading_wildcard: false })).toBe(
      "Cannot parse '*a': '*' or '?' not allowed as first character in WildcardQuery",
    )
    expect(reasonOf(`/${'a'.repeat(1001)}/`)).toBe(
      'The length of regex [1001] used in the [query_string] has exceeded the allowed maximum of [1000]. This maximum can be set by changing the [index.max_regex_length] index level setting.',
    )
  })

  it('are literal with the escape option', () => {
    expect(parse('(1+1)=2 [x', { escape: true })).toEqual(text('(1+1)=2 [x'))
  })
})

describe('purely negative queries', () => {
  it('exclude from match_all on every level', () => {
    const onlyNot = {
      type: 'bool',
      boost: 1,
      clauses: [
        { occur: 'mustNot', node: text('foo'), spread: false },
        { occur: 'filter', node: { type: 'all', boost: 1 }, spread: false },
      ],
    }
    expect(parse('NOT foo')).toEqual(onlyNot)
    expect(parse('bar (-foo)')).toMatchObject({ clauses: [{ node: text('bar') }, { node: onlyNot }] })
  })
})

describe('syntax errors', () => {
  const clauseStart = [
    '<NOT>',
    '"+"',
    '"-"',
    '<BAREOPER>',
    '"("',
    '"*"',
    '<QUOTED>',
    '<TERM>',
    '<PREFIXTERM>',
    '<WILDTERM>',
    '<REGEXPTERM>',
    '"["',
    '"{"',
    '<NUMBER>',
    '<TERM>',
    '"*"',
  ]
  const expecting = (tokens: string[]): string =>
    `Was expecting one of:\n    ${tokens.map((token) => `${token} ...\n    `).join('')}`

  it('list the expected tokens', () => {
    expect(reasonOf(':""')).toBe(
      `Cannot parse ':""': Encountered " ":" ": "" at line 1, column 0.\n${expecting(clauseStart.slice(0, -1))}`,
    )
    expect(reasonOf('a AND :')).toBe(
      `Cannot parse 'a AND :': Encountered " ":" ": "" at line 1, column 6.\n${expecting(clauseStart)}`,
    )
    expect(reasonOf('NOT')).toBe(
      `Cannot parse 'NOT': Encountered "<EOF>" at line 1, column 3.\n${expecting(clauseStart.slice(3))}`,
    )
    expect(reasonOf('Income+tax:+exemptions~4')).toBe(
      `Cannot parse 'Income+tax:+exemptions~4': Encountered " "+" "+ "" at line 1, column 11.\n${expecting(clauseStart.slice(3, -2))}`,
    )
  })

  it.each([
    [
      'foo\\',
      "Cannot parse 'foo\\': Lexical error at line 1, column 5.  Encountered: <EOF> (in lexical state 2)",
    ],
    [
      'a ] b',
      "Cannot parse 'a ] b': Lexical error at line 1, column 3.  Encountered: ']' (93), (in lexical state 2)",
    ],
    ['a^b', "Cannot parse 'a^b': Lexical error at line 1, column 4.  Encountered: <EOF>"],
    ['a\\u12', "Cannot parse 'a\\u12': Truncated unicode escape sequence."],
    ['a\\uzzzz', "Cannot parse 'a\\uzzzz': Non-hex character in Unicode escape sequence: z"],
  ])('%s', (query, reason) => {
    expect(reasonOf(query)).toBe(reason)
  })

  it('refuse too many clauses and too deep nesting', () => {
    expect(reasonOf(Array.from({ length: 1025 }, () => '+a').join(' '))).toContain('too many boolean clauses')
    expect(errorOf(() => parse('('.repeat(100_000))).message).toContain('Failed to parse query [((')
  })
})

describe('any text', () => {
  const pieces = fc.constantFrom(
    ...[
      'foo',
      'AND',
      'OR',
      'NOT',
      '&&',
      '||',
      '!',
      '+',
      '-',
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      ' TO ',
      '"',
      '/',
      '~',
      '~1',
      '^',
    ],
    ...['^2', '*', '?', ':', 'f:', '\\', ' ', '\t', '>=', '<', '_exists_:', 'é', '😀', '\\u0041', '.'],
  )
  const texts = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 15 }).map((list) => list.join('')),
  )

  it('is parsed or refused with a SearchError', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom('or' as const, 'and' as const), (query, default_operator) => {
        try {
          parse(query, { default_operator })
        } catch (error) {
          if (!(error instanceof SearchError)) throw error
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('is one literal text with the escape option', () => {
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 8 }), (list) => {
        const query = `x${list.join('').replace(/\s|AND|OR|NOT/g, '')}`
        expect(parse(query, { escape: true })).toEqual(text(query))
      }),
    )
  })
})

describe('options', () => {
  it('have the defaults and types of Elasticsearch', () => {
    expect(readQueryStringOptions({ query: 'a' })).toEqual(queryStringDefaults('a'))
    const options = readQueryStringOptions({
      query: 'a',
      fields: ['title^5', 'body'],
      default_operator: 'AND',
      analyze_wildcard: 'true',
      minimum_should_match: 2,
      fuzziness: 'AUTO:1,4',
      type: 'phrase',
      tie_breaker: 0.5,
    })
    expect(options).toMatchObject({
      default_field: undefined,
      fields: [
        { name: 'title', boost: 5 },
        { name: 'body', boost: 1 },
      ],
      default_operator: 'and',
      analyze_wildcard: true,
      minimum_should_match: '2',
      fuzziness: { low: 1, high: 4 },
      type: 'phrase',
      tie_breaker: 0.5,
    })
  })

  it.each([
    [{}, '[query_string] must be provided with a [query]'],
    [{ query: 'a', foo: 1 }, '[query_string] query does not support [foo]'],
    [
      { query: 'a', lenient: 'maybe' },
      'Failed to parse value [maybe] as only [true] or [false] are allowed.',
    ],
  ])('%j', (body, message) => {
    expect(errorOf(() => readQueryStringOptions(body)).message).toBe(message)
  })
})
