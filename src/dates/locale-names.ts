/**
 * Names of months, weekdays, halves of the day and eras in a language. English is a table; other languages
 * come from the Intl API, in the forms used inside a date, which are those that Java gives to Joda-Time: long
 * and short, with the dot of an abbreviation where the language has one.
 */
import { monthNames, shortMonthNames, shortWeekdayNames, weekdayNames } from '../time/english-names.ts'
import type { NamedValue } from './text-readers.ts'

export interface LocaleNames {
  readonly months: readonly NamedValue[]
  readonly weekdays: readonly NamedValue[]
  /** 0 is the morning. */
  readonly halfdays: readonly NamedValue[]
  /** 0 is BC. */
  readonly eras: readonly NamedValue[]
}

const english: LocaleNames = {
  months: [...numbered(monthNames, 1), ...numbered(shortMonthNames, 1)],
  weekdays: [...numbered(weekdayNames, 1), ...numbered(shortWeekdayNames, 1)],
  halfdays: numbered(['AM', 'PM'], 0),
  eras: [...numbered(['BC', 'AD'], 0), ...numbered(['BCE', 'CE'], 0)],
}

function numbered(names: readonly string[], first: number): NamedValue[] {
  return names.map((name, index) => ({ name, value: index + first }))
}

const cache = new Map<string, LocaleNames>()

/** Names for a BCP 47 tag; English for a tag nobody knows. */
export function localeNames(tag: string): LocaleNames {
  if (/^en(?:-US)?$/i.test(tag)) return english
  let names = cache.get(tag)
  if (names === undefined) {
    names = fromIntl(tag)
    if (cache.size < 100) cache.set(tag, names)
  }
  return names
}

function fromIntl(tag: string): LocaleNames {
  try {
    if (Intl.DateTimeFormat.supportedLocalesOf(tag).length === 0) return english
  } catch {
    return english
  }
  return {
    months: months(tag),
    weekdays: weekdays(tag),
    halfdays: [...english.halfdays, ...halfdays(tag)],
    eras: [...english.eras, ...eras(tag)],
  }
}

type Part = 'month' | 'weekday' | 'dayPeriod' | 'era'
type Form = Intl.DateTimeFormatOptions

function months(tag: string): NamedValue[] {
  return numberedParts(tag, 'month', 12, (index) => Date.UTC(2020, index, 15), [
    { month: 'long', day: 'numeric' },
    { month: 'short', day: 'numeric' },
  ])
}

/** 2020-06-01 was a Monday. */
function weekdays(tag: string): NamedValue[] {
  return numberedParts(tag, 'weekday', 7, (index) => Date.UTC(2020, 5, 1 + index), [
    { weekday: 'long', day: 'numeric', month: 'long' },
    { weekday: 'short', day: 'numeric', month: 'short' },
  ])
}

function halfdays(tag: string): NamedValue[] {
  const at = (index: number) => Date.UTC(2020, 5, 1, 6 + index * 12)
  return numberedParts(tag, 'dayPeriod', 2, at, [{ hour: 'numeric', hour12: true }]).map(
    ({ name, value }) => ({
      name,
      value: value - 1,
    }),
  )
}

function eras(tag: string): NamedValue[] {
  const at = (index: number) => Date.UTC(index === 0 ? -100 : 2020, 5, 1)
  return numberedParts(tag, 'era', 2, at, [{ era: 'short' }, { era: 'long' }]).map(({ name, value }) => ({
    name,
    value: value - 1,
  }))
}

function numberedParts(
  tag: string,
  part: Part,
  count: number,
  instant: (index: number) => number,
  forms: readonly Form[],
): NamedValue[] {
  const found = new Map<string, NamedValue>()
  for (const form of forms) {
    const format = new Intl.DateTimeFormat(tag, {
      ...form,
      timeZone: 'UTC',
      calendar: 'gregory',
      numberingSystem: 'latn',
    })
    for (let index = 0; index < count; index++) {
      const name = format.formatToParts(instant(index)).find(({ type }) => type === part)?.value ?? ''
      // Languages that write months as numbers have no name to offer here.
      if (/\p{L}/u.test(name) && !found.has(name)) found.set(name, { name, value: index + 1 })
    }
  }
  return [...found.values()]
}

/** The language of this computer. Intl takes a while to load, so the usual answers come without it. */
export function hostLocale(): string {
  const { LC_ALL, LC_MESSAGES, LANG } = process.env
  const named = LC_ALL || LC_MESSAGES || LANG
  if (named === undefined ? process.platform === 'linux' : /^(?:C|POSIX|en_US)(?:\.|$)/.test(named))
    return 'en-US'
  return new Intl.DateTimeFormat().resolvedOptions().locale
}
