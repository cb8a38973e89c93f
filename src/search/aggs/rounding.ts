/**
 * Rounds instants down to the beginning of their interval: fixed lengths, or calendar units in a time zone
 * with daylight saving time. When an hour occurs twice, both are separate intervals; when midnight is
 * skipped, the day begins at the transition.
 */
import { dateOfDay, dayMillis, dayOfDate, weekdayOf } from '../../time/calendar.ts'
import { type TimeZone, utc } from '../time/time-zone.ts'

export interface Rounding {
  round(instant: number): number
  /** The beginning of the interval after one that begins at `rounded`. */
  next(rounded: number): number
}

export type CalendarUnit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year'

const unitNames = new Map<string, CalendarUnit>(
  (
    [
      ['second', '1s'],
      ['minute', '1m'],
      ['hour', '1h'],
      ['day', '1d'],
      ['week', '1w'],
      ['month', '1M'],
      ['quarter', '1q'],
      ['year', '1y'],
    ] as const
  ).flatMap(([unit, short]) => [
    [unit, unit],
    [short, unit],
  ]),
)

export function calendarUnit(text: string): CalendarUnit | undefined {
  return unitNames.get(text)
}

const fixedLengths = new Map<CalendarUnit, number>([
  ['second', 1000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', dayMillis],
])

export function calendarRounding(unit: CalendarUnit, zone: TimeZone = utc): Rounding {
  const length = fixedLengths.get(unit)
  if (zone.fixed !== undefined) {
    return length === undefined ? fixedZoneDays(unit, zone.fixed) : plainInterval(length, zone.fixed)
  }
  return length === undefined || unit === 'day' ? zoneDays(unit, zone) : zoneHours(length, zone)
}

export function fixedRounding(length: number, zone: TimeZone = utc): Rounding {
  return zone.fixed === undefined ? zoneInterval(length, zone) : plainInterval(length, zone.fixed)
}

/** The same rounding, shifted by `offset` milliseconds. */
export function shifted(rounding: Rounding, offset: number): Rounding {
  if (offset === 0) return rounding
  return {
    round: (instant) => rounding.round(instant - offset) + offset,
    next: (rounded) => rounding.next(rounded - offset) + offset,
  }
}

function plainInterval(length: number, shift: number): Rounding {
  return {
    round: (instant) => Math.floor((instant + shift) / length) * length - shift,
    next: (rounded) => rounded + length,
  }
}

/** The first day of the unit that contains a day. */
function firstDay(day: number, unit: CalendarUnit): number {
  if (unit === 'day') return day
  if (unit === 'week') return day - weekdayOf(day) + 1
  const { year, month } = dateOfDay(day)
  if (unit === 'month') return dayOfDate(year, month, 1)
  if (unit === 'quarter') return dayOfDate(year, month - ((month - 1) % 3), 1)
  return dayOfDate(year, 1, 1)
}

/** The first day of the next unit. */
function dayBehind(day: number, unit: CalendarUnit): number {
  if (unit === 'day') return day + 1
  if (unit === 'week') return day + 7
  const { year, month } = dateOfDay(day)
  if (unit === 'year') return dayOfDate(year + 1, 1, 1)
  const after = month + (unit === 'month' ? 1 : 3)
  return after > 12 ? dayOfDate(year + 1, after - 12, 1) : dayOfDate(year, after, 1)
}

function fixedZoneDays(unit: CalendarUnit, shift: number): Rounding {
  const dayOf = (instant: number) => Math.floor((instant + shift) / dayMillis)
  return {
    round: (instant) => firstDay(dayOf(instant), unit) * dayMillis - shift,
    next: (rounded) => dayBehind(dayOf(rounded), unit) * dayMillis - shift,
  }
}

/** The beginning of a day: its first midnight, or the transition that skips it. */
function startOfDay(day: number, zone: TimeZone): number {
  const local = day * dayMillis
  const instant = zone.instantOf(local)
  const shown = instant + zone.offsetAt(instant)
  return shown === local ? instant : lastChange(zone, instant - dayMillis, instant)
}

/** The instant in (from, to] at which the offset of `to` took effect. */
function lastChange(zone: TimeZone, from: number, to: number): number {
  const offset = zone.offsetAt(to)
  let low = from
  let high = to
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (zone.offsetAt(middle) === offset) high = middle
    else low = middle
  }
  return high
}

function zoneDays(unit: CalendarUnit, zone: TimeZone): Rounding {
  const dayOf = (instant: number) => Math.floor((instant + zone.offsetAt(instant)) / dayMillis)
  return {
    round: (instant) => startOfDay(firstDay(dayOf(instant), unit), zone),
    next: (rounded) => startOfDay(dayBehind(dayOf(rounded), unit), zone),
  }
}

function zoneHours(length: number, zone: TimeZone): Rounding {
  function round(given: number): number {
    let instant = given
    for (;;) {
      const offset = zone.offsetAt(instant)
      const start = Math.floor((instant + offset) / length) * length - offset
      if (zone.offsetAt(start) === offset) return start
      // A transition lies in between, so the instant before it is rounded.
      instant = lastChange(zone, start, instant) - 1
    }
  }
  function next(rounded: number): number {
    let at = rounded
    for (let step = rounded + length; at <= rounded; step += length) at = round(step)
    return at
  }
  return { round, next }
}

function zoneInterval(length: number, zone: TimeZone): Rounding {
  return {
    round(instant) {
      const offset = zone.offsetAt(instant)
      const local = Math.floor((instant + offset) / length) * length
      const same = local - offset
      if (zone.offsetAt(same) === offset) return same
      const first = zone.instantOf(local)
      if (first + zone.offsetAt(first) === local && first <= instant) return first
      return lastChange(zone, same, instant)
    },
    next(rounded) {
      const at = zone.instantOf(rounded + zone.offsetAt(rounded) + length)
      return at > rounded ? at : rounded + length
    },
  }
}
