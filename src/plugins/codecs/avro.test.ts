import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import { float, type Value } from '../../event/value.ts'
import { codecFor, decodeWith, type TestOptions, testEvent } from '../../plugin/testing.ts'
import { readAvro } from './avro/reader.ts'
import { avroSchema } from './avro/schema.ts'
import { writeAvro } from './avro/writer.ts'
import avro from './avro.ts'
import { mutations } from './test-mutations.ts'

describe('the binary encoding', () => {
  // The first rows are the examples of the specification.
  it.each<[Value, string, Value]>([
    ['long', '00', 0],
    ['long', '01', -1],
    ['long', '02', 1],
    ['long', '7f', -64],
    ['long', '8001', 64],
    ['string', '06666f6f', 'foo'],
    [
      {
        type: 'record',
        name: 'test',
        fields: [
          { name: 'a', type: 'long' },
          { name: 'b', type: 'string' },
        ],
      },
      '3606666f6f',
      { a: 27, b: 'foo' },
    ],
    [{ type: 'enum', name: 'Foo', symbols: ['A', 'B', 'C', 'D'] }, '06', 'D'],
    [{ type: 'array', items: 'long' }, '04063600', [3, 27]],
    [['null', 'string'], '00', null],
    [['null', 'string'], '020261', 'a'],
    ['long', 'feffffffffffffffff01', 9223372036854775807n],
    ['boolean', '01', true],
    ['double', '000000000000f03f', float(1)],
    [{ type: 'map', values: 'int' }, '0202610a00', { a: 5 }],
    [{ type: 'fixed', name: 'f', size: 2 }, '6162', 'ab'],
    [{ type: 'long', logicalType: 'timestamp-millis' }, '80a0abfef962', new Timestamp(1700000000000)],
  ])('%j %s', (schema, hex, value) => {
    const type = avroSchema(schema)
    expect(readAvro(Buffer.from(hex, 'hex'), type)).toEqual(value)
    expect(writeAvro(value, type).toString('hex')).toBe(hex)
  })

  it('reads blocks that say their size, and decimals', () => {
    expect(readAvro(Buffer.from('0304063600', 'hex'), avroSchema({ type: 'array', items: 'long' }))).toEqual([
      3, 27,
    ])
    const decimal = avroSchema({ type: 'bytes', logicalType: 'decimal', precision: 4, scale: 2 })
    expect(readAvro(Buffer.from('04ff85', 'hex'), decimal)).toBe(-1.23)
  })

  it('knows types by name, within their own fields too', () => {
    const fields = [
      { name: 'v', type: 'int' },
      { name: 'next', type: ['null', 'Node'] },
    ]
    const type = avroSchema({ type: 'record', name: 'Node', namespace: 'a.b', fields })
    const value = { v: 1, next: { v: 2, next: null } }
    expect(readAvro(writeAvro(value, type), type)).toEqual(value)
    expect(() => avroSchema('nobody')).toThrow('"nobody" is not a schema we know about.')
  })
})

const schema = {
  type: 'record',
  name: 'event',
  fields: [
    { name: 'user', type: 'string' },
    { name: 'n', type: ['null', 'long'], default: null },
    { name: 'list', type: { type: 'array', items: 'null' }, default: [] },
  ],
}
const schema_uri = join(mkdtempSync(join(tmpdir(), 'avro-')), 'schema.avsc')
writeFileSync(schema_uri, JSON.stringify(schema))
const codec = (options: TestOptions = {}) => codecFor(avro, { schema_uri, ...options })
const datum = writeAvro({ user: 'kim', n: 7, list: [] }, avroSchema(schema))

describe('avro', () => {
  it('reads base64 and binary, writes both', () => {
    const expected = [{ user: 'kim', n: 7, list: [] }]
    expect(decodeWith(codec(), datum.toString('base64'))).toEqual(expected)
    expect(decodeWith(codec(), datum)).toEqual(expected)
    expect(decodeWith(codec({ encoding: 'binary' }), datum)).toEqual(expected)
    expect(codec().encode!(testEvent({ user: 'kim', n: 7 }))).toBe(datum.toString('base64'))
    expect(codec({ encoding: 'binary' }).encode!(testEvent({ user: 'kim', n: 7 }))).toEqual(datum)
  })

  it.each([
    [true, 'binary', datum.toString('base64')],
    [false, 'base64', datum],
  ])('goes by base64_encoding => %s whatever encoding says', (base64_encoding, encoding, written) => {
    const made = codec({ base64_encoding, encoding })
    expect(made.encode!(testEvent({ user: 'kim', n: 7 }))).toEqual(written)
  })

  it('reads below a target', () => {
    expect(decodeWith(codec({ target: 't' }), datum)).toEqual([{ t: { user: 'kim', n: 7, list: [] } }])
  })

  it('keeps what it cannot read, with a tag if wanted', () => {
    expect(decodeWith(codec(), 'no')).toEqual([{ message: 'no' }])
    const tagged = codec({ tag_on_failure: true })
    expect(decodeWith(tagged, 'no')).toEqual([{ message: 'no', tags: ['_avroparsefailure'] }])
  })

  it('refuses events that do not fit', () => {
    expect(() => codec().encode!(testEvent({ user: 5 }))).toThrow('user is not of the type string')
  })

  it('makes one event of each of 10,000 mutated payloads', () => {
    const made = codec({ encoding: 'binary', tag_on_failure: true })
    for (const bytes of mutations(
      [datum, writeAvro({ user: 'x', n: null, list: [null, null] }, avroSchema(schema))],
      10_000,
    )) {
      const events = decodeWith(made, bytes)
      if (bytes.length > 0 && events.length !== 1) expect.fail(bytes.toString('hex'))
    }
  })
})
