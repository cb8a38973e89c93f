/**
 * The fields of a date and what setting one of them does to a local time, as in Joda-Time: setting a month
 * keeps the day where it can, setting a weekday moves within the week. Used when a pattern combines fields
 * in an unusual way; the result then depends on each single step.
 */
import {
  dateOfDay,
  dayMillis,
  dayOfDate,
  isLeapYear,
  isoWeek,
  lengthOfMonth,
  weekdayOf,
} from '../time/calendar.ts'

export interface DateField {
  /** Fields are set in order of the span they count in, then of their own length; milliseconds on average. */
  readonly within: number
  readonly length: number
  /** NaN when the value is out of range. */
  set(local: number, value: number): number
  /** Back to where the current value of the field began. */
  floor(local: number): number
}

const hour = 3_600_000
const year = 31_556_952_000
const month = year / 12
const week = 7 * dayMillis

/** Years a timestamp can hold, with room for offsets. */
const maxYear = 275_760

function dayOf(local: number): number {
  return Math.floor(local / dayMillis)
}

function yearOf(local: number): number {
  return dateOfDay(dayOf(local)).year
}

function atDay(local: number, day: number): number {
  return day * dayMillis + (local - dayOf(local) * dayMillis)
}

/** Days from March on keep their date, so that February 29 becomes the 28th where there is no 29th. */
export function withYear(local: number, value: number): number {
  if (!(Math.abs(value) <= maxYear)) return Number.NaN
  const date = dateOfDay(dayOf(local))
  const day = date.month === 2 && date.dayOfMonth === 29 && !isLeapYear(value) ? 28 : date.dayOfMonth
  return atDay(local, dayOfDate(value, date.month, day))
}

function startOfYear(local: number): number {
  return dayOfDate(yearOf(local), 1, 1) * dayMillis
}

function withMonth(local: number, value: number): number {
  if (value < 1 || value > 12) return Number.NaN
  const date = dateOfDay(dayOf(local))
  const day = Math.min(date.dayOfMonth, lengthOfMonth(date.year, value))
  return atDay(local, dayOfDate(date.year, value, day))
}

/** Monday of week 1. */
export function startOfWeekyear(weekyear: number): number {
  const fourth = dayOfDate(weekyear, 1, 4)
  return fourth - weekdayOf(fourth) + 1
}

export function weeksIn(weekyear: number): number {
  return (startOfWeekyear(weekyear + 1) - startOfWeekyear(weekyear)) / 7
}

function withWeekyear(local: number, value: number): number {
  if (!(Math.abs(value) <= maxYear)) return Number.NaN
  const day = dayOf(local)
  const current = isoWeek(day)
  if (current.year === value) return local
  const wanted = Math.min(current.week, weeksIn(value))
  return atDay(local, startOfWeekyear(value) + (wanted - 1) * 7 + weekdayOf(day) - 1)
}

function ranged(from: number, to: number, set: (local: number, value: number) => number): DateField['set'] {
  return (local, value) => (value >= from && value <= to ? set(local, value) : Number.NaN)
}

/** A field of fixed length that counts from 0 within a span of fixed length. */
function fixed(within: number, length: number): DateField {
  const count = within / length
  return {
    within,
    length,
    set: ranged(0, count - 1, (local, value) => local + (value - modulo(local, within, length)) * length),
    floor: (local) => Math.floor(local / length) * length,
  }
}

function modulo(local: number, within: number, length: number): number {
  return Math.floor((local - Math.floor(local / within) * within) / length)
}

/** Like `fixed`, but 0 is written as the highest number: 12 or 24 o'clock. */
function clockHours(within: number): DateField {
  const base = fixed(within, hour)
  const top = within / hour
  return { ...base, set: ranged(1, top, (local, value) => base.set(local, value % top)) }
}

function daily(within: number, set: DateField['set']): DateField {
  return { within, length: dayMillis, set, floor: (local) => dayOf(local) * dayMillis }
}

export const dateFields = {
  /** 0 is BC, 1 is AD. */
  era: {
    within: Infinity,
    length: Infinity,
    set: (local, value) => {
      const current = yearOf(local)
      return current > 0 === (value === 1) ? local : withYear(local, -current)
    },
    floor: (local) => dayOfDate(yearOf(local) > 0 ? 1 : -maxYear, 1, 1) * dayMillis,
  },
  century: {
    within: Infinity,
    length: 100 * year,
    set: (local, value) => {
      const current = yearOf(local)
      const wanted = value * 100 + (Math.abs(current) % 100)
      return withYear(local, current < 0 ? -wanted : wanted)
    },
    floor: (local) => {
      const current = yearOf(local)
      const first = Math.floor(Math.abs(current) / 100) * 100
      return dayOfDate(current < 0 ? -first : first, 1, 1) * dayMillis
    },
  },
  year: { within: Infinity, length: year, set: withYear, floor: startOfYear },
  yearOfEra: {
    within: Infinity,
    length: year,
    set: ranged(1, maxYear, (local, value) => withYear(local, yearOf(local) > 0 ? value : 1 - value)),
    floor: startOfYear,
  },
  weekyear: {
    within: Infinity,
    length: year,
    set: withWeekyear,
    floor: (local) => startOfWeekyear(isoWeek(dayOf(local)).year) * dayMillis,
  },
  month: {
    within: year,
    length: month,
    set: withMonth,
    floor: (local) => {
      const date = dateOfDay(dayOf(local))
      return dayOfDate(date.year, date.month, 1) * dayMillis
    },
  },
  week: {
    within: year,
    length: week,
    set: (local, value) => {
      const current = isoWeek(dayOf(local))
      return value >= 1 && value <= weeksIn(current.year) ? local + (value - current.week) * week : Number.NaN
    },
    floor: (local) => (dayOf(local) - weekdayOf(dayOf(local)) + 1) * dayMillis,
  },
  dayOfYear: daily(year, (local, value) => {
    const current = yearOf(local)
    if (value < 1 || value > (isLeapYear(current) ? 366 : 365)) return Number.NaN
    return atDay(local, dayOfDate(current, 1, 1) + value - 1)
  }),
  dayOfMonth: daily(month, (local, value) => {
    const date = dateOfDay(dayOf(local))
    if (value < 1 || value > lengthOfMonth(date.year, date.month)) return Number.NaN
    return atDay(local, dayOf(local) + value - date.dayOfMonth)
  }),
  dayOfWeek: daily(
    week,
    ranged(1, 7, (local, value) => local + (value - weekdayOf(dayOf(local))) * dayMillis),
  ),
  halfday: fixed(dayMillis, 12 * hour),
  hour: fixed(dayMillis, hour),
  clockHour: clockHours(dayMillis),
  hourOfHalfday: fixed(12 * hour, hour),
  clockHourOfHalfday: clockHours(12 * hour),
  minute: fixed(hour, 60_000),
  second: fixed(60_000, 1000),
  millisecond: fixed(1000, 1),
} as const satisfies Record<string, DateField>

export type FieldName = keyof typeof dateFields
