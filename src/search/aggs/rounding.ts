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
    return length === undefined ? new FixedZoneDays(unit, zone.fixed) : new PlainInterval(length, zone.fixed)
  }
  return length === undefined || unit === 'day' ? new ZoneDays(unit, zone) : new ZoneHours(length, zone)
}

export function fixedRounding(length: number, zone: TimeZone = utc): Rounding {
  return zone.fixed === undefined ? new ZoneInterval(length, zone) : new PlainInterval(length, zone.fixed)
}

/** The same rounding, shifted by `offset` milliseconds. */
export function shifted(rounding: Rounding, offset: number): Rounding {
  if (offset === 0) return rounding
  return {
    round: (instant) => rounding.round(instant - offset) + offset,
    next: (rounded) => rounding.next(rounded - offset) + offset,
  }
}

class PlainInterval implements Rounding {
  readonly #length: number
  readonly #shift: number

  constructor(length: number, shift: number) {
    this.#length = length
    this.#shift = shift
  }

  round(instant: number): number {
    return Math.floor((instant + this.#shift) / this.#length) * this.#length - this.#shift
  }

  next(rounded: number): number {
    return rounded + this.#length
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

class FixedZoneDays implements Rounding {
  readonly #unit: CalendarUnit
  readonly #shift: number

  constructor(unit: CalendarUnit, shift: number) {
    this.#unit = unit
    this.#shift = shift
  }

  round(instant: number): number {
    return firstDay(Math.floor((instant + this.#shift) / dayMillis), this.#unit) * dayMillis - this.#shift
  }

  next(rounded: number): number {
    return dayBehind(Math.floor((rounded + this.#shift) / dayMillis), this.#unit) * dayMillis - this.#shift
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

class ZoneDays implements Rounding {
  readonly #unit: CalendarUnit
  readonly #zone: TimeZone

  constructor(unit: CalendarUnit, zone: TimeZone) {
    this.#unit = unit
    this.#zone = zone
  }

  #dayOf(instant: number): number {
    return Math.floor((instant + this.#zone.offsetAt(instant)) / dayMillis)
  }

  round(instant: number): number {
    return startOfDay(firstDay(this.#dayOf(instant), this.#unit), this.#zone)
  }

  next(rounded: number): number {
    return startOfDay(dayBehind(this.#dayOf(rounded), this.#unit), this.#zone)
  }
}

class ZoneHours implements Rounding {
  readonly #length: number
  readonly #zone: TimeZone

  constructor(length: number, zone: TimeZone) {
    this.#length = length
    this.#zone = zone
  }

  round(given: number): number {
    const zone = this.#zone
    let instant = given
    for (;;) {
      const offset = zone.offsetAt(instant)
      const start = Math.floor((instant + offset) / this.#length) * this.#length - offset
      if (zone.offsetAt(start) === offset) return start
      // A transition lies in between, so the instant before it is rounded.
      instant = lastChange(zone, start, instant) - 1
    }
  }

  next(rounded: number): number {
    let next = rounded
    for (let step = rounded + this.#length; next <= rounded; step += this.#length) next = this.round(step)
    return next
  }
}

class ZoneInterval implements Rounding {
  readonly #length: number
  readonly #zone: TimeZone

  constructor(length: number, zone: TimeZone) {
    this.#length = length
    this.#zone = zone
  }

  round(instant: number): number {
    const zone = this.#zone
    const offset = zone.offsetAt(instant)
    const local = Math.floor((instant + offset) / this.#length) * this.#length
    const same = local - offset
    if (zone.offsetAt(same) === offset) return same
    const first = zone.instantOf(local)
    if (first + zone.offsetAt(first) === local && first <= instant) return first
    return lastChange(zone, same, instant)
  }

  next(rounded: number): number {
    const zone = this.#zone
    const next = zone.instantOf(rounded + zone.offsetAt(rounded) + this.#length)
    return next > rounded ? next : rounded + this.#length
  }
}
