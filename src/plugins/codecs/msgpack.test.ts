import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import { type Fields, float, LsFloat, putField, type Value } from '../../event/value.ts'
import { codecFor, decodeWith, testEvent } from '../../plugin/testing.ts'
import { IncompleteData, MsgpackReader, unpack } from './msgpack/reader.ts'
import { pack } from './msgpack/writer.ts'
import msgpack from './msgpack.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

describe('MessagePack', () => {
  it.each<[string, Value]>([
    ['00', 0],
    ['7f', 127],
    ['cc 80', 128],
    ['cd 0100', 256],
    ['ce 00010000', 65536],
    ['cf 0000000100000000', 4294967296],
    ['cf ffffffffffffffff', 18446744073709551615n],
    ['ff', -1],
    ['e0', -32],
    ['d0 df', -33],
    ['d1 ff7f', -129],
    ['d2 ffff7fff', -32769],
    ['d3 8000000000000000', -9223372036854775808n],
    ['cb 3ff8000000000000', 1.5],
    ['cb 3ff0000000000000', new LsFloat(1)],
    ['c0', null],
    ['c2', false],
    ['c3', true],
    ['a0', ''],
    ['a2 c3a9', 'é'],
    ['93 01 02 03', [1, 2, 3]],
    ['82 a161 01 a162 90', { a: 1, b: [] }],
  ])('%s is %o, both ways', (bytes, value) => {
    expect(unpack(hex(bytes))).toEqual(value)
    expect(pack(value).toString('hex')).toBe(bytes.replaceAll(' ', ''))
  })

  it.each<[string, Value]>([
    ['ca 3fc00000', 1.5],
    ['c4 01 61', 'a'],
    ['c5 0001 61', 'a'],
    ['c6 00000001 61', 'a'],
    ['d9 01 61', 'a'],
    ['dd 00000001 05', [5]],
    ['df 00000001 a161 05', { a: 5 }],
    ['d6 ff 00000001', new Timestamp(1000)],
    ['d7 ff 0000000400000002', new Timestamp(2000, 1)],
    ['c7 0c ff 00000001 0000000000000003', new Timestamp(3000, 1)],
    ['d7 00 00000002 000f4241', new Timestamp(2001, 1)],
  ])('reads %s as %o', (bytes, value) => {
    const read = unpack(hex(bytes))
    if (value instanceof Timestamp) expect((read as Timestamp).equals(value)).toBe(true)
    else expect(read).toEqual(value)
  })

  it('gives back what was written', () => {
    const scalar = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.maxSafeInteger(),
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(float),
    )
    const value = fc.letrec<{ any: Value }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        scalar,
        fc.array(tie('any'), { maxLength: 20 }),
        fc.array(fc.tuple(fc.string(), tie('any')), { maxLength: 5 }).map((pairs) => {
          const fields: Fields = {}
          for (const [name, item] of pairs) putField(fields, name, item)
          return fields
        }),
      ),
    })).any
    fc.assert(
      fc.property(value, (any) => {
        expect(unpack(pack(any))).toEqual(any)
      }),
    )
  })

  it('never takes bytes for granted', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          new MsgpackReader(bytes).read()
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
        }
      }),
    )
    expect(() => unpack(hex('df ffffffff'))).toThrow(IncompleteData)
    expect(() => unpack(Buffer.alloc(1000, 0x91))).toThrow()
  })
})

describe('msgpack', () => {
  it('reads a map into an event', () => {
    const bytes = pack({ a: 1, b: { c: 'x' } })
    expect(decodeWith(codecFor(msgpack), bytes)).toEqual([{ a: 1, b: { c: 'x' } }])
    expect(decodeWith(codecFor(msgpack, { target: '[t]' }), bytes)).toEqual([{ t: { a: 1, b: { c: 'x' } } }])
    expect(decodeWith(codecFor(msgpack, { format: '%{a}!' }), bytes)).toEqual([
      { a: 1, b: { c: 'x' }, message: '1!' },
    ])
  })

  it('tags what it cannot read', () => {
    expect(decodeWith(codecFor(msgpack), 'x')).toEqual([{ message: 'x', tags: ['_msgpackparsefailure'] }])
    expect(decodeWith(codecFor(msgpack), hex('81a16101 00'))[0]!['tags']).toEqual(['_msgpackparsefailure'])
  })

  it('writes the time as text', () => {
    const bytes = codecFor(msgpack).encode!(testEvent({ a: 1 })) as Uint8Array
    expect(unpack(bytes)).toEqual({ a: 1, '@timestamp': '2015-10-01T05:06:07.089Z', '@version': '1' })
  })
})
