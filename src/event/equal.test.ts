import { expect, test } from 'vitest'
import { deepEqual } from './equal.ts'
import { parseJson } from './json-parse.ts'
import { Timestamp } from './timestamp.ts'
import { LsFloat, type Value } from './value.ts'

const equal: [Value | undefined, Value | undefined][] = [
  [undefined, undefined],
  [null, null],
  [1, 1],
  [0, -0],
  [1.5, 1.5],
  ['a', 'a'],
  [10n ** 20n, 10n ** 20n],
  [new LsFloat(1), new LsFloat(1)],
  [new LsFloat(Number.NaN), new LsFloat(Number.NaN)],
  [new Timestamp(5, 6), new Timestamp(5, 6)],
  [[], []],
  [
    [1, ['a']],
    [1, ['a']],
  ],
  [{}, {}],
  [
    { a: 1, b: { c: [null] } },
    { b: { c: [null] }, a: 1 },
  ],
  [{ a: 1, gone: undefined }, { a: 1 }],
  [{ a: 1 }, { a: 1, gone: undefined }],
  [
    { gone: undefined, a: 1 },
    { a: 1, other: undefined },
  ],
  [parseJson('{"__proto__":{"a":1}}'), parseJson('{"__proto__":{"a":1}}')],
]

const unequal: [Value | undefined, Value | undefined][] = [
  [undefined, null],
  [1, new LsFloat(1)],
  [1, '1'],
  [true, 'true'],
  [1, true],
  [0, null],
  [1, 1n],
  [1.5, '1.5'],
  [new LsFloat(1), new LsFloat(2)],
  [10n ** 20n, new LsFloat(1e20)],
  [new Timestamp(5, 6), new Timestamp(5, 7)],
  [new Timestamp(0), '1970-01-01T00:00:00.000Z'],
  [new Timestamp(0), {}],
  [{}, new LsFloat(0)],
  [[], {}],
  [{}, []],
  [[], null],
  [
    [1, 2],
    [2, 1],
  ],
  [[1], [1, 2]],
  [{ a: 1 }, { a: new LsFloat(1) }],
  [{ a: null }, {}],
  [{ a: null }, { b: null }],
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ toString: 'x' }, { a: 'x' }],
  [parseJson('{"__proto__":1}'), {}],
]

test.each(equal)('%# equal', (a, b) => {
  expect(deepEqual(a, b)).toBe(true)
  expect(deepEqual(b, a)).toBe(true)
})

test.each(unequal)('%# not equal', (a, b) => {
  expect(deepEqual(a, b)).toBe(false)
  expect(deepEqual(b, a)).toBe(false)
})

test('values nested without end are refused, not a crash', () => {
  const deep = () => {
    let value: Value = 1
    for (let depth = 0; depth < 100_000; depth++) value = [value]
    return value
  }
  expect(() => deepEqual(deep(), deep())).toThrow(RangeError)
})
