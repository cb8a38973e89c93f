/**
 * java.time.format.DateTimeFormatter patterns for `%{{FORMAT}}`, in UTC, locale en-US (weeks begin on
 * Sunday, week 1 has January 1). Letters, counts and error texts are those of JDK 17. The zone is the
 * offset `Z`, so zone names print as `Z` and localised offsets as `GMT`. Since every field of an instant
 * can be printed, the optional sections `[…]` are always printed.
 */

import { usWeek, usWeekOfMonth, weekdayFromSunday } from '../time/calendar.ts'
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

export function compileJavaTimeFormat(pattern: string): TimeFormat {
  const parts: TimePart[] = []
  let openSections = 0
  let position = 0
  while (position < pattern.length) {
    const character = pattern[position]!
    if (isLetter(character)) {
      position = readField(pattern, position, parts)
      continue
    }
    if (character === "'") {
      position = readQuoted(pattern, position, parts)
      continue
    }
    if (character === '[') openSections++
    else if (character === ']') {
      if (openSections-- === 0) throw new Error('Pattern invalid as it contains ] without previous [')
    } else if (character === '{' || character === '}' || character === '#') {
      throw new Error(`Pattern includes reserved character: '${character}'`)
    } else parts.push(literalPart(character))
    position++
  }
  return parts.length === 0 ? () => '' : joinParts(parts)
}

function readQuoted(pattern: string, from: number, parts: TimePart[]): number {
  let text = ''
  let position = from + 1
  for (; ; position++) {
    if (position >= pattern.length) {
      throw new Error(`Pattern ends with an incomplete string literal: ${pattern}`)
    }
    if (pattern[position] === "'") {
      if (pattern[position + 1] !== "'") break
      position++
    }
    text += pattern[position]
  }
  parts.push(literalPart(position === from + 1 ? "'" : text))
  return position + 1
}

/** One field; `ppH` is the hour padded with blanks to two characters. */
function readField(pattern: string, from: number, parts: TimePart[]): number {
  const end = endOfRun(pattern, from)
  if (pattern[from] !== 'p') {
    parts.push(field(pattern[from]!, end - from))
    return end
  }
  if (end >= pattern.length || !isLetter(pattern[end]!)) {
    throw new Error(`Pad letter 'p' must be followed by valid pad pattern: ${pattern}`)
  }
  const fieldEnd = endOfRun(pattern, end)
  parts.push(blankPadded(field(pattern[end]!, fieldEnd - end), end - from))
  return fieldEnd
}

function blankPadded(part: TimePart, width: number): TimePart {
  return {
    span: part.span,
    text: (time) => {
      const text = part.text(time)
      if (text.length > width) {
        throw new Error(`Cannot print as output of ${text.length} characters exceeds pad width of ${width}`)
      }
      return text.padStart(width)
    },
  }
}

function field(letter: string, count: number): TimePart {
  switch (letter) {
    case 'G':
      return era(letter, count)
    case 'u':
      return year(count, (time) => time.year)
    case 'y':
      return year(count, (time) => (time.year > 0 ? time.year : 1 - time.year))
    case 'Y':
      return weekYear(count)
    case 'Q':
    case 'q':
      return quarter(letter, count)
    case 'M':
    case 'L':
      if (count < 3) return number(span.day, count, (time) => time.month)
      return name(letter, count, monthNames, shortMonthNames, (time) => time.month)
    case 'E':
      return name(letter, count, weekdayNames, shortWeekdayNames, (time) => time.weekday)
    case 'e':
    case 'c':
      if (letter === 'c' && count === 2) throw new Error('Invalid pattern "cc"')
      if (count < 3) return number(span.day, count, (time) => weekdayFromSunday(time.day))
      return name(letter, count, weekdayNames, shortWeekdayNames, (time) => time.weekday)
    case 'w':
      return limited(letter, count, 2, span.day, (time) => usWeek(time.day).week)
    case 'W':
      return limited(letter, count, 1, span.day, (time) => usWeekOfMonth(time.day, time.dayOfMonth))
    case 'D':
      return limited(letter, count, 3, span.day, (time) => time.dayOfYear)
    case 'd':
      return limited(letter, count, 2, span.day, (time) => time.dayOfMonth)
    case 'F':
      return limited(letter, count, 1, span.day, (time) => ((time.dayOfMonth - 1) % 7) + 1)
    case 'g':
      return wide(count, span.day, (time) => time.day + 40_587)
    case 'a':
      if (count > 1) throw tooMany(letter)
      return { span: span.hour, text: (time) => (time.hour < 12 ? 'AM' : 'PM') }
    case 'B':
      return dayPeriod(count)
    case 'h':
      return limited(letter, count, 2, span.hour, (time) => time.hour % 12 || 12)
    case 'K':
      return limited(letter, count, 2, span.hour, (time) => time.hour % 12)
    case 'H':
      return limited(letter, count, 2, span.hour, (time) => time.hour)
    case 'k':
      return limited(letter, count, 2, span.hour, (time) => time.hour || 24)
    case 'm':
      return limited(letter, count, 2, span.minute, (time) => time.minute)
    case 's':
      return limited(letter, count, 2, span.second, (time) => time.second)
    case 'S':
      if (count > 9) throw new Error(`Minimum width must be from 0 to 9 inclusive but was ${count}`)
      return { span: span.none, text: (time) => padded(time.nanosOfSecond, 9).slice(0, count) }
    case 'A':
      return wide(count, span.millisecond, (time) => secondOfDay(time) * 1000 + time.millisOfSecond)
    case 'n':
      return wide(count, span.none, (time) => time.nanosOfSecond)
    case 'N':
      return wide(count, span.none, (time) => secondOfDay(time) * 1_000_000_000 + time.nanosOfSecond)
    default:
      return literalPart(zone(letter, count))
  }
}

/** How often the letters of zones and offsets that take any width may stand in a row. */
const maxZoneLetters: ReadonlyMap<string, number> = new Map([
  ['z', 4],
  ['X', 5],
  ['x', 5],
  ['Z', 5],
])

/** The text of zone and offset letters, which in UTC never changes. */
function zone(letter: string, count: number): string {
  if (count > (maxZoneLetters.get(letter) ?? count)) throw tooMany(letter)
  switch (letter) {
    case 'V':
      if (count !== 2) throw new Error('Pattern letter count must be 2: V')
      return 'Z'
    case 'v':
      if (count !== 1 && count !== 4) throw new Error('Wrong number of pattern letters: v')
      return 'Z'
    case 'O':
      if (count !== 1 && count !== 4) throw new Error('Pattern letter count must be 1 or 4: O')
      return 'GMT'
    case 'z':
    case 'X':
      return 'Z'
    case 'x':
      return count === 1 ? '+00' : count % 2 === 0 ? '+0000' : '+00:00'
    case 'Z':
      return count < 4 ? '+0000' : count === 4 ? 'GMT' : 'Z'
    default:
      throw new Error(`Unknown pattern letter: ${letter}`)
  }
}

type Read = (time: UtcTime) => number

function number(validFor: number, width: number, read: Read): TimePart {
  return { span: validFor, text: (time) => padded(read(time), width) }
}

function limited(letter: string, count: number, max: number, validFor: number, read: Read): TimePart {
  if (count > max) throw tooMany(letter)
  return number(validFor, count, read)
}

function wide(count: number, validFor: number, read: Read): TimePart {
  checkWidth(count)
  return number(validFor, count, read)
}

function checkWidth(count: number): void {
  if (count > 19) throw new Error(`The minimum width must be from 1 to 19 inclusive but was ${count}`)
}

function year(count: number, read: Read): TimePart {
  checkWidth(count)
  return { span: span.day, text: (time) => yearText(read(time), count) }
}

function weekYear(count: number): TimePart {
  return { span: span.day, text: (time) => yearText(usWeek(time.day).year, count) }
}

/** Two letters: the last two digits. Four and more: a plus sign marks a year with more digits than letters. */
function yearText(value: number, count: number): string {
  if (count === 2) return padded(Math.abs(value) % 100, 2)
  const text = padded(value, count)
  return count >= 4 && value > 0 && text.length > count ? `+${text}` : text
}

function era(letter: string, count: number): TimePart {
  if (count > 5) throw tooMany(letter)
  const [after, before] =
    count < 4 ? ['AD', 'BC'] : count === 4 ? ['Anno Domini', 'Before Christ'] : ['A', 'B']
  return { span: span.day, text: (time) => (time.year > 0 ? after! : before!) }
}

const quarterNames = ['1st quarter', '2nd quarter', '3rd quarter', '4th quarter']

function quarter(letter: string, count: number): TimePart {
  if (count > 5) throw tooMany(letter)
  const read: Read = (time) => Math.ceil(time.month / 3)
  if (count === 3) return { span: span.day, text: (time) => `Q${read(time)}` }
  if (count === 4) return { span: span.day, text: (time) => quarterNames[read(time) - 1]! }
  return number(span.day, count === 2 ? 2 : 1, read)
}

/** Up to three letters the short name, four the full name, five its first letter. */
function name(
  letter: string,
  count: number,
  names: readonly string[],
  shortNames: readonly string[],
  read: Read,
): TimePart {
  if (count > 5) throw tooMany(letter)
  const texts = count < 4 ? shortNames : count === 4 ? names : names.map((text) => text.slice(0, 1))
  return { span: span.day, text: (time) => texts[read(time) - 1]! }
}

function dayPeriod(count: number): TimePart {
  if (count !== 1 && count !== 4 && count !== 5) throw new Error('Wrong number of pattern letters: B')
  const [midnight, noon] = count === 5 ? ['mi', 'n'] : ['midnight', 'noon']
  return {
    span: span.minute,
    text: ({ hour, minute }) => {
      if (minute === 0 && hour === 0) return midnight!
      if (minute === 0 && hour === 12) return noon!
      if (hour < 6 || hour >= 21) return 'at night'
      return hour < 12 ? 'in the morning' : hour < 18 ? 'in the afternoon' : 'in the evening'
    },
  }
}

function secondOfDay(time: UtcTime): number {
  return time.hour * 3600 + time.minute * 60 + time.second
}

function tooMany(letter: string): Error {
  return new Error(`Too many pattern letters: ${letter}`)
}
