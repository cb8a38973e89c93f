/**
 * The bytes below were written by Jackson 2.15 with Logstash's settings (default typing of non-final classes, integers
 * that are not minimal), of a map `{"f": value}`; `META` comes first because Java's HashMap orders it so.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Event } from '../../event/event.ts'
import { maxNesting } from '../../event/nesting.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { type Fields, float, LsFloat, type Value } from '../../event/value.ts'
import { MalformedCbor } from './cbor-reader.ts'
import { deserializeEvent, serializeEvent } from './event-bytes.ts'

const text = (value: string) => {
  const bytes = Buffer.from(value)
  const head = bytes.length < 24 ? [0x60 + bytes.length] : [0x78, bytes.length]
  return Buffer.concat([Buffer.from(head), bytes]).toString('hex')
}
const start = `9f${text('java.util.HashMap')}bf`
const meta = `${text('META')}9f${text('org.logstash.ConvertedMap')}bfffff`
const data = `${text('DATA')}9f${text('org.logstash.ConvertedMap')}bf`

function fromJackson(value: string): Event {
  return deserializeEvent(Buffer.from(`${start}${meta}${data}6166${value}ffffffff`, 'hex'))
}

const longText = `7f790f9c${'78'.repeat(3996)}790f9c${'78'.repeat(3996)}${'6178'}ff`

const written: readonly (readonly [title: string, bytes: string, value: Value])[] = [
  ['a string', '9f746f72672e6a727562792e52756279537472696e676368c3a9ff', 'hé'],
  ['an empty string', '9f746f72672e6a727562792e52756279537472696e6760ff', ''],
  [
    'a long string in pieces',
    `9f746f72672e6a727562792e52756279537472696e67${longText}ff`,
    'x'.repeat(2 * 3996 + 1),
  ],
  ['an integer', '1b0000000000000001', 1],
  ['an integer with its class', '9f6e6a6176612e6c616e672e4c6f6e671b0000000000000001ff', 1],
  ['a negative integer', '3b0000000000000001', -2],
  ['the largest long', '1b7fffffffffffffff', 2n ** 63n - 1n],
  ['the smallest long', '3b7fffffffffffffff', -(2n ** 63n)],
  ['a double', 'fb3ff8000000000000', 1.5],
  ['true', 'f5', true],
  ['false', 'f4', false],
  ['nil', '9f716f72672e6a727562792e527562794e696cf6ff', null],
  ['null of Java', 'f6', null],
  ['a big integer', '9f746a6176612e6d6174682e426967496e7465676572c249010000000000000000ff', 2n ** 64n],
  ['a big integer without class', 'c249008000000000000000', 2n ** 63n],
  [
    'a negative big integer',
    '9f746a6176612e6d6174682e426967496e7465676572c349010000000000000000ff',
    -(2n ** 64n),
  ],
  ['a decimal', '9f746a6176612e6d6174682e426967446563696d616cc48221187dff', 1.25],
  ['a large decimal', 'c48220c34d0f951a9fa3a286c94f0e766c39', float(-1.2345678901234568e29)],
  [
    'a time',
    '9f766f72672e6c6f6773746173682e54696d657374616d707818323032302d30312d30325430333a30343a30352e3637385aff',
    new Timestamp(1577934245678),
  ],
  [
    'a list',
    '9f781a6f72672e6c6f6773746173682e436f6e7665727465644c6973749f1b00000000000000019f746f72672e6a727562792e52756279537472696e676161ffffff',
    [1, 'a'],
  ],
  ['an empty list', '9f781a6f72672e6c6f6773746173682e436f6e7665727465644c6973749fffff', []],
  [
    'a map',
    '9f78196f72672e6c6f6773746173682e436f6e7665727465644d6170bf616b9f746f72672e6a727562792e52756279537472696e676176ffffff',
    { k: 'v' },
  ],
]

describe('events of Logstash', () => {
  it.each(written)('are read: %s', (_, bytes, value) => {
    expect(fromJackson(bytes).get('f')).toEqual(value)
  })

  it('are written in the forms of Jackson', () => {
    const sameBothWays = written.filter(
      ([title]) => !/pieces|with its class|of Java|decimal|big integer$/.test(title),
    )
    for (const [, bytes, value] of sameBothWays) {
      const event = new Event({ f: value })
      const expected = `${start}${data}6166${bytes}ffff${meta}ffff`
      expect(serializeEvent(event).toString('hex')).toBe(expected)
    }
    expect(serializeEvent(new Event({ f: -(2n ** 64n) })).toString('hex')).toContain(
      '6166c349010000000000000000',
    )
    expect(serializeEvent(new Event({ f: 2n ** 63n })).toString('hex')).toContain(
      '6166c249008000000000000000',
    )
  })

  it('keep metadata and the type of their time', () => {
    const event = new Event(
      { '@timestamp': new Timestamp(1, 500_000), '@version': '1' },
      { a: { b: new Timestamp(2) } },
    )
    const back = deserializeEvent(serializeEvent(event))
    expect(back.data).toEqual(event.data)
    expect(back.meta).toEqual({ a: { b: new Timestamp(2) } })
  })

  it('keep a time that cannot be read as the text it is', () => {
    const bytes = `9f${text('org.logstash.Timestamp')}${text('soon')}ff`
    expect(fromJackson(bytes).get('f')).toBe('soon')
  })

  it('may refer to earlier strings', () => {
    // Tag 256 opens the list of strings; index 0 is the class's name, 1 `DATA`, 2 the map's class, 3 `META`.
    const typed = `82d81902a1${text('abcd')}${text('efgh')}`
    const bytes = `d9010082${text('java.util.HashMap')}a2${text('DATA')}82${text('org.logstash.ConvertedMap')}a1${text('name')}${text('value')}${text('META')}${typed}`
    const event = deserializeEvent(Buffer.from(bytes, 'hex'))
    expect(event.get('name')).toBe('value')
    expect(event.meta).toEqual({ abcd: 'efgh' })
    const missing = bytes.replace('82d81902a1', '82d81917a1')
    expect(() => deserializeEvent(Buffer.from(missing, 'hex'))).toThrow(MalformedCbor)
  })

  it('treat inherited names as plain data', () => {
    const fields = JSON.parse('{"__proto__":{"polluted":1},"constructor":2}') as Fields
    const back = deserializeEvent(serializeEvent(new Event({ ...fields, map: fields })))
    expect(Object.getOwnPropertyNames(back.get('map'))).toEqual(['__proto__', 'constructor'])
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('survive the way there and back', () => {
    const leaf: fc.Arbitrary<Value> = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.maxSafeInteger(),
      fc.bigInt().map((n) => (Number.isSafeInteger(Number(n)) ? Number(n) : n)),
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true }).map(float),
      fc.integer({ min: 0, max: 4e12 }).map((ms) => new Timestamp(ms)),
    )
    const name = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'a', 'toString'))
    const { value } = fc.letrec<{ value: Value }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }) as fc.Arbitrary<Value>,
      ),
    }))
    fc.assert(
      fc.property(value, (held) => {
        const event = new Event({ '@timestamp': new Timestamp(5), '@version': '1', held })
        expect(deserializeEvent(serializeEvent(event)).data).toEqual(event.data)
      }),
      { numRuns: 300 },
    )
    const odd = new Event({ f: new LsFloat(Number.NaN), g: new LsFloat(-0), h: new LsFloat(1) })
    const back = deserializeEvent(serializeEvent(odd))
    expect([back.get('f'), back.get('g'), back.get('h')]).toEqual([
      new LsFloat(Number.NaN),
      new LsFloat(-0),
      new LsFloat(1),
    ])
  })

  it('end in an error and never in a loop or a large buffer when a byte is wrong or missing', () => {
    const event = new Event({ a: 'text', b: [1, 2.5, null], c: { d: new Timestamp(9) }, e: 2n ** 70n })
    const bytes = serializeEvent(event)
    let wrong = 0
    const attempt = (damaged: Uint8Array) => {
      try {
        deserializeEvent(damaged)
      } catch (error) {
        expect(error).toBeInstanceOf(Error)
        expect((error as Error).name).toMatch(/^(?:MalformedCbor|RangeError)$/)
        wrong += 1
      }
    }
    for (let at = 0; at < bytes.length; at++) {
      expect(() => deserializeEvent(bytes.subarray(0, at))).toThrow(MalformedCbor)
      for (let bit = 0; bit < 8; bit++) {
        const damaged = Buffer.from(bytes)
        damaged[at]! ^= 1 << bit
        attempt(damaged)
      }
    }
    expect(wrong).toBeGreaterThan(bytes.length)
  })

  it('refuse nesting that no event may have', () => {
    const deep = Buffer.from(`${'9f6161'.repeat(200_000)}`, 'hex')
    expect(() => deserializeEvent(deep)).toThrow(/nesting/)
    const lists = Buffer.concat([Buffer.from('9f6161', 'hex'), Buffer.alloc(500_000, 0x9f)])
    expect(() => deserializeEvent(lists)).toThrow()
    let value: Value = 1
    for (let i = 0; i < maxNesting - 10; i++) value = [value]
    expect(deserializeEvent(serializeEvent(new Event({ value }))).get('value')).toEqual(value)
  })
})
