/**
 * The parsed fields of a date, one slot per unit, and how they resolve to a moment: missing parts become the start
 * of the year 1970, the month or the day; when rounding up, the time of day becomes the last of its unit. A value
 * out of range (hour 24, February 30) resolves to nothing.
 */
import {
  dateOfDay,
  dayMillis,
  dayOfDate,
  firstMonday,
  isLeapYear,
  isoWeek,
  lengthOfMonth,
  weekdayOf,
  weeksInYear,
} from '../../time/calendar.ts'
import type { TimeZone } from './time-zone.ts'

export const slot = {
  year: 0,
  yearOfEra: 1,
  /** 0 before Christ, 1 after */
  era: 2,
  month: 3,
  day: 4,
  dayOfYear: 5,
  weekYear: 6,
  week: 7,
  weekday: 8,
  quarter: 9,
  hour: 10,
  /** 1..24 */
  clockHour: 11,
  /** 0..11 */
  halfDayHour: 12,
  /** 1..12 */
  clockHalfDayHour: 13,
  /** 0 or 1 */
  halfDay: 14,
  minute: 15,
  second: 16,
  nano: 17,
  milliOfDay: 18,
  nanoOfDay: 19,
} as const

export type Slot = (typeof slot)[keyof typeof slot]

export class DateFields {
  /** NaN for units that the text does not have. */
  readonly values = new Float64Array(20)
  zone: TimeZone | undefined
  /** Offset of the first element that did not match. */
  failedAt = 0

  /** Returns false when the unit already has another value. */
  put(field: Slot, value: number): boolean {
    const before = this.values[field]!
    this.values[field] = value
    return before === value || Number.isNaN(before)
  }

  clear(): void {
    this.values.fill(Number.NaN)
    this.zone = undefined
    this.failedAt = 0
  }
}

/** Milliseconds, and 0..999,999 nanoseconds beyond them. */
export interface Moment {
  readonly millis: number
  readonly nanos: number
}

export function momentOf(fields: DateFields, roundUp: boolean, zone: TimeZone): Moment | undefined {
  const day = dayOf(fields.values)
  const time = timeOf(fields.values, roundUp)
  if (day === undefined || time === undefined) return undefined
  const local = day * dayMillis + time.millis
  return { millis: (fields.zone ?? zone).instantOf(local), nanos: time.nanos }
}

function within(value: number, low: number, high: number): boolean {
  return Number.isNaN(value) || (value >= low && value <= high)
}

function or(value: number, otherwise: number): number {
  return Number.isNaN(value) ? otherwise : value
}

function dayOf(values: Float64Array): number | undefined {
  const year = yearOf(values)
  const weekYear = values[slot.weekYear]!
  const dayInWeek = values[slot.weekday]!
  if (!within(dayInWeek, 1, 7)) return undefined
  if (Number.isNaN(year) && !Number.isNaN(weekYear)) {
    const week = or(values[slot.week]!, 1)
    if (week < 1 || week > weeksInYear(weekYear)) return undefined
    return firstMonday(weekYear) + (week - 1) * 7 + or(dayInWeek, 1) - 1
  }
  const day = plainDay(or(year, 1970), values)
  // A year of era alone makes no date whose weekday java.time would check.
  const isChecked = !Number.isNaN(values[slot.year]!) && !Number.isNaN(values[slot.day]!)
  return isChecked && day !== undefined && or(dayInWeek, weekdayOf(day)) !== weekdayOf(day) ? undefined : day
}

function yearOf(values: Float64Array): number {
  const year = values[slot.year]!
  if (!Number.isNaN(year)) return year
  const ofEra = values[slot.yearOfEra]!
  if (ofEra < 1) return Number.POSITIVE_INFINITY
  return values[slot.era] === 0 ? 1 - ofEra : ofEra
}

function plainDay(year: number, values: Float64Array): number | undefined {
  if (Math.abs(year) > 999_999_999) return undefined
  const dayOfYear = values[slot.dayOfYear]!
  const month = or(values[slot.month]!, 1)
  const day = or(values[slot.day]!, 1)
  if (!within(month, 1, 12) || !within(day, 1, lengthOfMonth(year, month))) return undefined
  if (Number.isNaN(dayOfYear)) return dayOfDate(year, month, day)
  return within(dayOfYear, 1, isLeapYear(year) ? 366 : 365)
    ? dayOfDate(year, 1, 1) + dayOfYear - 1
    : undefined
}

function timeOf(values: Float64Array, roundUp: boolean): Moment | undefined {
  const nanoOfDay = values[slot.nanoOfDay]!
  if (!Number.isNaN(nanoOfDay)) return ofDay(Math.floor(nanoOfDay / 1e6), nanoOfDay % 1e6)
  const milliOfDay = values[slot.milliOfDay]!
  if (!Number.isNaN(milliOfDay)) return ofDay(milliOfDay, 0)
  const hour = hourOf(values)
  const minute = values[slot.minute]!
  const second = values[slot.second]!
  if (hour === undefined || !within(minute, 0, 59) || !within(second, 0, 59)) return undefined
  const nano = or(values[slot.nano]!, roundUp ? 999_999_999 : 0)
  const seconds =
    or(hour, roundUp ? 23 : 0) * 3600 + or(minute, roundUp ? 59 : 0) * 60 + or(second, roundUp ? 59 : 0)
  return { millis: seconds * 1000 + Math.floor(nano / 1e6), nanos: nano % 1e6 }
}

function ofDay(millis: number, nanos: number): Moment | undefined {
  return millis < dayMillis ? { millis, nanos } : undefined
}

/** NaN when the hour is absent, undefined when it is out of range. */
function hourOf(values: Float64Array): number | undefined {
  const clock = values[slot.clockHour]!
  const half = values[slot.halfDayHour]!
  const clockHalf = values[slot.clockHalfDayHour]!
  if (!within(values[slot.hour]!, 0, 23) || !within(clock, 1, 24)) return undefined
  if (!within(half, 0, 11) || !within(clockHalf, 1, 12)) return undefined
  const inHalf = or(half, clockHalf % 12)
  return or(values[slot.hour]!, or(clock % 24, inHalf + or(values[slot.halfDay]!, 0) * 12))
}

/** Returns all slots of a moment, for printing. */
export function fieldsOf(moment: Moment, zone: TimeZone): Float64Array {
  const local = moment.millis + zone.offsetAt(moment.millis)
  const day = Math.floor(local / dayMillis)
  const time = local - day * dayMillis
  const { year, month, dayOfMonth } = dateOfDay(day)
  const week = isoWeek(day)
  const hour = Math.floor(time / 3_600_000)
  const values = new Float64Array(20)
  values[slot.year] = year
  values[slot.yearOfEra] = year > 0 ? year : 1 - year
  values[slot.era] = year > 0 ? 1 : 0
  values[slot.month] = month
  values[slot.day] = dayOfMonth
  values[slot.dayOfYear] = day - dayOfDate(year, 1, 1) + 1
  values[slot.weekYear] = week.year
  values[slot.week] = week.week
  values[slot.weekday] = weekdayOf(day)
  values[slot.quarter] = Math.ceil(month / 3)
  values[slot.hour] = hour
  values[slot.clockHour] = hour === 0 ? 24 : hour
  values[slot.halfDayHour] = hour % 12
  values[slot.clockHalfDayHour] = hour % 12 === 0 ? 12 : hour % 12
  values[slot.halfDay] = hour < 12 ? 0 : 1
  values[slot.minute] = Math.floor(time / 60_000) % 60
  values[slot.second] = Math.floor(time / 1000) % 60
  values[slot.nano] = (time % 1000) * 1e6 + moment.nanos
  values[slot.milliOfDay] = time
  values[slot.nanoOfDay] = time * 1e6 + moment.nanos
  return values
}
