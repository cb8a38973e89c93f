/**
 * Time zones of requests: `UTC`, `+01:00`, `Europe/Paris`. Offsets of regions come from Intl, which is slow, so a
 * zone caches for each UTC day either its one offset or the moment of the transition.
 */
import { dayMillis } from './calendar.ts'

/** Offsets are milliseconds, positive east of Greenwich; local times are milliseconds as if they were UTC. */
export interface TimeZone {
  readonly id: string
  /** Set when the offset never changes. */
  readonly fixed: number | undefined
  offsetAt(instant: number): number
  /** Of a local time that occurs twice, the first; a time in a gap moves forward by the length of the gap. */
  instantOf(local: number): number
}

export function fixedOffset(offset: number, id = offsetText(offset, true)): TimeZone {
  return { id, fixed: offset, offsetAt: () => offset, instantOf: (local) => local - offset }
}

export const utc: TimeZone = fixedOffset(0, 'Z')

/** `Z`, `+01:00`, `-03:30:12`; without colons `+0100`. */
export function offsetText(offset: number, colons: boolean, zero = 'Z'): string {
  if (offset === 0) return zero
  const seconds = Math.abs(offset) / 1000
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  if (seconds % 60 !== 0) parts.push(seconds % 60)
  return (offset < 0 ? '-' : '+') + parts.map((part) => String(part).padStart(2, '0')).join(colons ? ':' : '')
}

/** Regions without a slash in their name; Intl knows abbreviations that Java does not accept. */
const plainRegions = new Set(
  (
    'CET CST6CDT Cuba EET EST5EDT Egypt Eire GB GB-Eire GMT0 Greenwich Hongkong Iceland Iran Israel Jamaica ' +
    'Japan Kwajalein Libya MET MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROK Singapore Turkey UCT ' +
    'Universal W-SU WET Zulu'
  ).split(' '),
)

const offsetForm = /^([+-])(\d{1,2})(?::?(\d\d)(?::?(\d\d))?)?$/
const maxZones = 1000
const known = new Map<string, TimeZone | undefined>()

/** Returns undefined when there is no such zone. */
export function findTimeZone(id: string): TimeZone | undefined {
  if (known.has(id)) return known.get(id)
  const zone = openZone(id)
  if (known.size >= maxZones) known.clear()
  known.set(id, zone)
  return zone
}

function openZone(id: string): TimeZone | undefined {
  if (id === 'Z') return utc
  if (id === 'UTC' || id === 'GMT' || id === 'UT') return fixedOffset(0, id)
  const offset = readOffset(id.replace(/^(?:UTC|GMT|UT)(?=[+-])/, ''))
  if (offset !== undefined) return fixedOffset(offset)
  if (!/^[A-Za-z][\w~./+-]{1,63}$/.test(id) || !(id.includes('/') || plainRegions.has(id))) return undefined
  try {
    return new Region(id)
  } catch {
    return undefined
  }
}

function readOffset(text: string): number | undefined {
  const match = offsetForm.exec(text)
  if (match === null) return undefined
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = match
  if (Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const total = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  if (total > 18 * 3_600_000) return undefined
  return sign === '-' && total !== 0 ? -total : total
}

/** A UTC day: `before` is valid until `change`, `after` from then on. */
interface ZoneDay {
  readonly before: number
  readonly after: number
  readonly change: number
}

const maxDays = 5000

class Region implements TimeZone {
  readonly id: string
  readonly fixed = undefined
  readonly #format: Intl.DateTimeFormat
  readonly #days = new Map<number, ZoneDay>()
  #recent = Number.NaN
  #recentDay: ZoneDay = { before: 0, after: 0, change: 0 }

  constructor(id: string) {
    this.id = id
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: id,
      timeZoneName: 'longOffset',
      year: 'numeric',
    })
  }

  offsetAt(instant: number): number {
    const day = Math.floor(instant / dayMillis)
    if (day !== this.#recent) {
      this.#recentDay = this.#dayOf(day)
      this.#recent = day
    }
    return instant < this.#recentDay.change ? this.#recentDay.before : this.#recentDay.after
  }

  instantOf(local: number): number {
    const before = this.offsetAt(local - dayMillis)
    const after = this.offsetAt(local + dayMillis)
    const first = local - before
    if (before === after || this.offsetAt(first) === before) return first
    const second = local - after
    return this.offsetAt(second) === after ? second : first
  }

  #dayOf(day: number): ZoneDay {
    let found = this.#days.get(day)
    if (found === undefined) {
      found = this.#inspect(day * dayMillis)
      if (this.#days.size >= maxDays) this.#days.clear()
      this.#days.set(day, found)
    }
    return found
  }

  #inspect(start: number): ZoneDay {
    let low = start
    let high = start + dayMillis - 1000
    const before = this.#ask(low)
    const after = this.#ask(high)
    if (before === after) return { before, after, change: start + dayMillis }
    while (high - low > 1000) {
      const middle = low + Math.floor((high - low) / 2000) * 1000
      if (this.#ask(middle) === before) low = middle
      else high = middle
    }
    return { before, after, change: high }
  }

  #ask(instant: number): number {
    const text = this.#format.format(Math.min(Math.max(instant, -8.64e15), 8.64e15))
    const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(text)
    if (match === null) return 0
    const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0)
    return (match[1] === '-' ? -seconds : seconds) * 1000
  }
}
