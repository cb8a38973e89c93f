/**
 * Days and dates of the proleptic Gregorian calendar in UTC, by integer arithmetic: no Date objects,
 * and years before 1 or after 9999 behave as in java.time and Joda (a year 0 exists, BC years are negative).
 * A day is counted from 1970-01-01; weekdays run from Monday 1 to Sunday 7.
 */
export const dayMillis = 86_400_000

/** A JavaScript Date holds instants up to this many milliseconds before and after 1970, the year 275760. */
export const maxDateMillis = 8.64e15

export interface CalendarDate {
  year: number
  /** 1..12 */
  month: number
  /** 1..31 */
  dayOfMonth: number
}

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export function lengthOfMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : monthLengths[month - 1]!
}

/** Days since 1970-01-01. Years are shifted to begin in March, so that the leap day comes last. */
export function dayOfDate(year: number, month: number, dayOfMonth: number): number {
  const shifted = month > 2 ? year : year - 1
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + dayOfMonth - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

export function dateOfDay(day: number): CalendarDate {
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    dayOfMonth: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
  }
}

/** Monday 1 .. Sunday 7; 1970-01-01 was a Thursday. */
export function weekdayOf(day: number): number {
  return day - Math.floor((day + 3) / 7) * 7 + 4
}

interface Week {
  year: number
  week: number
}

/** ISO 8601: weeks begin on Monday and belong to the year that has their Thursday. */
export function isoWeek(day: number): Week {
  const thursday = day - weekdayOf(day) + 4
  const year = dateOfDay(thursday).year
  return { year, week: Math.floor((thursday - dayOfDate(year, 1, 1)) / 7) + 1 }
}

/** Sunday 1 .. Saturday 7 */
export function weekdayFromSunday(day: number): number {
  return (weekdayOf(day) % 7) + 1
}

/** Weeks as counted in the United States: they begin on Sunday and week 1 is the one with January 1. */
export function usWeek(day: number): Week {
  const { year } = dateOfDay(day)
  if (day >= sundayBefore(dayOfDate(year + 1, 1, 1))) return { year: year + 1, week: 1 }
  return { year, week: Math.floor((day - sundayBefore(dayOfDate(year, 1, 1))) / 7) + 1 }
}

/** Week of the month, Sunday first; the days before the first Sunday are week 1. */
export function usWeekOfMonth(day: number, dayOfMonth: number): number {
  return Math.floor((day - sundayBefore(day - dayOfMonth + 1)) / 7) + 1
}

function sundayBefore(day: number): number {
  return day - weekdayFromSunday(day) + 1
}

/** The Monday that begins week 1 of an ISO year: the week that has January 4. */
export function firstMonday(weekYear: number): number {
  const fourth = dayOfDate(weekYear, 1, 4)
  return fourth - weekdayOf(fourth) + 1
}

export function weeksInYear(weekYear: number): number {
  return (firstMonday(weekYear + 1) - firstMonday(weekYear)) / 7
}
