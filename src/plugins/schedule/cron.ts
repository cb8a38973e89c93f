/**
 * Cron expressions as Logstash takes them (those of rufus-scheduler): five fields, or six with seconds first,
 * and a time zone at the end if wanted:
 *   [second] minute hour day-of-month month day-of-week [zone]
 * A field is `*`, a number, a name (`jan`, `mon`), a range `a-b`, a step `/n`, a list with commas; a day of the month
 * may be `L` or count from the end (-2); a day of the week may carry which one of the month it is (`mon#1`, `fri#-1`).
 * When both kinds of day are given, one of them is enough.
 */
import { dateOfDay, dayMillis, dayOfDate, lengthOfMonth, weekdayOf } from '../../time/calendar.ts'
import { findZone, systemZone, type Zone } from '../../time/zone.ts'

interface Cron {
  /** The first instant after the given one, in milliseconds; undefined when there is none within decades. */
  next(after: number): number | undefined
}

const shorthands: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@noon': '0 12 * * *',
  '@hourly': '0 * * * *',
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

interface Numbers {
  readonly from: number
  readonly to: number
  readonly names?: readonly string[]
}

const seconds: Numbers = { from: 0, to: 59 }
const minutes: Numbers = { from: 0, to: 59 }
const hours: Numbers = { from: 0, to: 23 }
const daysOfMonth: Numbers = { from: 1, to: 31 }
const months: Numbers = { from: 1, to: 12, names: monthNames }
const daysOfWeek: Numbers = { from: 0, to: 7, names: dayNames }

/** Twenty-eight years: the calendar repeats itself then, but for a leap year left out. */
const daysAhead = 366 * 29

export function parseCron(text: string): Cron {
  const fail = (): never => {
    throw new Error(`invalid cron string ${JSON.stringify(text)}`)
  }
  const words = text.trim().split(/\s+/)
  let zone: Zone | undefined
  const last = words.at(-1)!
  const isDayName = dayNames.some((name) => last.toLowerCase().startsWith(name))
  if (words.length > 1 && /^[A-Za-z]/.test(last) && !isDayName) {
    zone = findZone(/^z$/i.test(last) ? 'UTC' : last) ?? fail()
    words.pop()
  }
  const expanded = words.length === 1 ? (shorthands[words[0]!.toLowerCase()] ?? '').split(' ') : words
  const fields = expanded.length === 5 ? ['0', ...expanded] : expanded
  if (fields.length !== 6) fail()
  const [second, minute, hour, dayOfMonth, month, dayOfWeek] = fields as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const plan = {
    seconds: numbersOf(second, seconds) ?? fail(),
    minutes: numbersOf(minute, minutes) ?? fail(),
    hours: numbersOf(hour, hours) ?? fail(),
    months: numbersOf(month, months) ?? fail(),
    isDay: dayTest(dayOfMonth, dayOfWeek) ?? fail(),
  }
  return { next: (after) => nextOf(plan, zone ?? systemZone(), after) }
}

interface Plan {
  readonly seconds: number[]
  readonly minutes: number[]
  readonly hours: number[]
  readonly months: number[]
  isDay(day: number): boolean
}

function nextOf(plan: Plan, zone: Zone, after: number): number | undefined {
  const start = Math.floor((after + zone.offsetAt(after)) / dayMillis)
  for (let day = start; day < start + daysAhead; day++) {
    if (!plan.months.includes(dateOfDay(day).month) || !plan.isDay(day)) continue
    for (const hour of plan.hours) {
      const ofHour = day * dayMillis + hour * 3_600_000
      if (zone.instantOf(ofHour + 3_599_000) <= after) continue
      for (const minute of plan.minutes) {
        for (const second of plan.seconds) {
          const local = ofHour + minute * 60_000 + second * 1000
          if (zone.isSkipped(local)) continue
          const instant = zone.instantOf(local)
          if (instant > after) return instant
        }
      }
    }
  }
  return undefined
}

/** The numbers a field stands for, in ascending order; undefined when it is not understood. */
function numbersOf(field: string, range: Numbers): number[] | undefined {
  const found = new Set<number>()
  for (const part of field.split(',')) {
    const numbers = partOf(part, range)
    if (numbers === undefined) return undefined
    for (const number of numbers) found.add(number)
  }
  return [...found].sort((a, b) => a - b)
}

function partOf(part: string, range: Numbers): number[] | undefined {
  const [base = '', stepText, ...more] = part.split('/')
  if (more.length > 0 || (stepText !== undefined && !/^\d{1,3}$/.test(stepText))) return undefined
  const step = stepText === undefined ? 1 : Number(stepText)
  if (step < 1) return undefined
  if (base === '*') return sequence(range.from, range.to, step, range)
  const [first = '', second, ...rest] = base.split(/(?<=.)-/)
  const from = numberOf(first, range)
  if (rest.length > 0 || from === undefined) return undefined
  if (second === undefined) return stepText === undefined ? [from] : sequence(from, range.to, step, range)
  const to = numberOf(second, range)
  return to === undefined ? undefined : sequence(from, to, step, range)
}

function numberOf(text: string, { from, to, names }: Numbers): number | undefined {
  const named = names?.indexOf(text.toLowerCase().slice(0, 3)) ?? -1
  if (named >= 0 && /^[a-z]+$/i.test(text)) return named + (names === monthNames ? 1 : 0)
  if (!/^\d{1,2}$/.test(text)) return undefined
  const value = Number(text)
  return value >= from && value <= to ? value : undefined
}

/** `22-2` goes over the end of the range. */
function sequence(from: number, to: number, step: number, range: Numbers): number[] {
  const size = range.to - range.from + 1
  const count = to >= from ? to - from : to - from + size
  const numbers: number[] = []
  for (let i = 0; i <= count; i += step) numbers.push(((from - range.from + i) % size) + range.from)
  return numbers
}

type DayTest = (day: number) => boolean

function dayTest(dayOfMonth: string, dayOfWeek: string): DayTest | undefined {
  const byMonth = dayOfMonth === '*' ? undefined : monthDayTest(dayOfMonth)
  const byWeek = dayOfWeek === '*' ? undefined : weekDayTest(dayOfWeek)
  if ((byMonth === undefined) !== (dayOfMonth === '*')) return undefined
  if ((byWeek === undefined) !== (dayOfWeek === '*')) return undefined
  if (byMonth !== undefined && byWeek !== undefined) return (day) => byMonth(day) || byWeek(day)
  return byMonth ?? byWeek ?? (() => true)
}

function monthDayTest(field: string): DayTest | undefined {
  const fromEnd: number[] = []
  const plain: string[] = []
  for (const part of field.split(',')) {
    if (/^(l|last)$/i.test(part)) fromEnd.push(1)
    else if (/^-\d{1,2}$/.test(part)) fromEnd.push(-Number(part))
    else plain.push(part)
  }
  const numbers = plain.length === 0 ? [] : numbersOf(plain.join(','), daysOfMonth)
  if (numbers === undefined) return undefined
  return (day) => {
    const { year, month, dayOfMonth } = dateOfDay(day)
    return numbers.includes(dayOfMonth) || fromEnd.includes(lengthOfMonth(year, month) - dayOfMonth + 1)
  }
}

function weekDayTest(field: string): DayTest | undefined {
  const tests: DayTest[] = []
  for (const part of field.split(',')) {
    const [base = '', which, ...more] = part.split('#')
    const numbers = numbersOf(base, daysOfWeek)?.map((number) => number % 7)
    if (numbers === undefined || more.length > 0) return undefined
    if (which === undefined) tests.push((day) => numbers.includes(weekdayOf(day) % 7))
    else {
      const place = /^(l|last)$/i.test(which) ? -1 : Number(which)
      if (!/^(-?[1-5]|l|last)$/i.test(which)) return undefined
      tests.push((day) => numbers.includes(weekdayOf(day) % 7) && isNth(day, place))
    }
  }
  return (day) => tests.some((test) => test(day))
}

/** Whether a day is the n-th of its weekday in its month, counted from the end when negative. */
function isNth(day: number, place: number): boolean {
  const { year, month, dayOfMonth } = dateOfDay(day)
  if (place > 0) return Math.ceil(dayOfMonth / 7) === place
  const left = dayOfDate(year, month, lengthOfMonth(year, month)) - day
  return Math.ceil((left + 1) / 7) === -place
}
