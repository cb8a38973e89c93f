import { describe, expect, it } from 'vitest'
import { Event } from '../../event/event.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { LsFloat } from '../../event/value.ts'
import { decodeEvents, encodeEvents } from '../../event/wire.ts'
import { type Frame, splitFrame } from './frame.ts'
import { FrameRecords } from './frame-record.ts'

const codec = new FrameRecords({ idOf: (input) => `input-${input}`, positionOf: (id) => Number(id.slice(6)) })

function frame(some: Partial<Frame>): Frame {
  return {
    input: 3,
    codec: -1,
    origin: { fields: [['[host][ip]', '10.0.0.1']] },
    millis: 1_700_000_000_123,
    nanos: 456_000,
    bytes: null,
    ends: null,
    gap: 0,
    from: 0,
    to: 1,
    repeated: false,
    counter: undefined,
    events: null,
    wire: false,
    ticket: null,
    fault: undefined,
    lineage: null,
    base: 0,
    byOffset: false,
    queued: 0,
    ...some,
  }
}

function through(given: Frame): Frame {
  return codec.decode(Buffer.concat(codec.encode(given)), given.to - given.from)
}

/** The records of a frame as texts. */
function texts({ bytes, ends, from, to, gap }: Frame): string[] {
  const all = Buffer.from(bytes!)
  if (ends === null) return [all.toString()]
  return Array.from({ length: to - from }, (_, k) => {
    const i = from + k
    return all.toString('utf8', i === 0 ? 0 : ends[i - 1]! + gap, ends[i]!)
  })
}

describe('a frame in the persisted queue', () => {
  it('comes back with its records, its time, its input and its origin', () => {
    const bytes = Buffer.from('erste Zeile\r\nä\r\n\r\nlast')
    const given = frame({ bytes, ends: Uint32Array.of(11, 15, 17, 23), gap: 2, to: 4, codec: 2 })
    const back = through(given)
    expect(texts(back)).toEqual(['erste Zeile', 'ä', '', 'last'])
    const { input, millis, nanos, origin, gap, from, to, wire, repeated } = back
    expect({ input, codec: back.codec, millis, nanos, origin, gap, from, to, wire, repeated }).toEqual({
      input: 3,
      codec: 2,
      millis: 1_700_000_000_123,
      nanos: 456_000,
      origin: { fields: [['[host][ip]', '10.0.0.1']] },
      gap: 2,
      from: 0,
      to: 4,
      wire: false,
      repeated: false,
    })
  })

  it('has only its own part when it was split before', () => {
    const bytes = Buffer.from('one\ntwo\nthree\nfour')
    const whole = frame({ bytes, ends: Uint32Array.of(3, 7, 13, 18), gap: 1, to: 4 })
    const [first, rest] = splitFrame(whole, 1)
    const [second, last] = splitFrame(rest, 2)
    expect([first, second, last].map((part) => texts(through(part)))).toEqual([
      ['one'],
      ['two', 'three'],
      ['four'],
    ])
    expect(whole.ends).toEqual(Uint32Array.of(3, 7, 13, 18))
  })

  it('keeps typed values of its origin', () => {
    const origin = {
      overwrite: [
        ['time', new Timestamp(5, 7)],
        ['load', new LsFloat(1)],
        ['big', 2n ** 70n],
        ['__proto__', 'plain'],
      ],
      facts: { peer: 'x' },
    } as const
    expect(through(frame({ bytes: Buffer.from('x'), origin })).origin).toEqual(origin)
  })

  it('of ready-made events, or of events in wire form, is events in wire form', () => {
    const events = [1, 2, 3].map(
      (n) => new Event({ '@timestamp': new Timestamp(n), n }, { m: new Timestamp(9) }),
    )
    const json = (back: Frame) =>
      decodeEvents(back.bytes!).map((event) => [event.data['n'], String(event.meta?.['m'])])
    const ready = through(frame({ events, to: 3 }))
    expect(ready.wire).toBe(true)
    expect(json(ready)).toEqual([1, 2, 3].map((n) => [n, '1970-01-01T00:00:00.009Z']))
    const wire = frame({ bytes: encodeEvents(events), wire: true, to: 3 })
    expect(json(through(wire)).length).toBe(3)
    expect(json(through(splitFrame(wire, 1)[1])).map(([n]) => n)).toEqual([2, 3])
    expect(json(through(splitFrame(wire, 2)[0])).map(([n]) => n)).toEqual([1, 2])
  })

  it('of a repeated record keeps count and counter', () => {
    const counter = { reference: 'sequence', first: 10 }
    const whole = frame({ bytes: Buffer.from('Hello'), repeated: true, counter, to: 5 })
    const back = through(splitFrame(whole, 2)[1])
    expect([back.repeated, back.counter, back.to]).toEqual([true, { reference: 'sequence', first: 12 }, 3])
    expect(texts(back)).toEqual(['Hello'])
  })
})
