/**
 * `strftime`: directives with the flags `-` (no padding), `0`, `_` (blanks), `^` (capitals), `#` (other case),
 * `:` (colons in %z), and a width.
 */

import { isoWeek } from '../time/calendar.ts'
import { monthNames, shortMonthNames, weekdayNames } from '../time/english-names.ts'
import { offsetText, type RubyTime, zoneName } from './time.ts'

const directive = /%([-0_^#:]*)(\d*)([a-zA-Z%+])/g
const shortcuts: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  F: '%Y-%m-%d',
  v: '%e-%^b-%Y',
  X: '%H:%M:%S',
  T: '%H:%M:%S',
  r: '%I:%M:%S %p',
  R: '%H:%M',
  '+': '%a %b %e %H:%M:%S %Z %Y',
}
const maxWidth = 1024

interface Field {
  text: string
  /** Width and fill when the format does not say. */
  width: number
  fill: '0' | ' ' | ''
}

const number = (value: number, width: number, fill: '0' | ' ' = '0'): Field => ({
  text: String(value),
  width,
  fill,
})
const word = (text: string): Field => ({ text, width: 0, fill: '' })

/** Names in the English calendar, from Sunday. */
const weekdays = [weekdayNames[6]!, ...weekdayNames.slice(0, 6)]

export function strftime(time: RubyTime, format: string): string {
  return format.replace(directive, (whole, flags: string, size: string, letter: string) => {
    const shortcut = shortcuts[letter]
    if (shortcut !== undefined) {
      const text = strftime(time, shortcut)
      return finish({ text, width: 0, fill: ' ' }, flags, size)
    }
    if (letter === 'N' || letter === 'L') return fraction(time, letter === 'L' ? 3 : 9, size)
    if (letter === 'z') return zone(time, flags, size)
    const field = fieldOf(time, letter)
    return field === undefined
      ? whole
      : finish(field, letter === 'p' && flags.includes('#') ? flags.replace('#', '.') : flags, size)
  })
}

function fieldOf(time: RubyTime, letter: string): Field | undefined {
  const { parts } = time
  switch (letter) {
    case 'Y':
      return number(parts.year, parts.year < 0 ? 5 : 4)
    case 'C':
      return number(Math.floor(parts.year / 100), 2)
    case 'y':
      return number(((parts.year % 100) + 100) % 100, 2)
    case 'm':
      return number(parts.month, 2)
    case 'B':
      return word(monthNames[parts.month - 1]!)
    case 'b':
    case 'h':
      return word(shortMonthNames[parts.month - 1]!)
    case 'j':
      return number(parts.dayOfYear, 3)
    case 'd':
      return number(parts.dayOfMonth, 2)
    case 'e':
      return number(parts.dayOfMonth, 2, ' ')
    case 'H':
      return number(parts.hour, 2)
    case 'k':
      return number(parts.hour, 2, ' ')
    case 'I':
      return number(parts.hour % 12 || 12, 2)
    case 'l':
      return number(parts.hour % 12 || 12, 2, ' ')
    case 'P':
      return word(parts.hour < 12 ? 'am' : 'pm')
    case 'p':
      return word(parts.hour < 12 ? 'AM' : 'PM')
    case 'M':
      return number(parts.minute, 2)
    case 'S':
      return number(parts.second, 2)
    case 'Z':
      return word(time.kind === 'Time' ? (zoneName(time) ?? '') : offsetText(time.offset, true))
    case 'A':
      return word(weekdays[parts.weekday]!)
    case 'a':
      return word(weekdays[parts.weekday]!.slice(0, 3))
    case 'u':
      return number(parts.weekday || 7, 1)
    case 'w':
      return number(parts.weekday, 1)
    case 'G':
      return number(isoWeek(parts.day).year, 4)
    case 'g':
      return number(isoWeek(parts.day).year % 100, 2)
    case 'V':
      return number(isoWeek(parts.day).week, 2)
    case 'U':
      return number(Math.floor((parts.dayOfYear + 6 - parts.weekday) / 7), 2)
    case 'W':
      return number(Math.floor((parts.dayOfYear + 6 - ((parts.weekday + 6) % 7)) / 7), 2)
    case 's':
      return number(time.seconds, 1)
    case 'Q':
      return time.kind === 'Time' ? undefined : number(time.millis, 1)
    case 'n':
      return word('\n')
    case 't':
      return word('\t')
    case '%':
      return word('%')
    default:
      return undefined
  }
}

function finish({ text, width, fill }: Field, flags: string, size: string): string {
  let shown = text
  if (flags.includes('^')) shown = shown.toUpperCase()
  else if (flags.includes('#'))
    shown = shown === shown.toUpperCase() ? shown.toLowerCase() : shown.toUpperCase()
  else if (flags.includes('.')) shown = shown.toLowerCase()
  if (flags.includes('-')) return shown
  const by = flags.includes('_') ? ' ' : flags.includes('0') ? '0' : fill === '' ? ' ' : fill
  const wanted = size === '' ? width : Math.min(Number(size), maxWidth)
  if (by === '0' && shown.startsWith('-')) return `-${shown.slice(1).padStart(wanted - 1, '0')}`
  return shown.padStart(wanted, by)
}

function fraction(time: RubyTime, digits: number, size: string): string {
  const wanted = size === '' ? digits : Math.min(Number(size), maxWidth)
  return String(time.nanosOfSecond).padStart(9, '0').padEnd(wanted, '0').slice(0, wanted)
}

function zone(time: RubyTime, flags: string, size: string): string {
  const colons = flags.split(':').length - 1
  let text = offsetText(time.offset, colons > 0)
  if (colons === 2) text += `:${String(Math.abs(time.offset) % 60).padStart(2, '0')}`
  const wanted = size === '' ? 0 : Math.min(Number(size), maxWidth)
  return text.length >= wanted ? text : text[0]! + text.slice(1).padStart(wanted - 1, '0')
}
