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

describe('JSON syntax errors of OpenSearch', () => {
  const source = '[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); '
  it.each([
    [
      '{',
      'unexpected_end_of_input_exception',
      'Unexpected end-of-input: expected close marker for Object (start marker at [byte offset: #UNKNOWN])\n at [byte offset: #1]',
    ],
    [
      '{]',
      'json_parse_exception',
      "Unexpected close marker ']': expected '}' (for Object starting at [byte offset: #UNKNOWN])\n at [byte offset: #1]",
    ],
    [
      '{"query":{]',
      'json_parse_exception',
      "Unexpected close marker ']': expected '}' (for Object starting at [byte offset: #UNKNOWN])\n at [byte offset: #10]",
    ],
    [
      '{"query":',
      'unexpected_end_of_input_exception',
      'Unexpected end-of-input within/between Object entries\n at [byte offset: #9]',
    ],
    [
      '{"query"',
      'unexpected_end_of_input_exception',
      'Unexpected end-of-input within/between Object entries\n at [byte offset: #8]',
    ],
    [
      '{"quer',
      'unexpected_end_of_input_exception',
      'Unexpected end-of-input in property name\n at [byte offset: #6]',
    ],
    [
      '{"query":{"match":{"title":"é',
      'unexpected_end_of_input_exception',
      'Unexpected end-of-input in VALUE_STRING\n at [byte offset: #30]',
    ],
    [
      '{"query":{"match":{"title":"é" x}}}',
      'json_parse_exception',
      "Unexpected character ('x' (code 120)): was expecting comma to separate Object entries\n at [byte offset: #32]",
    ],
    [
      '{"query" 1}',
      'json_parse_exception',
      "Unexpected character ('1' (code 49)): was expecting a colon to separate property name and value\n at [byte offset: #9]",
    ],
    [
      '{query":1}',
      'json_parse_exception',
      "Unexpected character ('q' (code 113)): was expecting double-quote to start property name\n at [byte offset: #1]",
    ],
    [
      '{"query":{"match_all":{}}}x',
      'json_parse_exception',
      "Unrecognized token 'x': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [byte offset: #26]",
    ],
    [
      '{"query":{"match_all":{}}}}',
      'json_parse_exception',
      "Unexpected close marker '}': no open Object to close\n at [byte offset: #26]",
    ],
    [
      '{"size":tru}',
      'json_parse_exception',
      "Unrecognized token 'tru': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [byte offset: #8]",
    ],
    [
      '{"size":truex}',
      'json_parse_exception',
      "Unrecognized token 'truex': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [byte offset: #8]",
    ],
    [
      '{"size":nul',
      'json_parse_exception',
      "Unrecognized token 'nul': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [byte offset: #8]",
    ],
    [
      '{"size":01}',
      'json_parse_exception',
      'Invalid numeric value: Leading zeroes not allowed\n at [byte offset: #9]',
    ],
    [
      '{"size":1.}',
      'json_parse_exception',
      "Unexpected character ('}' (code 125)) in numeric value: Decimal point not followed by a digit\n at [byte offset: #10]",
    ],
    [
      '{"size":-}',
      'json_parse_exception',
      "Unexpected character ('}' (code 125)) in numeric value: expected digit (0-9) to follow minus sign, for valid numeric value\n at [byte offset: #9]",
    ],
    [
      '{"size":1e}',
      'json_parse_exception',
      "Unexpected character ('}' (code 125)) in numeric value: Exponent indicator not followed by a digit\n at [byte offset: #10]",
    ],
    [
      '{"size":1x}',
      'json_parse_exception',
      "Unexpected character ('x' (code 120)): was expecting comma to separate Object entries\n at [byte offset: #9]",
    ],
    [
      '{"size":1 2}',
      'json_parse_exception',
      "Unexpected character ('2' (code 50)): was expecting comma to separate Object entries\n at [byte offset: #10]",
    ],
    [
      '{"size":1,}',
      'json_parse_exception',
      "Unexpected character ('}' (code 125)): was expecting double-quote to start property name\n at [byte offset: #10]",
    ],
    [
      '{"_source":["a" "b"]}',
      'json_parse_exception',
      "Unexpected character ('\"' (code 34)): was expecting comma to separate Array entries\n at [byte offset: #16]",
    ],
    [
      '{"_source":["a"}',
      'json_parse_exception',
      "Unexpected close marker '}': expected ']' (for Array starting at [byte offset: #UNKNOWN])\n at [byte offset: #15]",
    ],
    [
      '{"_source":["a"',
      'unexpected_end_of_input_exception',
      'Unexpected end-of-input: expected close marker for Array (start marker at [byte offset: #UNKNOWN])\n at [byte offset: #15]',
    ],
    [
      '{"_source":',
      'unexpected_end_of_input_exception',
      'Unexpected end-of-input within/between Object entries\n at [byte offset: #11]',
    ],
    [
      '{"_source":"a\\x"}',
      'json_parse_exception',
      "Unrecognized character escape 'x' (code 120)\n at [byte offset: #14]",
    ],
    [
      '{"_source":"a\\u12x"}',
      'json_parse_exception',
      "Unexpected character ('x' (code 120)): expected a hex-digit for character escape sequence\n at [byte offset: #17]",
    ],
    [
      '{"size":+1}',
      'json_parse_exception',
      "Unexpected character ('+' (code 43)) in numeric value: JSON spec does not allow numbers to have plus signs: enable `JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS` to allow\n at [byte offset: #9]",
    ],
    [
      '{"size":.5}',
      'json_parse_exception',
      "Unexpected character ('.' (code 46)): expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [byte offset: #8]",
    ],
    [
      '{,}',
      'json_parse_exception',
      "Unexpected character (',' (code 44)): was expecting double-quote to start property name\n at [byte offset: #1]",
    ],
    [
      '{"a"::1}',
      'json_parse_exception',
      "Unexpected character (':' (code 58)): expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [byte offset: #5]",
    ],
    [
      "'a'",
      'json_parse_exception',
      "Unexpected character (''' (code 39)): expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [byte offset: #0]",
    ],
    [
      'x',
      'json_parse_exception',
      "Unrecognized token 'x': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [byte offset: #0]",
    ],
    [
      '{"query":{\'match\':1}}',
      'json_parse_exception',
      "Unexpected character (''' (code 39)): was expecting double-quote to start property name\n at [byte offset: #10]",
    ],
    [
      '{\'a\':1,"query":{}}',
      'json_parse_exception',
      "Unexpected character (''' (code 39)): was expecting double-quote to start property name\n at [byte offset: #1]",
    ],
    [
      '{"size":2',
      'unexpected_end_of_input_exception',
      'Unexpected end-of-input: expected close marker for Object (start marker at [byte offset: #UNKNOWN])\n at [byte offset: #9]',
    ],
    [
      '{"size":2,',
      'json_parse_exception',
      'Unexpected end-of-input within/between Object entries\n at [byte offset: #10]',
    ],
    [
      '{"from":NaN}',
      'json_parse_exception',
      "Non-standard token 'NaN': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow\n at [byte offset: #11]",
    ],
    [
      '{"query":{"match":{"title":"a',
      'unexpected_end_of_input_exception',
      'Unexpected end-of-input in VALUE_STRING\n at [byte offset: #29]',
    ],
    [
      '{"query":{"match_all":{}',
      'unexpected_end_of_input_exception',
      'Unexpected end-of-input: expected close marker for Object (start marker at [byte offset: #UNKNOWN])\n at [byte offset: #24]',
    ],
    [
      '{"query":{"match_all":{}}',
      'unexpected_end_of_input_exception',
      'Unexpected end-of-input: expected close marker for Object (start marker at [byte offset: #UNKNOWN])\n at [byte offset: #25]',
    ],
    [
      '{"sort":[{"int":{"order":"asc"}]}',
      'json_parse_exception',
      "Unexpected close marker ']': expected '}' (for Object starting at [byte offset: #UNKNOWN])\n at [byte offset: #31]",
    ],
    [
      '{"size":2x',
      'json_parse_exception',
      "Unexpected character ('x' (code 120)): was expecting comma to separate Object entries\n at [byte offset: #9]",
    ],
    [
      '{"_source":["a",]}',
      'json_parse_exception',
      "Unexpected character (']' (code 93)): expected a value\n at [byte offset: #16]",
    ],
    [
      '{"_source":["a",}',
      'json_parse_exception',
      "Unexpected character ('}' (code 125)): expected a value\n at [byte offset: #16]",
    ],
    [
      '{"_source":["a",',
      'json_parse_exception',
      'Unexpected end-of-input within/between Array entries\n at [byte offset: #16]',
    ],
    [
      '{"_source":[,"a"]}',
      'json_parse_exception',
      "Unexpected character (',' (code 44)): expected a value\n at [byte offset: #12]",
    ],
    [
      '{"_source":[',
      'unexpected_end_of_input_exception',
      'Unexpected end-of-input: expected close marker for Array (start marker at [byte offset: #UNKNOWN])\n at [byte offset: #12]',
    ],
    [
      '{"_source":[}',
      'json_parse_exception',
      "Unexpected close marker '}': expected ']' (for Array starting at [byte offset: #UNKNOWN])\n at [byte offset: #12]",
    ],
    [
      '{"_source":["a",:]}',
      'json_parse_exception',
      "Unexpected character (':' (code 58)): expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [byte offset: #16]",
    ],
    [
      '{"size":1,]',
      'json_parse_exception',
      "Unexpected character (']' (code 93)): was expecting double-quote to start property name\n at [byte offset: #10]",
    ],
    [
      '{"size":]}',
      'json_parse_exception',
      "Unexpected character (']' (code 93)): expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [byte offset: #8]",
    ],
    [
      '{"size":}',
      'json_parse_exception',
      "Unexpected character ('}' (code 125)): expected a value\n at [byte offset: #8]",
    ],
    [
      '{"size":,}',
      'json_parse_exception',
      "Unexpected character (',' (code 44)): expected a value\n at [byte offset: #8]",
    ],
    [
      '{"size":\'a\'}',
      'json_parse_exception',
      "Unexpected character (''' (code 39)): expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [byte offset: #8]",
    ],
    [
      '{"size":a-b}',
      'json_parse_exception',
      "Unrecognized token 'a': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [byte offset: #8]",
    ],
    [
      '{"size":1]',
      'json_parse_exception',
      "Unexpected close marker ']': expected '}' (for Object starting at [byte offset: #UNKNOWN])\n at [byte offset: #9]",
    ],
    [
      '{"size":1]}',
      'json_parse_exception',
      "Unexpected close marker ']': expected '}' (for Object starting at [byte offset: #UNKNOWN])\n at [byte offset: #9]",
    ],
    [
      '{"size":-',
      'unexpected_end_of_input_exception',
      'Unexpected end-of-input in PROPERTY_NAME\n at [byte offset: #9]',
    ],
    [
      '{"size":1.',
      'json_parse_exception',
      "Unexpected character ('.' (code 46)) in numeric value: Decimal point not followed by a digit\n at [byte offset: #9]",
    ],
    [
      '{"size":1e',
      'unexpected_end_of_input_exception',
      'Unexpected end-of-input in PROPERTY_NAME\n at [byte offset: #10]',
    ],
    [
      '{"size":1e+}',
      'json_parse_exception',
      "Unexpected character ('}' (code 125)) in numeric value: Exponent indicator not followed by a digit\n at [byte offset: #11]",
    ],
    [
      '{"size":-x}',
      'json_parse_exception',
      "Unexpected character ('x' (code 120)) in numeric value: expected digit (0-9) to follow minus sign, for valid numeric value\n at [byte offset: #9]",
    ],
    [
      '{"size":00}',
      'json_parse_exception',
      'Invalid numeric value: Leading zeroes not allowed\n at [byte offset: #9]',
    ],
    [
      '{"size":-01}',
      'json_parse_exception',
      'Invalid numeric value: Leading zeroes not allowed\n at [byte offset: #10]',
    ],
    [
      '{"si\\ze":1}',
      'json_parse_exception',
      "Unrecognized character escape 'z' (code 122)\n at [byte offset: #5]",
    ],
    [
      '{"query":{"match":{"title":"\\u12',
      'unexpected_end_of_input_exception',
      'Unexpected end-of-input in character escape sequence\n at [byte offset: #32]',
    ],
    [
      '{"query":{"match":{"title":"\\',
      'unexpected_end_of_input_exception',
      'Unexpected end-of-input in character escape sequence\n at [byte offset: #29]',
    ],
    [
      '{"query":{"match_all":{}}}]',
      'json_parse_exception',
      "Unexpected close marker ']': no open Array to close\n at [byte offset: #26]",
    ],
    [
      '{"query":{"match_all":{}}},',
      'json_parse_exception',
      "Unexpected character (',' (code 44)): expected a value\n at [byte offset: #26]",
    ],
    [
      '{"query":{"match_all":{}}}:',
      'json_parse_exception',
      "Unexpected character (':' (code 58)): expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [byte offset: #26]",
    ],
    [
      '{"size":Infinity}',
      'json_parse_exception',
      "Non-standard token 'Infinity': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow\n at [byte offset: #16]",
    ],
    [
      '{"size":#1}',
      'json_parse_exception',
      "Unexpected character ('#' (code 35)): expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [byte offset: #8]",
    ],
    [
      '{"size":tru',
      'json_parse_exception',
      "Unrecognized token 'tru': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [byte offset: #8]",
    ],
    [
      '{"size":tr1',
      'json_parse_exception',
      "Unrecognized token 'tr1': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [byte offset: #8]",
    ],
    [
      '{"size":"a\tb"}',
      'json_parse_exception',
      'Illegal unquoted character ((CTRL-CHAR, code 9)): has to be escaped using backslash to be included in string value\n at [byte offset: #10]',
    ],
    [
      '{"size":1}\tx',
      'json_parse_exception',
      "Unrecognized token 'x': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [byte offset: #11]",
    ],
    [
      'x:y',
      'json_parse_exception',
      "Unrecognized token 'x': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [byte offset: #0]",
    ],
    [
      'text',
      'json_parse_exception',
      "Unrecognized token 'text': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [byte offset: #0]",
    ],
  ])('describes the error in %j as Jackson 3 does', (text, type, reason) => {
    const error = jsonSyntaxError(text, 'jackson3')
    expect(error.type).toBe(type)
    expect(error.reason.replaceAll(source, '[')).toBe(reason)
    expect(error.causedBy?.message).toBe(error.reason)
  })

  it.each([
    ['{"a":{}} {}', 'START_OBJECT', 10],
    ['{"a":{}}5', 'VALUE_NUMBER', 9],
    ['{"a":{}}null', 'VALUE_NULL', 9],
  ])('names what follows the value in %j', (text, token, col) => {
    const error = jsonSyntaxError(text, 'jackson3')
    expect(error.type).toBe('parsing_exception')
    expect(error.reason).toBe(`Unexpected token [${token}] found after the main object.`)
    expect(error.details).toEqual({ line: 1, col })
  })
})
