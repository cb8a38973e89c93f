/**
 * From the fields a pattern read to a local time. The usual patterns (a year, a month, a day, a time) have a
 * formula of their own; anything else goes the way of Joda-Time: fields are set one after the other from the
 * largest to the smallest, rounding down each time, and then once more without rounding.
 */
import { dayMillis, dayOfDate, lengthOfMonth, weekdayOf } from '../time/calendar.ts'
import { type DateField, dateFields, type FieldName } from './date-fields.ts'

export interface SlottedField {
  readonly name: FieldName
  readonly slot: number
}

/** Local time in milliseconds, or NaN when a value is out of range. */
type Resolve = (values: readonly number[]) => number

/** The year of dates without one; a leap year, so that February 29 is a date. */
const defaultYear = 2000

export function resolveFields(fields: readonly SlottedField[]): Resolve {
  return resolveUsual(fields) ?? resolveInOrder(fields)
}

const dateNames: readonly FieldName[] = ['month', 'dayOfMonth', 'dayOfWeek']
const hourNames: readonly FieldName[] = ['hour', 'clockHour', 'hourOfHalfday', 'clockHourOfHalfday']
const usualNames: ReadonlySet<FieldName> = new Set<FieldName>([
  'year',
  'yearOfEra',
  ...dateNames,
  ...hourNames,
  'halfday',
  'minute',
  'second',
  'millisecond',
])

/** Undefined for patterns that are not usual. */
export function resolveUsual(fields: readonly SlottedField[]): Resolve | undefined {
  const slots = new Map(fields.map(({ name, slot }) => [name, slot]))
  const hours = hourNames.filter((name) => slots.has(name))
  if (slots.size < fields.length || hours.length > 1 || (slots.has('year') && slots.has('yearOfEra')))
    return undefined
  if (!fields.every(({ name }) => usualNames.has(name))) return undefined
  // A weekday may lead into another month, which then stays unless the pattern says which month and day.
  if (slots.has('dayOfWeek') && !(slots.has('month') && slots.has('dayOfMonth'))) return undefined
  const dayOf = resolveDay(slots)
  const hourOf = resolveHour(hours[0], slots)
  const minuteAt = slots.get('minute') ?? -1
  const secondAt = slots.get('second') ?? -1
  const milliAt = slots.get('millisecond') ?? -1
  return (values) => {
    const minute = minuteAt < 0 ? 0 : values[minuteAt]!
    const second = secondAt < 0 ? 0 : values[secondAt]!
    if (minute > 59 || second > 59) return Number.NaN
    const milli = milliAt < 0 ? 0 : values[milliAt]!
    // An hour or a day out of range is NaN and stays it.
    return dayOf(values) * dayMillis + hourOf(values) * 3_600_000 + minute * 60_000 + second * 1000 + milli
  }
}

function resolveDay(slots: ReadonlyMap<FieldName, number>): Resolve {
  const ofEra = slots.has('yearOfEra')
  const yearAt = slots.get('year') ?? slots.get('yearOfEra') ?? -1
  const monthAt = slots.get('month') ?? -1
  const dayAt = slots.get('dayOfMonth') ?? -1
  const weekdayAt = slots.get('dayOfWeek') ?? -1
  const yearUnlessGiven = dateNames.some((name) => slots.has(name)) ? defaultYear : 1970
  let keptYear = 0
  let keptMonth = 0
  let keptDay = 0
  let kept = Number.NaN
  return (values) => {
    const year = yearAt < 0 ? yearUnlessGiven : values[yearAt]!
    const month = monthAt < 0 ? 1 : values[monthAt]!
    const day = dayAt < 0 ? 1 : values[dayAt]!
    if (year !== keptYear || month !== keptMonth || day !== keptDay) {
      keptYear = year
      keptMonth = month
      keptDay = day
      kept = dayOfValidDate(year, month, day, ofEra)
    }
    if (weekdayAt < 0) return kept
    const weekday = values[weekdayAt]!
    return weekday >= 1 && weekday <= 7 ? kept + weekday - weekdayOf(kept) : Number.NaN
  }
}

function dayOfValidDate(year: number, month: number, day: number, ofEra: boolean): number {
  if ((ofEra && year < 1) || Math.abs(year) > 275_760) return Number.NaN
  if (month < 1 || month > 12 || day < 1 || day > lengthOfMonth(year, month)) return Number.NaN
  return dayOfDate(year, month, day)
}

/** With an hour of 0 to 23 or 1 to 24, morning or afternoon is read but means nothing. */
function resolveHour(name: FieldName | undefined, slots: ReadonlyMap<FieldName, number>): Resolve {
  const halfdayAt = slots.get('halfday') ?? -1
  const afternoon: Resolve = (values) => (halfdayAt < 0 ? 0 : values[halfdayAt]! * 12)
  if (name === undefined) return afternoon
  const at = slots.get(name)!
  if (name === 'hour') return (values) => (values[at]! <= 23 ? values[at]! : Number.NaN)
  if (name === 'clockHour') {
    return (values) => (values[at]! >= 1 && values[at]! <= 24 ? values[at]! % 24 : Number.NaN)
  }
  const [from, to] = name === 'hourOfHalfday' ? [0, 11] : [1, 12]
  return (values) => {
    const hour = values[at]!
    return hour >= from && hour <= to ? (hour % 12) + afternoon(values) : Number.NaN
  }
}

interface Step {
  readonly field: DateField
  /** -1: the value is `defaultYear`. */
  readonly slot: number
}

export function resolveInOrder(fields: readonly SlottedField[]): Resolve {
  const steps: Step[] = fields.map(({ name, slot }) => ({ field: dateFields[name], slot }))
  steps.sort(
    (a, b) => largerFirst(a.field.within, b.field.within) || largerFirst(a.field.length, b.field.length),
  )
  const first = steps[0]?.field
  if (first !== undefined && first.length <= dateFields.month.length && first.length >= dayMillis) {
    steps.unshift({ field: dateFields.year, slot: -1 })
  }
  return (values) => {
    let local = 0
    for (const { field, slot } of steps) {
      local = field.floor(field.set(local, slot < 0 ? defaultYear : values[slot]!))
    }
    for (const { field, slot } of steps) local = field.set(local, slot < 0 ? defaultYear : values[slot]!)
    return steps.at(-1)?.field.floor(local) ?? local
  }
}

function largerFirst(a: number, b: number): number {
  return a === b ? 0 : a > b ? -1 : 1
}
