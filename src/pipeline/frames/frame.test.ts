import { describe, expect, it } from 'vitest'
import { type Frame, recordBytes, splitFrame } from './frame.ts'

const plain: Frame = {
  input: 0,
  codec: -1,
  origin: {},
  millis: 0,
  nanos: 0,
  bytes: Buffer.from('one\r\nthree\r\nsix'),
  ends: Uint32Array.of(3, 10, 15),
  gap: 2,
  from: 0,
  to: 3,
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
}

describe('bytes of records', () => {
  it('are those between delimiters, also of a part of a frame', () => {
    expect(recordBytes(plain)).toBe(11)
    expect(splitFrame(plain, 1).map(recordBytes)).toEqual([3, 8])
    expect(splitFrame(plain, 2).map(recordBytes)).toEqual([8, 3])
  })

  it('are the whole payload, as often as it is repeated', () => {
    const payload = { ...plain, bytes: Buffer.from('12345'), ends: null, to: 1 }
    expect(recordBytes(payload)).toBe(5)
    expect(recordBytes({ ...payload, repeated: true, to: 4 })).toBe(20)
  })
})
