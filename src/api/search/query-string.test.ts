import { describe, expect, it } from 'vitest'
import { parametersOf } from './query-string.ts'

describe('the parameters of a URL', () => {
  it.each([
    ['q=a%20b+c&x', { q: 'a b c', x: '' }],
    ['q=1&q=2&', { q: '2' }],
    ['q=%%20', { q: '%20' }],
    ['q=a%E9', { q: 'a\ufffd' }],
    ['q=%C3%A9%', undefined],
  ])('%s', (query, expected) => {
    if (expected === undefined) expect(() => parametersOf(query)).toThrow()
    else expect(Object.fromEntries(parametersOf(query))).toEqual(expected)
  })

  // The texts are those of OpenSearch 3.8.
  it.each([
    ['q=%', 'unterminated escape sequence at end of string: %'],
    ['q=%2', 'partial escape sequence at end of string: %2'],
    ['q=%zz', "invalid escape sequence `%zz' at index 0 of: %zz"],
    ['%=1', 'unterminated escape sequence at end of string: %'],
  ])('refuses %s', (query, reason) => {
    expect(() => parametersOf(query)).toThrow(
      expect.objectContaining({
        type: 'bad_parameter_exception',
        message: `java.lang.IllegalArgumentException: ${reason}`,
      }),
    )
  })
})
