/** An instant in UTC, taken apart into what date patterns print. */
import { type CalendarDate, dateOfDay, dayMillis, dayOfDate, weekdayOf } from '../time/calendar.ts'
import type { Timestamp } from './timestamp.ts'

/** The parts of an instant that date patterns print. */
export interface UtcTime extends CalendarDate {
  /** Days since 1970-01-01. */
  day: number
  dayOfYear: number
  /** Monday 1 .. Sunday 7 */
  weekday: number
  hour: number
  minute: number
  second: number
  millisOfSecond: number
  nanosOfSecond: number
}

export function utcTime(time: Timestamp): UtcTime {
  const day = Math.floor(time.millis / dayMillis)
  const inDay = time.millis - day * dayMillis
  const { year, month, dayOfMonth } = dateOfDay(day)
  const millisOfSecond = inDay % 1000
  return {
    year,
    month,
    dayOfMonth,
    day,
    dayOfYear: day - dayOfDate(year, 1, 1) + 1,
    weekday: weekdayOf(day),
    hour: Math.floor(inDay / 3_600_000),
    minute: Math.floor(inDay / 60_000) % 60,
    second: Math.floor(inDay / 1000) % 60,
    millisOfSecond,
    nanosOfSecond: millisOfSecond * 1_000_000 + time.nanos,
  }
}
