import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deepEqual } from './equal.ts'
import { parseJson } from './json-parse.ts'
import { writeJson, writePrettyJson } from './json-write.ts'
import { Timestamp } from './timestamp.ts'
import { type Fields, float, integer, LsFloat, type Value } from './value.ts'

const written: [value: Value, text: string][] = [
  [null, 'null'],
  [true, 'true'],
  ['a/b é \u2028', '"a/b é \u2028"'],
  ['"\\\n\t\u0001', '"\\"\\\\\\n\\t\\u0001"'],
  [5, '5'],
  [1.5, '1.5'],
  [new LsFloat(1), '1.0'],
  [new LsFloat(-0), '-0.0'],
  [new LsFloat(9999999), '9999999.0'],
  [new LsFloat(1e7), '1.0E7'],
  [new LsFloat(1e20), '1.0E20'],
  [new LsFloat(Number.NaN), '"NaN"'],
  [new LsFloat(Infinity), '"Infinity"'],
  [new LsFloat(-Infinity), '"-Infinity"'],
  [[1, 1e-7, 123456789.123, 0.001, 0.0005].map(float), '[1.0,1.0E-7,1.23456789123E8,0.001,5.0E-4]'],
  [12345678901234567890n, '12345678901234567890'],
  [{ a: -9007199254740993n, b: [1, new LsFloat(2)] }, '{"a":-9007199254740993,"b":[1,2.0]}'],
  [new Timestamp(1443675967089), '"2015-10-01T05:06:07.089Z"'],
  [{ at: new Timestamp(0), n: 1n }, '{"at":"1970-01-01T00:00:00.000Z","n":1}'],
  [{ a: undefined, b: 1 }, '{"b":1}'],
  [{ a: undefined, 'k"': new LsFloat(1) }, '{"k\\"":1.0}'],
  [{ a: {}, b: [], c: '"', d: new LsFloat(0) }, '{"a":{},"b":[],"c":"\\"","d":0.0}'],
]

test.each(written)('%# %s', (value, text) => {
  expect(writeJson(value)).toBe(text)
})

test('a boxed float is a number for everybody else', () => {
  expect(writeJson({ a: new LsFloat(1), b: float(12345678.5) })).toBe('{"a":1.0,"b":1.23456785E7}')
  expect(JSON.stringify({ a: new LsFloat(1), b: float(12345678.5) })).toBe('{"a":1,"b":12345678.5}')
})

test('__proto__ is a field', () => {
  expect(writeJson(parseJson('{"__proto__":1.0,"a":{"__proto__":2}}'))).toBe(
    '{"__proto__":1.0,"a":{"__proto__":2}}',
  )
})

test('values nested without end are refused, not a crash', () => {
  let deep: Value = 1n
  for (let depth = 0; depth < 3000; depth++) deep = [deep]
  expect(() => writeJson(deep)).toThrow(RangeError)
  expect(() => writePrettyJson(deep)).toThrow(RangeError)
  const circle: Fields = { n: 1n }
  circle['self'] = circle
  expect(() => writeJson(circle)).toThrow(RangeError)
})

test('pretty text has a member or an element per line', () => {
  const value: Value = {
    a: 1,
    gone: undefined,
    b: [new LsFloat(1), {}, []],
    c: { d: 1n, t: new Timestamp(0) },
  }
  expect(writePrettyJson(value)).toBe(`{
  "a": 1,
  "b": [
    1.0,
    {},
    []
  ],
  "c": {
    "d": 1,
    "t": "1970-01-01T00:00:00.000Z"
  }
}`)
  expect(writePrettyJson('x')).toBe('"x"')
})

const anyValue: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.maxSafeInteger().map((n) => n + 0),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(float),
    fc.integer().map((n) => new LsFloat(n)),
    fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(integer),
    fc.array(tie('value'), { maxLength: 5 }),
    fc
      .array(
        fc.tuple(
          fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toJSON', '0')),
          tie('value'),
        ),
        {
          maxLength: 5,
        },
      )
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value

test('any value comes back from its text, compact or pretty', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      expect(deepEqual(parseJson(writeJson(value)), value)).toBe(true)
      expect(deepEqual(parseJson(writePrettyJson(value)), value)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('pretty text without boxed numbers is that of JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 4 }), (json, indent) => {
      const plain = JSON.parse(JSON.stringify(json), (_, value) =>
        typeof value === 'number' ? 7 : value,
      ) as Value
      expect(writePrettyJson(plain, indent)).toBe(JSON.stringify(plain, null, indent))
    }),
  )
})
