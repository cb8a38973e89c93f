/**
 * Date math: an anchor (`now`, or a date and `||`) and operations; `+1h` and `-2d` add, `/d` rounds down to the
 * unit, or up to its last millisecond. Operations use local time in the time zone. A text without date math is a
 * date in the field's format. (Elasticsearch's JavaDateMathParser.)
 */

import {
  dateOfDay,
  dayMillis,
  dayOfDate,
  lengthOfMonth,
  maxDateMillis,
  weekdayOf,
} from '../../time/calendar.ts'
import { illegalArgument, parseError } from '../request/errors.ts'
import { SearchError } from '../request/search-error.ts'
import { type DateFormat, DateFormatError } from './date-format.ts'
import { type TimeZone, utc } from './time-zone.ts'

interface DateMathSettings {
  readonly format: DateFormat
  /** Milliseconds; one reading of the clock for the whole request. */
  readonly now: number
  /** Set for `lte` and `gt`, whose bound is the last moment of what the text names. */
  readonly roundUp?: boolean
  readonly zone?: TimeZone | undefined
}

/** Returns milliseconds since 1970. Throws SearchError of type `parse_exception`. */
export function parseDateMath(text: string, settings: DateMathSettings): number {
  const { now, zone = utc, roundUp = false } = settings
  if (text.startsWith('now')) return applySteps(text.slice(3), now, roundUp, zone)
  const bars = text.indexOf('||')
  if (bars === -1) return parseDate(text, settings, roundUp)
  return applySteps(text.slice(bars + 2), parseDate(text.slice(0, bars), settings, false), roundUp, zone)
}

function parseDate(text: string, { format, zone }: DateMathSettings, roundUp: boolean): number {
  if (text === '') throw parseError('cannot parse empty date')
  try {
    return format.parse(text, { roundUp, zone })
  } catch (error) {
    if (!(error instanceof DateFormatError)) throw error
    const reason = error.message
    throw parseError(
      `failed to parse date field [${text}] with format [${format.pattern}]: [${reason}]`,
      illegalArgument(reason, causeOf(format, text)),
    )
  }
}

/** What stands below the error: of a format with alternatives that none matches, of another where it stopped. */
function causeOf(format: DateFormat, text: string): SearchError {
  const isSeveral = format.pattern.includes('||') || format.pattern.startsWith('epoch_')
  return new SearchError(
    'date_time_parse_exception',
    isSeveral ? 'Failed to parse with all enclosed parsers' : format.javaReason(text),
  )
}

const units = 'yMwdhHms'

function applySteps(steps: string, start: number, roundUp: boolean, zone: TimeZone): number {
  let instant = start
  for (let at = 0; at < steps.length; ) {
    const operator = steps[at++]!
    if (!'/+-'.includes(operator)) throw parseError(`operator not supported for date math [${steps}]`)
    const from = at
    while (at < steps.length && steps.charCodeAt(at) >= 48 && steps.charCodeAt(at) <= 57) at++
    if (at >= steps.length) throw parseError(`truncated date math [${steps}]`)
    const count = from === at ? 1 : Number(steps.slice(from, at))
    if (count > 2_147_483_647) throw parseError(`For input string: "${steps.slice(from, at)}"`)
    if (operator === '/' && count !== 1) {
      throw parseError(`rounding \`/\` can only be used on single unit types [${steps}]`)
    }
    const unit = steps[at++]!
    if (!units.includes(unit)) throw parseError(`unit [${unit}] not supported for date math [${steps}]`)
    if (operator === '/') instant = round(instant, unit, roundUp, zone)
    else instant = move(instant, operator === '-' ? -count : count, unit, zone)
    if (!(Math.abs(instant) <= maxDateMillis)) throw parseError(`date math out of range [${steps}]`)
  }
  return instant
}

const fixedUnits = new Map([
  ['h', 3_600_000],
  ['H', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
])

/** Hours and shorter units are exact durations; days and longer keep the local time of day. */
function move(instant: number, count: number, unit: string, zone: TimeZone): number {
  const fixed = fixedUnits.get(unit)
  if (fixed !== undefined) return instant + count * fixed
  const local = instant + zone.offsetAt(instant)
  const moved = moveLocal(local, count, unit)
  // A local time that occurs twice keeps its offset.
  const kept = moved - zone.offsetAt(instant)
  return kept + zone.offsetAt(kept) === moved ? kept : zone.instantOf(moved)
}

function moveLocal(local: number, count: number, unit: string): number {
  if (unit === 'd') return local + count * dayMillis
  if (unit === 'w') return local + count * 7 * dayMillis
  const day = Math.floor(local / dayMillis)
  const date = dateOfDay(day)
  const months = date.year * 12 + date.month - 1 + (unit === 'y' ? count * 12 : count)
  const year = Math.floor(months / 12)
  const month = months - year * 12 + 1
  const moved = dayOfDate(year, month, Math.min(date.dayOfMonth, lengthOfMonth(year, month)))
  return local + (moved - day) * dayMillis
}

/** Rounds to the start of the unit in local time, or to the last millisecond before the next unit. */
function round(instant: number, unit: string, roundUp: boolean, zone: TimeZone): number {
  const offset = zone.offsetAt(instant)
  const local = instant + offset
  const fixed = fixedUnits.get(unit)
  if (fixed !== undefined) {
    const start = Math.floor(local / fixed) * fixed - offset
    return roundUp ? start + fixed - 1 : start
  }
  const start = startOf(local, unit)
  if (!roundUp) return zone.instantOf(start)
  return zone.instantOf(moveLocal(start, 1, unit)) - 1
}

function startOf(local: number, unit: string): number {
  const day = Math.floor(local / dayMillis)
  if (unit === 'd') return day * dayMillis
  if (unit === 'w') return (day - weekdayOf(day) + 1) * dayMillis
  const { year, month } = dateOfDay(day)
  return dayOfDate(year, unit === 'y' ? 1 : month, 1) * dayMillis
}
