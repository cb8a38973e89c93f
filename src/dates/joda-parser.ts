/**
 * Joda-Time patterns as parsers: a pattern becomes a list of readers and one function that turns the fields
 * they read into a local time. The whole text must fit. Patterns without a year get the year that suits the
 * current month: in January, a December is of last year; in December, a January is of next year.
 */

import { readText } from '../event/joda-format.ts'
import { endOfRun, isLetter } from '../event/time-pattern.ts'
import { dateOfDay, dayMillis } from '../time/calendar.ts'
import { type FieldName, withYear } from './date-fields.ts'
import type { LocalClock } from './local-clock.ts'
import { type LocaleNames, localeNames } from './locale-names.ts'
import { digits, fraction, signedDigits, twoDigitYear } from './number-readers.ts'
import {
  callStep,
  characterStep,
  fourDigitStep,
  type ReaderStep,
  readerProgram,
  twoDigitStep,
} from './reader-program.ts'
import { type Reader, Reading } from './reading.ts'
import { resolveFields, type SlottedField } from './resolve-fields.ts'
import { casesOf, literal, type NamedValue, names } from './text-readers.ts'
import { zoneAbbreviation, zoneId, zoneOffset } from './zone-readers.ts'

/** The instant in milliseconds, or NaN. The clock is that of the zone for texts that name none. */
export type TextParser = (text: string, clock: LocalClock) => number

export interface ParserSettings {
  /** BCP 47 tag of the language of names. */
  readonly locale: string
  /** Milliseconds since 1970; the clock of the computer unless given. */
  readonly now?: () => number
}

/** Throws with the sentence of Joda-Time when the text is no pattern. */
export function compileJodaParser(pattern: string, settings: ParserSettings): TextParser {
  const { steps, fields, zoned, canParse } = compile(pattern, settings)
  if (!canParse) return () => Number.NaN
  const reading = new Reading(fields.map(() => 0))
  const resolve = resolveFields(fields)
  const { values } = reading
  const readAll = readerProgram(steps)

  // Neighbouring events of most logs came in the same second: their texts are read once.
  let keptText: string | undefined
  let keptLocal = Number.NaN
  function localOf(text: string): number {
    if (text === keptText) return keptLocal
    reading.forgetZone()
    keptLocal = readAll(text, reading) ? resolve(values) : Number.NaN
    keptText = text
    return keptLocal
  }

  function zonedInstant(text: string, clock: LocalClock): number {
    const local = localOf(text)
    return reading.hasOffset ? local - reading.offset : (reading.clock ?? clock).instantOf(local)
  }

  // Logstash looks for the letters anywhere in the pattern, even in quotes; the year of a week is no year.
  if (/[yY]/.test(pattern)) {
    return zoned ? zonedInstant : (text, clock) => clock.instantOf(localOf(text))
  }
  const guess = yearGuess(settings.now ?? Date.now)
  return zoned
    ? (text, clock) => guess(clock.localOf(zonedInstant(text, clock)), clock)
    : (text, clock) => guess(localOf(text), clock)
}

/** Gives a local time of any year the year that is meant. A time skipped in that year is moved on. */
function yearGuess(now: () => number): (local: number, clock: LocalClock) => number {
  let keptDay = Number.NaN
  let keptMonth = 0
  let keptYear = 0
  let shift = 0
  return (local, clock) => {
    if (Number.isNaN(local)) return local
    clock.lookAt(now())
    const day = Math.floor(local / dayMillis)
    if (day !== keptDay || clock.month !== keptMonth || clock.year !== keptYear) {
      keptDay = day
      keptMonth = clock.month
      keptYear = clock.year
      const { month } = dateOfDay(day)
      const years = month === 12 && keptMonth === 1 ? -1 : month === 1 && keptMonth === 12 ? 1 : 0
      shift = withYear(day * dayMillis, keptYear + years) - day * dayMillis
    }
    return clock.lenientInstantOf(local + shift)
  }
}

/** True for a pattern that asks for long names of zones, which nobody can read. */
export function isUnreadable(pattern: string): boolean {
  return !compile(pattern, { locale: 'en' }).canParse
}

interface Compiled {
  readonly steps: ReaderStep[]
  readonly fields: SlottedField[]
  readonly zoned: boolean
  readonly canParse: boolean
}

function compile(pattern: string, { locale, now = Date.now }: ParserSettings): Compiled {
  if (pattern === '') throw new Error('Invalid pattern specification')
  const tokens = tokensOf(pattern)
  const steps: ReaderStep[] = []
  const fields: SlottedField[] = []
  let zoned = false
  let canParse = true
  const language = localeNames(locale)
  tokens.forEach(({ text, letters }, index) => {
    if (!letters) {
      steps.push(literalStep(text))
      return
    }
    if (text[0] === 'z' || text[0] === 'Z') {
      zoned = true
      if (text.startsWith('zzzz')) canParse = false
      steps.push(callStep(zoneReader(text)))
      return
    }
    const slot = fields.length
    const { name, step } = fieldStep(text, slot, isNumeric(tokens[index + 1]), language, now)
    fields.push({ name, slot })
    steps.push(step)
  })
  if (steps.length === 0) throw new Error('Both printing and parsing not supported')
  return { steps, fields, zoned, canParse }
}

interface Token {
  readonly text: string
  readonly letters: boolean
}

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = []
  let position = 0
  while (position < pattern.length) {
    if (isLetter(pattern[position]!)) {
      const end = endOfRun(pattern, position)
      tokens.push({ text: pattern.slice(position, end), letters: true })
      position = end
    } else {
      const { text, end } = readText(pattern, position)
      if (text !== '') tokens.push({ text, letters: false })
      position = end
    }
  }
  return tokens
}

/** Whether digits follow, so that a year must not take more of them than it has letters. */
function isNumeric(token: Token | undefined): boolean {
  if (token === undefined || !token.letters) return false
  return token.text[0] === 'M' ? token.text.length < 3 : /[cCxyYdhHmsSeDFwWkK]/.test(token.text[0]!)
}

function zoneReader(token: string): Reader {
  if (token[0] === 'z') return zoneAbbreviation
  return token.length < 3 ? zoneOffset : zoneId
}

function literalStep(text: string): ReaderStep {
  const reader = literal(text)
  if (text.length > 1) return callStep(reader)
  const [lower, upper] = casesOf(text)
  return characterStep(lower, upper, reader)
}

interface FieldStep {
  readonly name: FieldName
  readonly step: ReaderStep
}

/** Letters that stand for a number: its field, and how many digits it usually has. */
const numberFields: ReadonlyMap<string, readonly [name: FieldName, usual: number]> = new Map([
  ['w', ['week', 2]],
  ['e', ['dayOfWeek', 1]],
  ['D', ['dayOfYear', 3]],
  ['d', ['dayOfMonth', 2]],
  ['K', ['hourOfHalfday', 2]],
  ['h', ['clockHourOfHalfday', 2]],
  ['H', ['hour', 2]],
  ['k', ['clockHour', 2]],
  ['m', ['minute', 2]],
  ['s', ['second', 2]],
])

function fieldStep(
  token: string,
  slot: number,
  digitsFollow: boolean,
  language: LocaleNames,
  now: () => number,
): FieldStep {
  const width = token.length
  const number = (name: FieldName, usual: number) => {
    const max = Math.max(width, usual)
    const reader = digits(slot, max)
    return { name, step: max === 2 ? twoDigitStep(slot, reader) : callStep(reader) }
  }
  const text = (name: FieldName, table: readonly NamedValue[]) => ({
    name,
    step: callStep(names(slot, table)),
  })
  const counted = numberFields.get(token[0]!)
  if (counted !== undefined) return number(...counted)
  switch (token[0]) {
    case 'G':
      return text('era', language.eras)
    case 'C':
      return number('century', width)
    case 'y':
    case 'Y':
    case 'x': {
      const name = token[0] === 'x' ? 'weekyear' : token[0] === 'y' || width === 2 ? 'year' : 'yearOfEra'
      if (width === 2) {
        const pivot = dateOfDay(Math.floor(now() / dayMillis)).year - 30
        return { name, step: callStep(twoDigitYear(slot, pivot, !digitsFollow)) }
      }
      const max = digitsFollow ? width : Math.max(width, 9)
      const reader = name === 'yearOfEra' ? digits(slot, max) : signedDigits(slot, max)
      return { name, step: max > 4 ? fourDigitStep(slot, reader) : callStep(reader) }
    }
    case 'E':
      return text('dayOfWeek', language.weekdays)
    case 'M':
      return width < 3 ? number('month', 2) : text('month', language.months)
    case 'a':
      return text('halfday', language.halfdays)
    case 'S':
      return { name: 'millisecond', step: callStep(fraction(slot, Math.min(width, 18), 1000)) }
    default:
      throw new Error(`Illegal pattern component: ${token}`)
  }
}
