import { expect, test } from 'vitest'
import { cloneValue } from './clone.ts'
import { parseJson } from './json-parse.ts'
import { Timestamp } from './timestamp.ts'
import { type Fields, LsFloat, readField, type Value } from './value.ts'

test('maps and lists are copied, values that cannot change are shared', () => {
  const time = new Timestamp(5)
  const half = new LsFloat(1)
  const original = { a: [1, { b: 'x' }], time, half, big: 10n ** 20n, none: null }
  const copy = cloneValue(original)
  expect(copy).toEqual(original)
  expect(copy).not.toBe(original)
  expect(copy.a).not.toBe(original.a)
  expect(copy.a[1]).not.toBe(original.a[1])
  expect(copy.time).toBe(time)
  expect(copy.half).toBe(half)
  ;(copy.a[1] as Fields)['b'] = 'changed'
  expect((original.a[1] as Fields)['b']).toBe('x')
})

test('scalars are returned as they are', () => {
  for (const value of ['a', 1, 1n, true, null, undefined]) expect(cloneValue(value)).toBe(value)
})

test('removed fields are left out at every level', () => {
  const copy = cloneValue({ a: 1, gone: undefined, b: { gone: undefined, c: [{ gone: undefined }] } })
  expect(Object.keys(copy)).toEqual(['a', 'b'])
  expect(Object.keys(copy.b)).toEqual(['c'])
  expect(Object.keys(copy.b.c[0]!)).toEqual([])
})

test('__proto__ is copied as a plain field', () => {
  for (const text of ['{"__proto__":{"x":[1]},"a":2}', '{"a":{"__proto__":3}}']) {
    const original = parseJson(text) as Fields
    const withRemoved = { ...original, gone: undefined }
    for (const copy of [cloneValue(original), cloneValue(withRemoved)]) {
      expect(JSON.stringify(copy)).toBe(text)
      expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    }
  }
  const original = parseJson('{"__proto__":{"x":[1]}}') as Fields
  expect(readField(cloneValue(original), '__proto__')).not.toBe(readField(original, '__proto__'))
})

test('values nested without end are refused, not a crash', () => {
  let deep: Value = 1
  for (let depth = 0; depth < 100_000; depth++) deep = { a: deep }
  expect(() => cloneValue(deep)).toThrow(RangeError)
})
