import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonParseError, maxJsonDepth, needsExactParse, parseJson, parseJsonExactly } from './json-parse.ts'
import { LsFloat, type Value } from './value.ts'

const numbers: [text: string, value: Value][] = [
  ['0', 0],
  ['-0', 0],
  ['1', 1],
  ['-17', -17],
  ['1.5', 1.5],
  ['1.50', 1.5],
  ['-0.25', -0.25],
  ['1443675967.089', new LsFloat(1443675967.089)],
  ['9999999.5', 9999999.5],
  ['10000000.5', new LsFloat(10000000.5)],
  ['0.001', 0.001],
  ['0.0005', new LsFloat(0.0005)],
  ['1.0', new LsFloat(1)],
  ['1.000', new LsFloat(1)],
  ['-1.0', new LsFloat(-1)],
  ['0.0', new LsFloat(0)],
  ['-0.0', new LsFloat(-0)],
  ['10.0', new LsFloat(10)],
  ['1e5', new LsFloat(100_000)],
  ['1E5', new LsFloat(100_000)],
  ['1e+5', new LsFloat(100_000)],
  ['12.5e1', new LsFloat(125)],
  ['1e-2', 0.01],
  ['1.5e-3', 0.0015],
  ['1e20', new LsFloat(1e20)],
  ['1e400', new LsFloat(Infinity)],
  ['-1e400', new LsFloat(-Infinity)],
  ['9007199254740991', 9007199254740991],
  ['-9007199254740991', -9007199254740991],
  ['9007199254740992', 9007199254740992n],
  ['-9007199254740993', -9007199254740993n],
  ['1700000000000000', 1700000000000000],
  ['1700000000000000000', 1700000000000000000n],
  ['12345678901234567890', 12345678901234567890n],
  ['123456789012345678901234567890', 123456789012345678901234567890n],
  ['0.99999999999999999999', new LsFloat(1)],
  ['1.00000000000000000001', new LsFloat(1)],
  ['12345678901234567.5', new LsFloat(12345678901234568)],
  ['9007199254740993.5', new LsFloat(9007199254740994)],
  ['12345678901234.999999999', new LsFloat(12345678901235)],
  ['100000000000000000000.0', new LsFloat(1e20)],
]

describe('numbers', () => {
  test.each(numbers)('%s', (text, value) => {
    expect(parseJson(text)).toEqual(value)
    const inFrame = (frame: string) => parseJson(frame.replace('%', text)) as { a: Value[] }
    expect(inFrame('{"a":[%]}').a[0]).toEqual(value)
    expect(inFrame('{"a":[1,%,2]}').a[1]).toEqual(value)
    expect(inFrame('{"a": [1,\n\t%\r\n]}').a[1]).toEqual(value)
    expect(inFrame('{"a":%}').a).toEqual(value)
    expect(inFrame('{ "a" : % }').a).toEqual(value)
  })

  test('the kind of any number is kept, wherever it stands', () => {
    const text = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.double({ noNaN: true, min: -1e9, max: 1e9 }).map((n) => n.toFixed(3)),
      fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String),
      fc
        .tuple(fc.stringMatching(/^(0|[1-9]\d{0,20})$/), fc.stringMatching(/^[09]{0,20}\d?$/))
        .map(([whole, rest]) => (rest === '' ? whole : `${whole}.${rest}`)),
    )
    fc.assert(
      fc.property(
        text,
        fc.constantFrom('{"a":%}', '[%]', '[0, %]', '%', '{"a": {"b":[1,%,2]}}'),
        (number, frame) => {
          const document = frame.replace('%', number)
          expect(parseJson(document)).toEqual(parseJsonExactly(document))
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('integers have at most 1000 digits', () => {
    expect(parseJson('9'.repeat(1000))).toBe(10n ** 1000n - 1n)
    expect(() => parseJson(`[${'9'.repeat(1001)}]`)).toThrow(
      /^Number value length \(1001\) exceeds the maximum allowed/,
    )
    expect(() => parseJson('9'.repeat(1_000_000))).toThrow(JsonParseError)
  })

  test('ordinary log lines are left to the native parser', () => {
    for (const line of [
      '{"@timestamp":"2015-10-01T05:06:07.000Z","version":"1.0","ua":"Mozilla/5.0 (X11; Linux) Gecko/20.0","bytes":203023}',
      '{"ip":"10.0.0.1","took":1.25,"ms":1443675967089,"us":1443675967089123,"lon":-0.1278,"neg":-5}',
      '{"id":"550e8400-e29b-41d4-a716-446655440000","trace":"12345678901234567890","n":"-0"}',
    ]) {
      expect(needsExactParse(line), line).toBe(false)
    }
  })

  test('a chunk needs the exact parser if one of its lines does', () => {
    expect(needsExactParse('{"a":1}\n{"a":2}\n')).toBe(false)
    expect(needsExactParse('{"a":1}\n{"a":2.0}\n')).toBe(true)
    expect(needsExactParse('{"a":1}\n1.0\n')).toBe(true)
  })
})

describe('structure', () => {
  test('names of inherited properties are plain fields', () => {
    for (const number of ['1', '1.0']) {
      const parsed = parseJson(`{"__proto__":{"x":${number}},"constructor":2,"toString":null}`) as Record<
        string,
        Value
      >
      expect(Object.keys(parsed)).toEqual(['__proto__', 'constructor', 'toString'])
      expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
    }
  })

  test('of equal names the last wins', () => {
    expect(parseJson('{"a":1,"b":2,"a":3}')).toEqual({ a: 3, b: 2 })
    expect(parseJson('{"a":1.0,"b":2,"a":3}')).toEqual({ a: 3, b: 2 })
    expect(parseJson('{"__proto__":1.0,"__proto__":3}')).toEqual(JSON.parse('{"__proto__":3}'))
  })

  test('nesting is bounded, with either parser', () => {
    const nested = (depth: number, inner: string) => '['.repeat(depth) + inner + ']'.repeat(depth)
    for (const inner of ['1', '1.0']) {
      expect(parseJson(nested(maxJsonDepth, inner))).toBeInstanceOf(Array)
      expect(() => parseJson(nested(maxJsonDepth + 1, inner))).toThrow(
        /^Document nesting depth \(1001\) exceeds/,
      )
      expect(() => parseJson(nested(200_000, inner))).toThrow(JsonParseError)
      expect(() => parseJson(`${'{"a":'.repeat(1001)}${inner}${'}'.repeat(1001)}`)).toThrow(JsonParseError)
    }
    expect(parseJson(`[${'[],{},'.repeat(2000)}1]`)).toHaveLength(4001)
  })
})

/** JSON.parse gives the same structure; LsFloat and bigint become the numbers that it reads. */
function asNative(value: Value | undefined): unknown {
  if (value instanceof LsFloat) return value.value
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(asNative)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, asNative(field as Value)]))
}

function native(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function exact(text: string): { value: unknown } | undefined {
  try {
    return { value: asNative(parseJsonExactly(text)) }
  } catch (error) {
    expect(error).toBeInstanceOf(JsonParseError)
    return undefined
  }
}

/** `-0` is the integer 0 here and a negative zero there. */
function withoutNegativeZero(text: string): string {
  return text.replace(/-0(?![.\d])/g, '-1')
}

describe('the exact parser accepts what JSON.parse accepts', () => {
  test('valid documents', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (text, indent) => {
        const document = withoutNegativeZero(JSON.stringify(JSON.parse(text), null, indent))
        expect(exact(document)).toEqual(native(document))
      }),
    )
  })

  test('documents with a character changed, added or lost', () => {
    const character = fc.constantFrom(...'{}[]",:\\/ 0123456789.eE+-tfnulr\n\u0001é\u00a0\ud800')
    fc.assert(
      fc.property(fc.json(), fc.nat(), character, fc.nat(2), (text, at, replacement, lost) => {
        const place = at % (text.length + 1)
        const document = withoutNegativeZero(text.slice(0, place) + replacement + text.slice(place + lost))
        expect(exact(document)).toEqual(native(document))
      }),
      { numRuns: 2000 },
    )
  })

  test('short texts of the characters that matter', () => {
    const text = fc.array(fc.constantFrom(...'{}[]",:\\ 01.eE+-u', 'true', 'null', '"a"'), { maxLength: 8 })
    fc.assert(
      fc.property(text, (parts) => {
        const document = withoutNegativeZero(parts.join(''))
        expect(exact(document)).toEqual(native(document))
      }),
      { numRuns: 3000 },
    )
  })
})

const valid = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')"

const errors: [text: string, problem: string, line: number, column: number][] = [
  ['{"a":x}', `Unrecognized token 'x': was expecting ${valid}`, 1, 7],
  ['foo', `Unrecognized token 'foo': was expecting ${valid}`, 1, 4],
  ['<html>', `Unexpected character ('<' (code 60)): expected a valid value ${valid}`, 1, 2],
  ['{\\"a', `Unexpected character ('\\' (code 92)): was expecting double-quote to start field name`, 1, 3],
  [
    '{"a" 1}',
    `Unexpected character ('1' (code 49)): was expecting a colon to separate field name and value`,
    1,
    7,
  ],
  ['[1 2]', `Unexpected character ('2' (code 50)): was expecting comma to separate Array entries`, 1, 5],
  [
    '{"a":1 "b":2}',
    `Unexpected character ('"' (code 34)): was expecting comma to separate Object entries`,
    1,
    9,
  ],
  ['[\n 1,\n ]', `Unexpected character (']' (code 93)): expected a valid value ${valid}`, 3, 3],
  ['"a', 'Unexpected end-of-input: was expecting closing quote for a string value', 1, 3],
  ['{"a', 'Unexpected end-of-input in field name', 1, 4],
  ['{"a":', 'Unexpected end-of-input within/between Object entries', 1, 6],
  ['"\\x"', "Unrecognized character escape 'x' (code 120)", 1, 4],
  ['01', 'Invalid numeric value: Leading zeroes not allowed', 1, 2],
  [
    '1.x',
    "Unexpected character ('x' (code 120)) in numeric value: Decimal point not followed by a digit",
    1,
    4,
  ],
]

test.each(errors)('%s', (text, problem, line, column) => {
  const expected = `${problem}\n at [Source: (String)"${text}"; line: ${line}, column: ${column}]`
  expect(() => parseJson(text)).toThrow(expect.objectContaining({ message: expected, line, column }))
})

test('an open object names where it began', () => {
  const place = (column: number) => `[Source: (String)"{"a":1"; line: 1, column: ${column}]`
  const message = `Unexpected end-of-input: expected close marker for Object (start marker at ${place(1)})`
  expect(() => parseJson('{"a":1')).toThrow(
    expect.objectContaining({ message: `${message}\n at ${place(7)}` }),
  )
})

test('of a long text only the beginning is quoted', () => {
  const text = `[${'"abcdefgh",'.repeat(100)}`
  expect(() => parseJson(text)).toThrow(
    `${text.slice(0, 500)}"[truncated ${text.length - 500} chars]; line: 1, column: 1102]`,
  )
})
