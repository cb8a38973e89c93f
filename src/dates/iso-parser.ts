/**
 * The format ISO8601 of the date filter: ISO 8601 in the breadth Joda-Time accepts, and the same with a blank
 * before the time, which then needs seconds with 1 to 3 decimals.
 *
 *   [date]['T'[time][offset]]     a date, or a time after `T`, must be there
 *   date    yyyy[-MM[-dd]] | xxxx-Www[-e] | yyyy-DDD     the one that reads most
 *   time    HH[:mm[:ss]] with a fraction of the last unit after `.` or `,`
 *   offset  Z | +hh[[:]mm[[:]ss[[.]SSS]]]
 */
import { dayMillis, dayOfDate, isLeapYear, lengthOfMonth } from '../time/calendar.ts'
import { readIsoDateTime } from '../time/iso-date-time.ts'
import { startOfWeekyear, weeksIn } from './date-fields.ts'
import { compileJodaParser, type TextParser } from './joda-parser.ts'
import type { LocalClock } from './local-clock.ts'
import { digits, fraction, signedDigits } from './number-readers.ts'
import { type Reader, Reading } from './reading.ts'
import { literal } from './text-readers.ts'
import { zoneOffset } from './zone-readers.ts'

export function isoParser(): TextParser {
  const withBlank = ['.SSSZ', '.SSS', ',SSSZ', ',SSS'].map((end) =>
    compileJodaParser(`yyyy-MM-dd HH:mm:ss${end}`, { locale: 'en' }),
  )
  return (text, clock) => {
    const instant = usualForm(text, clock)
    if (!Number.isNaN(instant)) return instant
    const end = readIso(text)
    if (end === text.length) return toInstant(clock)
    for (const parse of withBlank) {
      const found = parse(text, clock)
      if (!Number.isNaN(found)) return found
    }
    return Number.NaN
  }
}

const slots = { year: 0, month: 1, day: 2, hour: 3, minute: 4, second: 5, rest: 6 } as const
const reading = new Reading([0, 0, 0, 0, 0, 0, 0])
const { values } = reading

// ------------------------------------------------------------------------------------------ usual form

/** `yyyy-MM-dd`, `T` or blank, `HH:mm:ss`, a fraction, an offset, all in full width; NaN sends it the long way. */
function usualForm(text: string, clock: LocalClock): number {
  const separator = text.charCodeAt(10)
  if (separator !== 84 && separator !== 32) return Number.NaN
  const local = readIsoDateTime(text) * 1000
  if (Number.isNaN(local)) return Number.NaN
  const mark = text.charCodeAt(19)
  if (mark !== 46 && mark !== 44) return separator === 84 ? withOffset(text, 19, local, clock) : Number.NaN
  const end = secondFraction(text, 20, reading)
  if (end < 0 || (separator === 32 && end > 23)) return Number.NaN
  return withOffset(text, end, local + values[slots.rest]!, clock)
}

function withOffset(text: string, at: number, local: number, clock: LocalClock): number {
  if (at === text.length) return clock.instantOf(local)
  return zoneOffset(text, at, reading) === text.length ? local - reading.offset : Number.NaN
}

// --------------------------------------------------------------------------------------- whole grammar

const readYear = signedDigits(slots.year, 9)
const readMonth = digits(slots.month, 2)
const readDay = digits(slots.day, 2)
const readWeekday = digits(slots.day, 1)
const readDayOfYear = digits(slots.day, 3)
const readHour = digits(slots.hour, 2)
const readMinute = digits(slots.minute, 2)
const readSecond = digits(slots.second, 2)
const secondFraction = fraction(slots.rest, 9, 1000)
const minuteFraction = fraction(slots.rest, 9, 60_000)
const hourFraction = fraction(slots.rest, 9, 3_600_000)
const readT = literal('T')
const readWeekMark = literal('-W')

let dateKind: 'none' | 'month' | 'week' | 'dayOfYear' = 'none'

/** Reads as much as the grammar allows into `reading`; -1 when nothing fits. */
function readIso(text: string): number {
  reading.forgetZone()
  values.fill(0)
  dateKind = 'none'
  const afterT = readT(text, 0, reading)
  if (afterT >= 0) {
    const end = readTime(text, afterT)
    return end < 0 ? -1 : optional(zoneOffset, text, end)
  }
  const date = readDate(text)
  if (date < 0) return -1
  const timeFrom = readT(text, date, reading)
  if (timeFrom < 0) return date
  const time = readTime(text, timeFrom)
  return optional(zoneOffset, text, time < 0 ? timeFrom : time)
}

function optional(reader: Reader, text: string, at: number): number {
  const end = reader(text, at, reading)
  return end < 0 ? at : end
}

function readDate(text: string): number {
  const year = readYear(text, 0, reading)
  if (year < 0) return -1
  const week = readWeekMark(text, year, reading)
  if (week >= 0) {
    const end = readMonth(text, week, reading)
    // Without digits after `-W` this is a year followed by other text.
    if (end >= 0) {
      dateKind = 'week'
      values[slots.day] = 1
      return afterDash(readWeekday, text, end)
    }
  }
  dateKind = 'month'
  values[slots.month] = 1
  values[slots.day] = 1
  const month = afterDash(readMonth, text, year)
  if (month === year) return year
  const day = afterDash(readDay, text, month)
  if (day > month) return day
  const ofYear = afterDash(readDayOfYear, text, year)
  if (ofYear > month) dateKind = 'dayOfYear'
  else values[slots.day] = 1
  return ofYear
}

function afterDash(reader: Reader, text: string, at: number): number {
  const end = text.charCodeAt(at) === 45 ? reader(text, at + 1, reading) : -1
  return end < 0 ? at : end
}

function readTime(text: string, at: number): number {
  const hour = readHour(text, at, reading)
  if (hour < 0) return -1
  const minute = afterColon(readMinute, text, hour)
  if (minute === hour) return afterPoint(hourFraction, text, hour)
  const second = afterColon(readSecond, text, minute)
  return second === minute
    ? afterPoint(minuteFraction, text, minute)
    : afterPoint(secondFraction, text, second)
}

function afterColon(reader: Reader, text: string, at: number): number {
  const end = text.charCodeAt(at) === 58 ? reader(text, at + 1, reading) : -1
  return end < 0 ? at : end
}

function afterPoint(reader: Reader, text: string, at: number): number {
  const point = text.charCodeAt(at)
  const end = point === 46 || point === 44 ? reader(text, at + 1, reading) : -1
  return end < 0 ? at : end
}

function toInstant(clock: LocalClock): number {
  const [, , , hour, minute, second, rest] = values as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  if (hour > 23 || minute > 59 || second > 59) return Number.NaN
  const local = dayRead() * dayMillis + hour * 3_600_000 + minute * 60_000 + second * 1000 + rest
  return reading.hasOffset ? local - reading.offset : clock.instantOf(local)
}

/** The day the date means, NaN when it does not exist; without a date it is 1970-01-01. */
function dayRead(): number {
  const [year, month, day] = values as [number, number, number]
  if (dateKind === 'none') return 0
  if (Math.abs(year) > 275_760 || day < 1) return Number.NaN
  if (dateKind === 'dayOfYear') {
    return day > (isLeapYear(year) ? 366 : 365) ? Number.NaN : dayOfDate(year, 1, 1) + day - 1
  }
  if (dateKind === 'week') {
    if (month < 1 || month > weeksIn(year) || day > 7) return Number.NaN
    return startOfWeekyear(year) + (month - 1) * 7 + day - 1
  }
  if (month < 1 || month > 12 || day > lengthOfMonth(year, month)) return Number.NaN
  return dayOfDate(year, month, day)
}
