import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import type { Fields, Value } from '../../event/value.ts'
import { codecFor, decodeWith, testEvent } from '../../plugin/testing.ts'
import { ForwardDecoder } from './fluent/forward-decoder.ts'
import fluent from './fluent.ts'
import { MsgpackReader, unpack } from './msgpack/reader.ts'
import { pack } from './msgpack/writer.ts'
import { mutations } from './test-mutations.ts'

const at = (seconds: number) => new Timestamp(seconds * 1000)
const entries = Buffer.concat([pack([1, { a: 1 }]), pack([2, { a: 2 }])])
const list = (...items: Buffer[]) => Buffer.concat([Buffer.from([0x90 | items.length]), ...items])
const binary = (bytes: Buffer) => Buffer.concat([Buffer.from([0xc4, bytes.length]), bytes])

describe('fluent', () => {
  it.each<[string, Buffer]>([
    ['message', Buffer.concat([pack(['t', 1, { a: 1 }]), pack(['t', 2, { a: 2 }, { chunk: 'x' }])])],
    [
      'forward',
      pack([
        't',
        [
          [1, { a: 1 }],
          [2, { a: 2 }],
        ] as Value[],
        { size: 2 },
      ]),
    ],
    ['packed forward', list(pack('t'), binary(entries))],
    ['compressed', list(pack('t'), binary(gzipSync(entries)), pack({ compressed: 'gzip' }))],
  ])('reads the %s mode, however it is cut', (_, bytes) => {
    const expected = [
      { '@timestamp': at(1), a: 1, tags: ['t'] },
      { '@timestamp': at(2), a: 2, tags: ['t'] },
    ]
    expect(decodeWith(codecFor(fluent), bytes)).toEqual(expected)
    for (let cut = 0; cut <= bytes.length; cut++) {
      const decoder = new ForwardDecoder()
      const got: [Value, number, Fields][] = []
      for (const part of [bytes.subarray(0, cut), bytes.subarray(cut)])
        decoder.decode(part, (tag, time, record) => got.push([tag, time.millis, record]))
      expect(got).toEqual([
        ['t', 1000, { a: 1 }],
        ['t', 2000, { a: 2 }],
      ])
    }
  })

  it('tags what it cannot read', () => {
    expect(decodeWith(codecFor(fluent), 'abc')[0]!['tags']).toEqual(['_fluentparsefailure'])
  })

  it('puts records into a target and writes events', () => {
    const codec = codecFor(fluent, { target: '[r]' })
    expect(decodeWith(codec, pack(['t', 1, { a: 1 }]))).toEqual([
      { '@timestamp': at(1), r: { a: 1 }, tags: ['t'] },
    ])
    const written = codec.encode!(testEvent({ a: 1, tags: ['x', 'y'] })) as Uint8Array
    expect(unpack(written)).toEqual([
      'x.y',
      1443675967,
      { a: 1, tags: ['x', 'y'], '@timestamp': '2015-10-01T05:06:07.089Z', '@version': '1' },
    ])
    const precise = codecFor(fluent, { nanosecond_precision: true }).encode!(testEvent({})) as Uint8Array
    const [tag, time] = unpack(precise) as [string, Timestamp]
    expect(tag).toBe('log')
    expect(time.equals(new Timestamp(1443675967089))).toBe(true)
  })
})

describe('the forward protocol in small pieces', () => {
  afterEach(() => vi.restoreAllMocks())

  /** How much a decoder does with a message of so many records that comes byte by byte. */
  function workOn(records: number): { read: number; copied: number; bytes: number } {
    const message = pack(['t', Array.from({ length: records }, (_, n) => [n, { a: n % 100 }]) as Value[]])
    const read = vi.spyOn(MsgpackReader.prototype, 'read')
    const copy = vi.spyOn(Buffer.prototype, 'set')
    const concat = vi.spyOn(Buffer, 'concat')
    const decoder = new ForwardDecoder()
    let count = 0
    for (let at = 0; at < message.length; at++)
      decoder.decode(message.subarray(at, at + 1), () => {
        count += 1
      })
    expect(count).toBe(records)
    const copied = copy.mock.calls.reduce((sum, [from]) => sum + (from as Buffer).length, 0)
    const joined = concat.mock.results.reduce((sum, { value }) => sum + (value as Buffer).length, 0)
    const work = { read: read.mock.calls.length, copied: copied + joined, bytes: message.length }
    vi.restoreAllMocks()
    return work
  }

  it('is read and copied once, not once for each piece', () => {
    const small = workOn(100)
    const large = workOn(4000)
    // The tag, the list, and a list, a time, a map, a name and a number for each record.
    expect(small.read).toBe(2 + 5 * 100)
    expect(large.read).toBe(2 + 5 * 4000)
    // Once into the buffer, and when that doubles: less than once more into all the larger ones.
    expect(large.copied).toBeLessThan(3 * large.bytes)
  })

  it('keeps nothing of a message that can be none, and at most 16 MiB of one that does not end', () => {
    const decoder = new ForwardDecoder()
    expect(() => decoder.decode(Buffer.from('GET / HTTP/1.1\r\n'), () => {})).toThrow('a list of two items')
    expect(decoder.isWaiting).toBe(false)
    // A text of 2 GiB is announced.
    decoder.decode(Buffer.from([0x92, 0xdb, 0x80, 0, 0, 0]), () => {})
    const piece = Buffer.alloc(1024 * 1024)
    for (let i = 0; i < 15; i++) decoder.decode(piece, () => {})
    expect(() => decoder.decode(piece, () => {})).toThrow('a message is too long')
    expect(decoder.isWaiting).toBe(false)
    const seen: Fields[] = []
    decoder.decode(pack(['t', 1, { a: 1 }]), (_tag, _time, record) => seen.push(record))
    expect(seen).toEqual([{ a: 1 }])
  })

  it('takes 10,000 random and mutated packets, or says that they are none', () => {
    const samples = [
      pack(['t', 1, { a: 1 }]),
      pack(['t', [[1, { a: 1 }]] as Value[], {}]),
      list(pack('t'), binary(entries)),
      list(pack('t'), binary(gzipSync(entries)), pack({ compressed: 'gzip' })),
    ]
    let [sent, read, refused] = [0, 0, 0]
    let decoder = new ForwardDecoder()
    for (const packet of mutations(samples, 10_000)) {
      // A length that is wrong swallows what follows; another connection begins anew.
      if (++sent % 3 === 0) decoder = new ForwardDecoder()
      try {
        decoder.decode(packet, () => {
          read += 1
        })
      } catch (error) {
        expect((error as Error).message).not.toMatch(/undefined|not a function|out of range/)
        refused += 1
      }
    }
    expect(read).toBeGreaterThan(100)
    expect(refused).toBeGreaterThan(1000)
  })
})
