/**
 * The proleptic Gregorian calendar by integer arithmetic, as java.time counts: there is a year 0, days count from
 * 1970-01-01, weekdays from Monday 1 to Sunday 7.
 */
export const dayMillis = 86_400_000

interface CalendarDate {
  readonly year: number
  /** 1..12 */
  readonly month: number
  /** 1..31 */
  readonly day: number
}

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Years begin in March here, so that the leap day is the last; every 400 years have the same number of days. */
export function dayNumber(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1
  const cycle = Math.floor(marchYear / 400)
  const inCycle = marchYear - cycle * 400
  const fromMarch = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  return (
    cycle * 146_097 +
    inCycle * 365 +
    Math.floor(inCycle / 4) -
    Math.floor(inCycle / 100) +
    fromMarch -
    719_468
  )
}

export function dateOf(dayCount: number): CalendarDate {
  const shifted = dayCount + 719_468
  const cycle = Math.floor(shifted / 146_097)
  const day = shifted - cycle * 146_097
  const year = Math.floor(
    (day - Math.floor(day / 1460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365,
  )
  const inYear = day - (365 * year + Math.floor(year / 4) - Math.floor(year / 100))
  const fromMarch = Math.floor((5 * inYear + 2) / 153)
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  return {
    year: cycle * 400 + year + (month <= 2 ? 1 : 0),
    month,
    day: inYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  }
}

export function weekday(dayCount: number): number {
  return ((((dayCount + 3) % 7) + 7) % 7) + 1
}

/** Returns the Monday of week 1 of an ISO week year: the week with January 4. */
export function firstMonday(weekYear: number): number {
  const fourth = dayNumber(weekYear, 1, 4)
  return fourth - weekday(fourth) + 1
}

export function weeksInYear(weekYear: number): number {
  return (firstMonday(weekYear + 1) - firstMonday(weekYear)) / 7
}

interface IsoWeek {
  readonly year: number
  readonly week: number
}

export function isoWeek(dayCount: number): IsoWeek {
  const thursday = dayCount - weekday(dayCount) + 4
  const { year } = dateOf(thursday)
  return { year, week: Math.floor((thursday - firstMonday(year)) / 7) + 1 }
}
