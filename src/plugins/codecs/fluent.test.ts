import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import type { Fields, Value } from '../../event/value.ts'
import { codecFor, decodeWith, testEvent } from '../../plugin/testing.ts'
import { ForwardDecoder } from './fluent/forward-decoder.ts'
import fluent from './fluent.ts'
import { unpack } from './msgpack/reader.ts'
import { pack } from './msgpack/writer.ts'

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
