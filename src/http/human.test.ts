import { describe, expect, it } from 'vitest'
import { byteSize, duration, withReadableNumbers } from './human.ts'

describe('readable numbers', () => {
  it('writes sizes with one decimal that is cut off', () => {
    const sizes: [number, string][] = [
      [0, '0b'],
      [512, '512b'],
      [1024, '1kb'],
      [1234567, '1.1mb'],
      [276974824, '264.1mb'],
      [-1, '-1b'],
    ]
    for (const [bytes, text] of sizes) expect(byteSize(bytes)).toBe(text)
  })

  it('writes durations in the largest unit that fits', () => {
    const millis: [number, string][] = [
      [0, '0s'],
      [48, '48ms'],
      [1500, '1.5s'],
      [60000, '1m'],
      [3600000, '1h'],
      [7863504, '2.1h'],
      [-1, '-1'],
    ]
    for (const [value, text] of millis) expect(duration(value, 1e6)).toBe(text)
    expect(duration(216, 1e3)).toBe('216micros')
    expect(duration(7, 1)).toBe('7nanos')
  })

  it('adds a text just before each number with a unit and leaves the rest alone', () => {
    const body = {
      a: [{ heap_used_in_bytes: 1024, count: 3 }],
      cfs_quota_micros: -1,
      start_time_in_millis: 0,
    }
    const readable = withReadableNumbers(body)
    expect(JSON.stringify(readable)).toBe(
      '{"a":[{"heap_used":"1kb","heap_used_in_bytes":1024,"count":3}],"cfs_quota":"-1","cfs_quota_micros":-1,' +
        '"start_time":"1970-01-01T00:00:00.000Z","start_time_in_millis":0}',
    )
    expect(withReadableNumbers({ events: 5, events_in_bytes: 10 })).toEqual({
      events: 5,
      events_in_bytes: 10,
    })
  })
})
