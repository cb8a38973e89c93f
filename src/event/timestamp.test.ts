import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTimestamp } from './parse-timestamp.ts'
import { Timestamp } from './timestamp.ts'

test.each([
  [0, 0, '1970-01-01T00:00:00.000Z'],
  [1443675967089, 0, '2015-10-01T05:06:07.089Z'],
  [1443675967155, 195354, '2015-10-01T05:06:07.155195354Z'],
  [1443675967155, 195000, '2015-10-01T05:06:07.155195Z'],
  [1443675967000, 1000, '2015-10-01T05:06:07.000001Z'],
  [-1, 999999, '1969-12-31T23:59:59.999999999Z'],
  [-62167219200000, 0, '0000-01-01T00:00:00.000Z'],
  [-62167219200001, 0, '-0001-12-31T23:59:59.999Z'],
  [253402300800000, 0, '+10000-01-01T00:00:00.000Z'],
])('%d ms and %d ns are %s', (millis, nanos, text) => {
  expect(new Timestamp(millis, nanos).toString()).toBe(text)
  expect(JSON.stringify({ at: new Timestamp(millis, nanos) })).toBe(`{"at":"${text}"}`)
})

test('the text of any instant reads back as the same instant', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -8.64e15, max: 8.64e15 }),
      fc.integer({ min: 0, max: 999_999 }),
      (millis, nanos) => {
        const time = new Timestamp(millis, nanos)
        const again = parseTimestamp(time.toString())
        expect(again?.equals(time)).toBe(true)
      },
    ),
  )
})

test('within four-digit years the text is that of Date', () => {
  fc.assert(
    fc.property(fc.integer({ min: -62167219200000, max: 253402300799999 }), (millis) => {
      expect(new Timestamp(millis).toString()).toBe(new Date(millis).toISOString())
    }),
  )
})

test('now has microseconds and is near the clock', () => {
  const now = Timestamp.now()
  expect(Math.abs(now.millis - Date.now())).toBeLessThan(60_000)
  expect(now.nanos % 1000).toBe(0)
  expect(now.nanos).toBeLessThan(1_000_000)
})
