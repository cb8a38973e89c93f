import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Timestamp } from '../event/timestamp.ts'
import { utcTime } from '../event/utc-time.ts'
import {
  dateOfDay,
  dayMillis,
  dayOfDate,
  isoWeek,
  lengthOfMonth,
  usWeek,
  usWeekOfMonth,
  weekdayOf,
} from './calendar.ts'

const anyDay = fc.integer({ min: -100_000_000, max: 100_000_000 })

test('days and dates agree with Date', () => {
  fc.assert(
    fc.property(anyDay, (day) => {
      const date = new Date(day * dayMillis)
      const { year, month, dayOfMonth } = dateOfDay(day)
      expect([year, month, dayOfMonth]).toEqual([
        date.getUTCFullYear(),
        date.getUTCMonth() + 1,
        date.getUTCDate(),
      ])
      expect(dayOfDate(year, month, dayOfMonth)).toBe(day)
      expect(weekdayOf(day) % 7).toBe(date.getUTCDay())
      expect(lengthOfMonth(year, month)).toBeGreaterThanOrEqual(dayOfMonth)
    }),
  )
})

test('times of day agree with Date, also before 1970', () => {
  fc.assert(
    fc.property(fc.integer({ min: -8.64e15, max: 8.64e15 }), (millis) => {
      const date = new Date(millis)
      const time = utcTime(new Timestamp(millis, 5))
      expect([time.hour, time.minute, time.second, time.millisOfSecond]).toEqual([
        date.getUTCHours(),
        date.getUTCMinutes(),
        date.getUTCSeconds(),
        date.getUTCMilliseconds(),
      ])
      expect(time.nanosOfSecond).toBe(date.getUTCMilliseconds() * 1_000_000 + 5)
    }),
  )
})

test('weeks at the turn of the year', () => {
  expect(isoWeek(dayOfDate(2016, 1, 3))).toEqual({ year: 2015, week: 53 })
  expect(isoWeek(dayOfDate(2014, 12, 29))).toEqual({ year: 2015, week: 1 })
  expect(usWeek(dayOfDate(2014, 12, 27))).toEqual({ year: 2014, week: 52 })
  expect(usWeek(dayOfDate(2014, 12, 28))).toEqual({ year: 2015, week: 1 })
  expect(usWeek(dayOfDate(2016, 12, 31))).toEqual({ year: 2016, week: 53 })
  expect(usWeekOfMonth(dayOfDate(2015, 1, 3), 3)).toBe(1)
  expect(usWeekOfMonth(dayOfDate(2015, 1, 4), 4)).toBe(2)
})
