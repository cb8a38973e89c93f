import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SourceShape } from './source-shape.ts'

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const text = (given: Uint8Array) => Buffer.from(given).toString()

const shape = new SourceShape(['{"a":"', ',"b":[', ', ', '],"ö":"', '}'].map(bytes))

describe('a shape', () => {
  it('restores documents from values', () => {
    expect(text(shape.document(bytes('x"1,-2.5e3,ü\\"\\\\"')))).toBe(
      '{"a":"x","b":[1, -2.5e3],"ö":"ü\\"\\\\"}',
    )
    expect(text(shape.document(bytes('"true,0,"')))).toBe('{"a":"","b":[true, 0],"ö":""}')
  })

  it('restores documents with any texts and numbers', () => {
    const string = fc.string({ maxLength: 40, unit: fc.constantFrom('a', 'ö', '"', '\\', '\n', '漢', '😀') })
    fc.assert(
      fc.property(string, fc.integer(), fc.double({ noNaN: true }), string, (a, b, c, d) => {
        const inner = (given: string) => JSON.stringify(given).slice(1)
        const values = `${inner(a)}${b},${c},${inner(d)}`
        const document = `{"a":${JSON.stringify(a)},"b":[${b}, ${c}],"ö":${JSON.stringify(d)}}`
        expect(text(shape.document(bytes(values)))).toBe(document)
      }),
    )
  })

  it('is decoded from its definition at any offset', () => {
    const { definition } = shape
    const among = Buffer.concat([Buffer.from('before'), definition, Buffer.from('after')])
    const again = SourceShape.at(among, 6)
    expect(again.definition).toEqual(definition)
    among.fill(0)
    expect(text(again.document(bytes('x"1,2,y"')))).toBe('{"a":"x","b":[1, 2],"ö":"y"}')
  })

  it('refuses values that do not fit', () => {
    for (const values of [
      '',
      'x"',
      'x"1,',
      'x"1,2,',
      'x"1,2,y',
      'x"1,2,y"z',
      'x"1,2,y"z"',
      'x"1,2,y\\"',
      '"',
    ])
      expect(() => shape.document(bytes(values)), values).toThrow(RangeError)
  })

  it('refuses a definition that is truncated or too large', () => {
    const { definition } = shape
    for (let length = 0; length < definition.length; length++)
      expect(() => SourceShape.at(definition.subarray(0, length), 0)).toThrow(RangeError)
    expect(() => SourceShape.at(new Uint8Array([0xff, 0xff, 0x7f]), 0)).toThrow(RangeError)
    expect(() => SourceShape.at(new Uint8Array(9).fill(0xff), 0)).toThrow(RangeError)
  })

  it('terminates on damaged bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 60 }),
        fc.uint8Array({ maxLength: 60 }),
        (definition, values) => {
          try {
            const made = SourceShape.at(definition, 0).document(values)
            expect(made.length).toBeLessThanOrEqual(120)
          } catch (error) {
            expect(error).toBeInstanceOf(RangeError)
          }
        },
      ),
      { numRuns: 5000 },
    )
  })
})
