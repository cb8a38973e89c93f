/**
 * Joda-Time patterns for `%{+FORMAT}`, in UTC with English names. A pattern is compiled once.
 * Runs of one letter are fields, everything else is text; `'…'` quotes letters and `''` is a quote.
 */

import { isoWeek } from '../time/calendar.ts'
import { monthNames, shortMonthNames, shortWeekdayNames, weekdayNames } from '../time/english-names.ts'
import {
  endOfRun,
  isLetter,
  joinParts,
  literalPart,
  padded,
  span,
  type TimeFormat,
  type TimePart,
} from './time-pattern.ts'
import type { UtcTime } from './utc-time.ts'

export function compileJodaFormat(pattern: string): TimeFormat {
  if (pattern === '') throw new Error('Invalid pattern specification')
  const parts: TimePart[] = []
  let position = 0
  while (position < pattern.length) {
    if (isLetter(pattern[position]!)) {
      const end = endOfRun(pattern, position)
      parts.push(field(pattern.slice(position, end)))
      position = end
    } else {
      const { text, end } = readText(pattern, position)
      if (text !== '') parts.push(literalPart(text))
      position = end
    }
  }
  if (parts.length === 0) throw new Error('Both printing and parsing not supported')
  return joinParts(parts)
}

/** Text up to the next letter outside quotes. A quote left open runs to the end of the pattern. */
export function readText(pattern: string, from: number): { text: string; end: number } {
  let text = ''
  let quoted = false
  let position = from
  for (; position < pattern.length; position++) {
    const character = pattern[position]!
    if (character === "'") {
      if (pattern[position + 1] === "'") {
        text += "'"
        position++
      } else {
        quoted = !quoted
      }
    } else if (!quoted && isLetter(character)) {
      break
    } else {
      text += character
    }
  }
  return { text, end: position }
}

function field(token: string): TimePart {
  const width = token.length
  switch (token[0]) {
    case 'G':
      return daily((time) => (time.year > 0 ? 'AD' : 'BC'))
    case 'C':
      return daily((time) => padded(Math.floor(Math.abs(time.year) / 100), width))
    case 'Y':
      return width === 2
        ? daily((time) => twoDigits(time.year))
        : daily((time) => padded(yearOfEra(time), width))
    case 'y':
      return width === 2 ? daily((time) => twoDigits(time.year)) : daily((time) => padded(time.year, width))
    case 'x':
      if (width === 2) return daily((time) => twoDigits(isoWeek(time.day).year))
      return daily((time) => padded(isoWeek(time.day).year, width))
    case 'w':
      return daily((time) => padded(isoWeek(time.day).week, width))
    case 'e':
      return daily((time) => padded(time.weekday, width))
    case 'E':
      return name(width > 3 ? weekdayNames : shortWeekdayNames, (time) => time.weekday)
    case 'D':
      return daily((time) => padded(time.dayOfYear, width))
    case 'M':
      if (width < 3) return daily((time) => padded(time.month, width))
      return name(width > 3 ? monthNames : shortMonthNames, (time) => time.month)
    case 'd':
      return daily((time) => padded(time.dayOfMonth, width))
    case 'a':
      return hourly((time) => (time.hour < 12 ? 'AM' : 'PM'))
    case 'K':
      return hourly((time) => padded(time.hour % 12, width))
    case 'h':
      return hourly((time) => padded(time.hour % 12 || 12, width))
    case 'H':
      return hourly((time) => padded(time.hour, width))
    case 'k':
      return hourly((time) => padded(time.hour || 24, width))
    case 'm':
      return { span: span.minute, text: (time) => padded(time.minute, width) }
    case 's':
      return { span: span.second, text: (time) => padded(time.second, width) }
    case 'S':
      return { span: span.millisecond, text: (time) => fraction(time.millisOfSecond, width) }
    case 'z':
      return literalPart(width > 3 ? 'Coordinated Universal Time' : 'UTC')
    case 'Z':
      return literalPart(width === 1 ? '+0000' : width === 2 ? '+00:00' : 'UTC')
    default:
      throw new Error(`Illegal pattern component: ${token}`)
  }
}

function daily(text: (time: UtcTime) => string): TimePart {
  return { span: span.day, text }
}

function hourly(text: (time: UtcTime) => string): TimePart {
  return { span: span.hour, text }
}

function name(names: readonly string[], number: (time: UtcTime) => number): TimePart {
  return daily((time) => names[number(time) - 1]!)
}

function yearOfEra(time: UtcTime): number {
  return time.year > 0 ? time.year : 1 - time.year
}

function twoDigits(year: number): string {
  return padded(Math.abs(year) % 100, 2)
}

/** Joda counts milliseconds and never prints more than 15 digits of a fraction, unless it is zero. */
function fraction(millis: number, digits: number): string {
  if (millis === 0) return '0'.repeat(digits)
  return padded(millis, 3).padEnd(15, '0').slice(0, digits)
}
