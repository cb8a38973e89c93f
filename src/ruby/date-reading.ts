/**
 * Texts to times: `strptime` by a format, `parse` by looking for what a text may hold (ISO 8601, HTTP and mail
 * dates, logs), with Ruby's rules for what is missing.
 */

import { dayMillis, dayOfDate, lengthOfMonth } from '../time/calendar.ts'
import { shortMonthNames, shortWeekdayNames } from '../time/english-names.ts'
import { systemZone } from '../time/zone.ts'
import { argumentError, raise } from './errors.ts'
import { inspectText } from './inspect-text.ts'
import { newClass } from './ruby-class.ts'
import { dateClass, localOffset, RubyTime, readOffset, type TimeKind } from './time.ts'

export const dateError = newClass('Error', argumentError, dateClass)

interface ReadParts {
  year?: number
  month?: number
  dayOfMonth?: number
  dayOfYear?: number
  hour?: number
  minute?: number
  second?: number
  nanos?: number
  /** Seconds east of Greenwich. */
  offset?: number
  isUtc?: boolean
  /** Milliseconds since 1970. */
  epoch?: number
  afternoon?: boolean
}

const months = shortMonthNames.map((name) => name.toLowerCase())
const days = shortWeekdayNames.map((name) => name.toLowerCase())

function fullYear(text: string): number {
  const year = Number(text)
  return text.length > 2 ? year : year < 69 ? 2000 + year : 1900 + year
}

function fractionNanos(digits: string): number {
  return Number(digits.slice(0, 9).padEnd(9, '0'))
}

// ------------------------------------------------------------------------------------------------- strptime

const expansions: Readonly<Record<string, string>> = {
  T: '%H:%M:%S',
  X: '%H:%M:%S',
  F: '%Y-%m-%d',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  c: '%a %b %e %H:%M:%S %Y',
}

type Reader = (text: string, parts: ReadParts) => string | undefined

/** Reads digits from the front; gives the rest. */
function digits(
  max: number,
  take: (parts: ReadParts, value: number, text: string) => void,
  signed = false,
): Reader {
  const pattern = digitPatterns[signed ? 1 : 0]!
  return (text, parts) => {
    const found = pattern.exec(text)?.[0]
    if (found === undefined) return undefined
    const used = found.slice(0, max)
    take(parts, Number(used), used)
    return text.slice(used.length)
  }
}

type NumberPart = 'year' | 'month' | 'dayOfMonth' | 'dayOfYear' | 'hour' | 'minute' | 'second' | 'epoch'

/** Digits that are a part of the time as they stand. */
function part(max: number, name: NumberPart, signed = false): Reader {
  const take = (parts: ReadParts, value: number): void => {
    parts[name] = value
  }
  return digits(max, take, signed)
}

const digitPatterns = [/^\d+/, /^[+-]?\d+/]

function name(
  names: readonly string[],
  long: number,
  take: (parts: ReadParts, index: number) => void,
): Reader {
  return (text, parts) => {
    const index = names.indexOf(text.slice(0, 3).toLowerCase())
    if (index < 0) return undefined
    take(parts, index)
    const rest = /^[a-z]*/i.exec(text.slice(3))?.[0] ?? ''
    // The long form where the text has it; `May` is both.
    return text.slice(3 + (rest.length > 0 && rest.length <= long ? rest.length : 0))
  }
}

const within = (value: number, low: number, high: number): boolean => value >= low && value <= high

const readers: Readonly<Record<string, Reader>> = {
  Y: part(9, 'year', true),
  y: digits(2, (parts, _, text) => {
    parts.year = fullYear(text.padStart(2, '0'))
  }),
  m: part(2, 'month'),
  d: part(2, 'dayOfMonth'),
  j: part(3, 'dayOfYear'),
  H: part(2, 'hour'),
  I: part(2, 'hour'),
  M: part(2, 'minute'),
  S: part(2, 'second'),
  N: digits(30, (parts, _, text) => {
    parts.nanos = fractionNanos(text)
  }),
  s: digits(
    20,
    (parts, value) => {
      parts.epoch = value * 1000
    },
    true,
  ),
  Q: part(20, 'epoch', true),
  b: name(months, 6, (parts, index) => {
    parts.month = index + 1
  }),
  a: name(days, 6, () => undefined),
  p: (text, parts) => {
    const found = /^([ap])\.?m\.?/i.exec(text)
    if (found === null) return undefined
    parts.afternoon = found[1]!.toLowerCase() === 'p'
    return text.slice(found[0].length)
  },
  z: (text, parts) => {
    const found = /^(?:[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?|[a-z]+)/i.exec(text)?.[0]
    const offset = found === undefined ? undefined : readOffset(found)
    if (found === undefined || offset === undefined) return undefined
    parts.offset = offset
    parts.isUtc = /^(?:z|utc|-00:00)$/i.test(found)
    return text.slice(found.length)
  },
}
const sameReader: Readonly<Record<string, string>> = {
  e: 'd',
  k: 'H',
  l: 'I',
  L: 'N',
  B: 'b',
  h: 'b',
  A: 'a',
  P: 'p',
  Z: 'z',
}

/** The parts, or undefined when the text is not of the format. */
export function readByFormat(text: string, format: string): ReadParts | undefined {
  const parts: ReadParts = {}
  const rest = readInto(text, format, parts)
  if (rest !== '') return undefined
  const { month, dayOfMonth, hour, minute, second } = parts
  if (month !== undefined && !within(month, 1, 12)) return undefined
  if (dayOfMonth !== undefined && !within(dayOfMonth, 1, 31)) return undefined
  if (hour !== undefined && hour > 24) return undefined
  if ((minute ?? 0) > 59 || (second ?? 0) > 60) return undefined
  return parts
}

function readInto(text: string, format: string, parts: ReadParts): string | undefined {
  let rest: string | undefined = text
  for (let i = 0; i < format.length && rest !== undefined; i++) {
    const char = format[i]!
    if (char === '%' && i + 1 < format.length) {
      do i++
      while ('-0^#_:'.includes(format[i]!) && i + 1 < format.length)
      while (/\d/.test(format[i]!) && i + 1 < format.length) i++
      const letter = format[i]!
      const expansion = expansions[letter]
      if (expansion !== undefined) rest = readInto(rest, expansion, parts)
      else if (letter === '%') rest = rest.startsWith('%') ? rest.slice(1) : undefined
      else if (letter === 'n' || letter === 't') rest = rest.replace(/^\s+/, '')
      else {
        const reader: Reader | undefined = readers[sameReader[letter] ?? letter]
        if (reader === undefined)
          raise(argumentError, `the directive %${letter} of strptime is not supported`)
        // Letters that pad with blanks.
        if ('ekl'.includes(letter)) rest = rest.replace(/^ /, '')
        rest = reader(rest, parts)
      }
    } else if (/\s/.test(char)) rest = rest.replace(/^\s+/, '')
    else rest = rest.startsWith(char) ? rest.slice(1) : undefined
  }
  return rest
}

// ---------------------------------------------------------------------------------------------------- parse

const clockPart =
  /(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*([ap]\.?m\b\.?)?\s*(z\b|[+-]\d{1,2}(?::?\d{2})?\b|(?:utc|gmt|ut|[ecmp][sd]t|cest|cet|bst|msk|jst|ist)\b(?:[+-]\d{1,2}(?::?\d{2})?)?)?/i
const isoDate = /([+-]?\d{4,})-(\d{1,2})(?:-(\d{1,2}))?/
const ordinalDate = /\b(\d{4})-(\d{3})\b/
const compact = /\b(\d{4})(\d{2})(\d{2})(?:t?(\d{2})(\d{2})(\d{2})?(?:[.,](\d+))?(z|[+-]\d{2}:?\d{2})?)?\b/i
const slashDate = /\b(\d{4})\/(\d{1,2})\/(\d{1,2})\b/
const dayMonthYear =
  /\b(\d{1,2})(?:st|nd|rd|th)?[\s\-/]+(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?:[\s,\-/]+(-?\d+))?/i
const monthDayYear =
  /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s+(\d{4})\b)?/i
const slashed = /\b(\d{1,2})\/(\d{1,2})\/(\d{2,4})\b/

/** What a text says of a time; undefined when nothing. */
export function readAny(text: string): ReadParts | undefined {
  const parts: ReadParts = {}
  let rest = text.slice(0, 200)
  const clock = clockPart.exec(rest)
  if (clock !== null) {
    const [whole, hour, minute, second, fraction, half, zone] = clock
    parts.hour = Number(hour)
    parts.minute = Number(minute)
    if (second !== undefined) parts.second = Number(second)
    if (fraction !== undefined) parts.nanos = fractionNanos(fraction)
    if (half !== undefined) parts.afternoon = /^p/i.test(half)
    takeZone(parts, zone)
    rest = `${rest.slice(0, clock.index).replace(/t$/i, ' ')} ${rest.slice(clock.index + whole.length)}`
  }
  if (!takeDate(parts, rest, clock !== null) && clock === null) return undefined
  return parts
}

function takeZone(parts: ReadParts, zone: string | undefined): void {
  if (zone === undefined) return
  const offset = readOffset(zone)
  if (offset === undefined) return
  parts.offset = offset
  parts.isUtc = /^(?:z|utc|-00:00)$/i.test(zone)
}

function takeDate(parts: ReadParts, text: string, hasClock: boolean): boolean {
  const set = (year: string | undefined, month: number | undefined, day: string | undefined): true => {
    if (year !== undefined) parts.year = year.length > 2 ? Number(year) : fullYear(year)
    if (month !== undefined) parts.month = month
    if (day !== undefined) parts.dayOfMonth = Number(day)
    return true
  }
  const monthOf = (word: string): number => months.indexOf(word.toLowerCase().slice(0, 3)) + 1
  const ordinal = ordinalDate.exec(text)
  if (ordinal !== null) {
    parts.year = Number(ordinal[1])
    parts.dayOfYear = Number(ordinal[2])
    return true
  }
  const iso = isoDate.exec(text) ?? slashDate.exec(text)
  if (iso !== null) return set(iso[1], Number(iso[2]), iso[3])
  const eu = dayMonthYear.exec(text)
  if (eu !== null) return set(eu[3], monthOf(eu[2]!), eu[1])
  const us = monthDayYear.exec(text)
  if (us !== null) return set(us[3] ?? /\b(\d{4})\b/.exec(text)?.[1], monthOf(us[1]!), us[2])
  const digitsOnly = compact.exec(text)
  if (digitsOnly !== null) {
    const [, year, month, day, hour, minute, second, fraction, zone] = digitsOnly
    if (hour !== undefined && !hasClock) {
      parts.hour = Number(hour)
      parts.minute = Number(minute)
      if (second !== undefined) parts.second = Number(second)
      if (fraction !== undefined) parts.nanos = fractionNanos(fraction)
      takeZone(parts, zone)
    }
    return set(year, Number(month), day)
  }
  const slash = slashed.exec(text)
  if (slash !== null) return set(slash[1], Number(slash[2]), slash[3])
  const weekday = days.findIndex((day) => text.toLowerCase().includes(day))
  return weekday >= 0 && hasClock
}

// ---------------------------------------------------------------------------------------------------- result

/** The instant of the parts; today stands in for a missing date when there is a time. */
export function timeOf(parts: ReadParts, kind: TimeKind, text: string): RubyTime {
  const invalid = (): never =>
    kind === 'Time' ? raise(argumentError, 'argument out of range') : raise(dateError, 'invalid date')
  const { nanos = 0 } = parts
  if (parts.epoch !== undefined) {
    const offset = parts.offset ?? (kind === 'Time' ? localOffset(parts.epoch) : 0)
    return new RubyTime(
      kind,
      parts.epoch + Math.floor(nanos / 1e6),
      nanos % 1e6,
      offset,
      kind === 'Time' && parts.offset === 0,
    )
  }
  const now = RubyTime.local(Date.now()).parts
  const hasDate =
    parts.year !== undefined ||
    parts.month !== undefined ||
    parts.dayOfMonth !== undefined ||
    parts.dayOfYear !== undefined
  const year = parts.year ?? now.year
  const month = parts.month ?? (hasDate ? (parts.year === undefined ? now.month : 1) : now.month)
  const dayOfMonth = parts.dayOfMonth ?? (hasDate ? 1 : now.dayOfMonth)
  if (!within(month, 1, 12) || dayOfMonth < 1 || dayOfMonth > lengthOfMonth(year, month)) {
    if (kind !== 'Time' || dayOfMonth > 31 || dayOfMonth < 1 || !within(month, 1, 12)) invalid()
  }
  let hour = parts.hour ?? 0
  if (parts.afternoon !== undefined) hour = (hour % 12) + (parts.afternoon ? 12 : 0)
  const second = parts.second ?? 0
  const minute = parts.minute ?? 0
  if (hour > 24 || minute > 59 || second > 60 || (hour === 24 && minute + second > 0)) invalid()
  const day =
    parts.dayOfYear === undefined
      ? dayOfDate(year, month, 1) + dayOfMonth - 1
      : dayOfDate(year, 1, 1) + parts.dayOfYear - 1
  const local =
    kind === 'Date' ? day * dayMillis : day * dayMillis + (hour * 3600 + minute * 60 + second) * 1000
  if (Number.isNaN(local)) raise(argumentError, `no time information in ${inspectText(text)}`)
  if (kind === 'Date') return new RubyTime('Date', local, 0, 0, true)
  const extra = Math.floor(nanos / 1e6)
  if (kind === 'DateTime') {
    const offset = parts.offset ?? 0
    return new RubyTime(kind, local - offset * 1000 + extra, nanos % 1e6, offset, false)
  }
  if (parts.offset === undefined) return RubyTime.local(systemZone().instantOf(local) + extra, nanos % 1e6)
  return new RubyTime(
    'Time',
    local - parts.offset * 1000 + extra,
    nanos % 1e6,
    parts.offset,
    parts.isUtc === true,
  )
}
