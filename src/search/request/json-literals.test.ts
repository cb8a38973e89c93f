import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonNumber, locateToken, numbersArePlain, parseExactJson } from './json-literals.ts'
import { SearchError } from './search-error.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('parseExactJson', () => {
  it('keeps spellings that JavaScript would change', () => {
    expect(parseExactJson('[1, 1.0, 0.5, -0, 1e3, 9223372036854775807, 12345678901234567]')).toEqual([
      1,
      new JsonNumber('1.0'),
      0.5,
      new JsonNumber('-0'),
      new JsonNumber('1e3'),
      new JsonNumber('9223372036854775807'),
      new JsonNumber('12345678901234567'),
    ])
  })

  it('parses everything else as JSON.parse does', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ noUnicodeString: false }),
        fc.constantFrom(undefined, 1, 2),
        (value, indent) => {
          const text = JSON.stringify(value, null, indent)
          expect(JSON.stringify(parseExactJson(text))).toBe(JSON.stringify(JSON.parse(text)))
          expect(parseExactJson(bytes(text))).toEqual(parseExactJson(text))
        },
      ),
    )
  })

  it('accepts __proto__ as a member name', () => {
    const parsed = parseExactJson('{"__proto__":{"a":1.0}}') as object
    expect(Object.keys(parsed)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
  })

  it('refuses what is nested too deeply', () => {
    const refusal = new SearchError('json_parse_exception', 'JSON is nested deeper than 1000 levels')
    expect(() => parseExactJson('['.repeat(5000) + ']'.repeat(5000))).toThrow(refusal)
  })

  it.each(['{"a":1', '[1,', '"a', 'x', ''])(
    'throws a SyntaxError for %j, which nobody should give it',
    (text) => {
      expect(() => parseExactJson(text)).toThrow(SyntaxError)
    },
  )
})

describe('numbersArePlain', () => {
  it.each([
    ['{"a":1,"b":[2,-3],"c":true,"e":"1.0 1e5"}', true],
    ['{"a":0.25,"b":-1.5,"c":0.30000000000000004}', true],
    ['{"a":1.0}', false],
    ['{"a":0.10}', false],
    ['{"a":1e5}', false],
    ['{"a":1E5}', false],
    ['{"a":-0}', false],
    ['{"a":1234567890123456}', false],
    ['{"a":"\\"1.0"}', true],
  ])('returns the expected result for %s', (text, expected) => {
    expect(numbersArePlain(bytes(text))).toBe(expected)
  })

  it('is true only if no spelling is lost', () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.maxSafeInteger(),
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(number, fc.string())), (values) => {
        const text = JSON.stringify(values)
        if (numbersArePlain(bytes(text))) expect(JSON.stringify(JSON.parse(text))).toBe(text)
      }),
    )
  })
})

describe('locateToken', () => {
  it('finds the object or array of a field', () => {
    const text = '{"x":{"message":"{"},\n  "a":[{"b": {"c":[1]}}]}'
    expect(locateToken(bytes(text), 'x', '{')).toEqual({ line: 1, column: 6 })
    expect(locateToken(bytes(text), 'a.b', '{')).toEqual({ line: 2, column: 14 })
    expect(locateToken(bytes(text), 'a', '[')).toEqual({ line: 2, column: 7 })
    expect(locateToken(bytes(text), 'a.b.c', '[')).toEqual({ line: 2, column: 19 })
    expect(locateToken(bytes(text), 'message', '{')).toBeUndefined()
  })
})
