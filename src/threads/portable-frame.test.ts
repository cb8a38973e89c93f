import { describe, expect, it } from 'vitest'
import { Event } from '../event/event.ts'
import { decodeEvents, encodeEvents } from '../event/wire.ts'
import { type Frame, splitFrame } from '../pipeline/frames/frame.ts'
import { fromPortable, toPortable } from './portable-frame.ts'

const base: Omit<Frame, 'bytes' | 'to'> = {
  input: 0,
  codec: -1,
  origin: {},
  millis: 0,
  nanos: 0,
  ends: null,
  gap: 0,
  from: 0,
  repeated: false,
  counter: undefined,
  events: null,
  wire: true,
  ticket: null,
  fault: undefined,
  lineage: null,
  base: 0,
  byOffset: false,
  queued: 0,
}

describe('a frame on its way to a worker', () => {
  it('of events in wire form means the same events after it was split', () => {
    const bytes = encodeEvents([1, 2, 3, 4, 5].map((n) => Event.from({ n })))
    const [, rest] = splitFrame({ ...base, bytes, to: 5 }, 3)
    const { from, to, bytes: arrived } = fromPortable(toPortable(rest))
    const meant = decodeEvents(Buffer.from(arrived!)).slice(from, to)
    expect(meant.map((event) => event.get('n'))).toEqual([4, 5])
  })
})
