import { describe, expect, it } from 'vitest'
import { Event } from '../event/event.ts'
import {
  encodeBlock,
  encodeByTarget,
  encodeFrames,
  encodeOf,
  ownBlocks,
  readFrames,
  recycle,
} from './encode-buffer.ts'

const events = (...messages: string[]) => messages.map((message) => Event.from({ message }))
const message = (event: Event) => `${event.get('message')}\n`
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8')

describe('encoding batches', () => {
  it('joins a batch into one block whose memory stays untouched until it is given back', () => {
    const block = encodeBlock(events('a', 'é', '😀'), message, 'there')
    expect(block.target).toBe('there')
    expect(block.count).toBe(3)
    const next = encodeBlock(events('zzzz'), message, 'there')
    expect(text(block.bytes)).toBe('a\né\n😀\n')
    expect(text(next.bytes)).toBe('zzzz\n')
    recycle([block])
    const third = encodeBlock(events('yy'), message, 'there')
    expect(third.bytes.buffer).toBe(block.bytes.buffer)
    expect(text(next.bytes)).toBe('zzzz\n')
  })

  it('gives blocks memory of their own on demand', () => {
    const [own] = ownBlocks([encodeBlock(events('a'), message, 'there')])
    expect(own!.bytes.buffer.byteLength).toBe(2)
    encodeBlock(events('b'), message, 'there')
    expect(text(own!.bytes)).toBe('a\n')
  })

  it('mixes text and bytes in order', () => {
    const encode = (event: Event) => {
      const value = event.get('message') as string
      return value.startsWith('b') ? new Uint8Array([0xff, 0xfe]) : value
    }
    const { bytes } = encodeBlock(events('a', 'b', 'c'), encode, '')
    expect([...bytes]).toEqual([97, 0xff, 0xfe, 99])
  })

  it('grows as far as needed', () => {
    const large = 'é'.repeat(700_000)
    const { bytes } = encodeBlock(events(large, 'x', large, large.repeat(3)), message, '')
    expect(text(bytes)).toBe(`${large}\nx\n${large}\n${large.repeat(3)}\n`)
  })

  it('starts anew after an encoder that failed', () => {
    const broken = (event: Event) => {
      if (event.get('message') === 'bad') throw new Error('no')
      return message(event)
    }
    expect(() => encodeBlock(events('good', 'bad'), broken, '')).toThrow('no')
    expect(text(encodeBlock(events('next'), broken, '').bytes)).toBe('next\n')
  })

  it('groups by target and keeps the order inside each', () => {
    const blocks = encodeByTarget(events('a1', 'b1', 'a2', 'a3', 'b2'), message, (event) =>
      String(event.get('message')).slice(0, 1),
    )
    expect(blocks.map(({ target, bytes, count }) => [target, text(bytes), count])).toEqual([
      ['a', 'a1\na2\na3\n', 3],
      ['b', 'b1\nb2\n', 2],
    ])
  })

  it('keeps events apart in frames', () => {
    const { bytes, count } = encodeFrames(events('a', '', 'é'), (event) => String(event.get('message')), '')
    expect(count).toBe(3)
    expect([...bytes.subarray(0, 5)]).toEqual([0, 0, 0, 1, 97])
    expect(readFrames(bytes).map(text)).toEqual(['a', '', 'é'])
  })

  it('names a codec that only reads', () => {
    expect(() => encodeOf({}, 'multiline')).toThrow('The codec multiline cannot encode events')
  })
})
