import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../../../event/timestamp.ts'
import { float, LsFloat, type Value } from '../../../../event/value.ts'
import { fromWire, toWire } from './wire.ts'

const name = fc.constantFrom('a', '\0', '\0t', '\0f', '\0\0t', '__proto__', 'constructor', '\\u0000')
const value = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Value[]>(null, true, 0, -7, 2n ** 70n, 0.5, 'é\0€', '\\u0000', ''),
    fc.constantFrom(1, 0, NaN, Infinity, -Infinity, 1e21).map(float),
    fc
      .tuple(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 0, max: 999_999 }))
      .map(([millis, nanos]) => new Timestamp(millis, nanos)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 3 }).map((members) => {
      const fields = {}
      for (const [key, item] of members) {
        Object.defineProperty(fields, key, {
          value: item,
          enumerable: true,
          configurable: true,
          writable: true,
        })
      }
      return fields as Value
    }),
  ),
})).value

describe('the way to Ruby in WebAssembly and back', () => {
  it('keeps every value as it is', () => {
    fc.assert(
      fc.property(value, (given) => {
        expect(fromWire(toWire(given))).toEqual(given)
      }),
    )
  })

  it('is JSON, times and unusual floats apart', () => {
    expect(toWire(undefined)).toBe('null')
    expect(toWire({ n: 1, f: new LsFloat(1) })).toBe('{"n":1,"f":1.0}')
    expect(toWire(new Timestamp(1, 2))).toBe('{"\\u0000t":"1970-01-01T00:00:00.001000002Z"}')
    expect(toWire(new LsFloat(Number.NaN))).toBe('{"\\u0000f":"NaN"}')
  })
})
