/** JSON syntax errors in the words of Jackson, Elasticsearch's parser. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonSyntaxError } from './json-syntax-error.ts'

const value = "expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')"

describe('JSON syntax errors', () => {
  it.each([
    ['{"size":}', `Unexpected character ('}' (code 125)): ${value}`, 1, 9],
    [
      '{"a":1,}',
      "Unexpected character ('}' (code 125)): was expecting double-quote to start field name",
      1,
      8,
    ],
    ['{a:1}', "Unexpected character ('a' (code 97)): was expecting double-quote to start field name", 1, 2],
    ['[1 2]', "Unexpected character ('2' (code 50)): was expecting comma to separate Array entries", 1, 4],
    [
      '{"a":1\n "b":2}',
      "Unexpected character ('\"' (code 34)): was expecting comma to separate Object entries",
      2,
      2,
    ],
    [
      '{"a" 1}',
      "Unexpected character ('1' (code 49)): was expecting a colon to separate field name and value",
      1,
      6,
    ],
    [
      '{"a":tru}',
      "Unrecognized token 'tru': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
      1,
      6,
    ],
    ['{"a":01}', 'Invalid numeric value: Leading zeroes not allowed', 1, 6],
    [
      '["a\nb"]',
      'Illegal unquoted character ((CTRL-CHAR, code 10)): has to be escaped using backslash to be included in string value',
      1,
      4,
    ],
    ['["\\x"]', "Unrecognized character escape 'x' (code 120)", 1, 4],
  ])('describes the error in %j as Jackson does', (text, words, line, column) => {
    const { type, reason } = jsonSyntaxError(text)
    expect(type).toBe('json_parse_exception')
    expect(reason).toBe(
      `${words}\n at [Source: REDACTED (\`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION\` disabled); line: ${line}, column: ${column}]`,
    )
  })

  it.each([
    ['', 'Unexpected end-of-input'],
    ['{', 'Unexpected end-of-input: expected close marker for Object'],
    ['[1,', 'Unexpected end-of-input: expected close marker for Array'],
    ['{"a":"b', 'Unexpected end-of-input: was expecting closing quote for a string value'],
    ['['.repeat(100_000), 'Unexpected end-of-input: expected close marker for Array'],
  ])('describes input that ends too early: %.10s', (text, words) => {
    const { type, reason } = jsonSyntaxError(text)
    expect(type).toBe('json_e_o_f_exception')
    expect(reason.split('\n')[0]).toBe(words)
  })

  it('reports the first offset where the prefix before it is still valid', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      '-',
      '0',
      '.5',
      'e3',
      'null',
      'x',
      '\\',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        let isJson = true
        try {
          JSON.parse(text)
        } catch {
          isJson = false
        }
        fc.pre(!isJson)
        const { type, reason } = jsonSyntaxError(text)
        const column = Number(/column: (\d+)\]$/.exec(reason)?.[1])
        if (type === 'json_e_o_f_exception') expect(column).toBe(text.length + 1)
        else expect(column).toBeLessThanOrEqual(text.length)
        // The text before the reported offset is refused only for ending too early.
        const before = text.slice(0, column - 1)
        let wrong: string | undefined
        try {
          JSON.parse(before)
        } catch {
          wrong = jsonSyntaxError(before).type
        }
        expect([undefined, 'json_e_o_f_exception']).toContain(wrong)
      }),
      { numRuns: 2000 },
    )
  })
})
