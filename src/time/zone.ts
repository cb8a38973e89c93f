/**
 * Time zones: the offset of an IANA zone at an instant, and the instant of a local time, from the data
 * of the Intl API. Asking Intl is slow, so a zone keeps for every UTC day it was asked about either the
 * one offset of that day or the moment at which the offset changes.
 */
import { dayMillis, maxDateMillis } from './calendar.ts'

/** Offsets are in milliseconds, east of Greenwich positive; local times are milliseconds as if they were UTC. */
export interface Zone {
  readonly name: string
  /** The offset, where it never changes. */
  readonly fixed: number | undefined
  offsetAt(instant: number): number
  /**
   * The instant of a local time by the rule of java.time: a time that exists twice means the first one,
   * a time that was skipped is moved forward by the length of the gap.
   */
  instantOf(local: number): number
  /** True for a local time that the clocks of the zone skipped. */
  isSkipped(local: number): boolean
}

export const utc: Zone = fixedZone('UTC', 0)

export function fixedZone(name: string, offset: number): Zone {
  return {
    name,
    fixed: offset,
    offsetAt: () => offset,
    instantOf: (local) => local - offset,
    isSkipped: () => false,
  }
}

/** Names without a slash that are zones; Intl knows many more (`PST`, `IST`), which Java does not accept. */
const shortZoneNames = new Set(
  (
    'cet cst6cdt cuba eet est5edt egypt eire gb gb-eire gmt gmt0 greenwich hongkong iceland iran israel jamaica ' +
    'japan kwajalein libya met mst7mdt nz nz-chat navajo prc pst8pdt poland portugal rok singapore turkey uct utc ' +
    'universal w-su wet zulu'
  ).split(' '),
)

const zoneName = /^[a-z][\w~./+-]{1,63}$/i
const cacheLimit = 1000
const cache = new Map<string, Zone | undefined>()

/** The zone of an IANA name in any case, or undefined if there is none. */
export function findZone(name: string): Zone | undefined {
  const key = name.toLowerCase()
  if (cache.has(key)) return cache.get(key)
  const zone =
    zoneName.test(name) && (key.includes('/') || shortZoneNames.has(key)) ? regionZone(name) : undefined
  if (cache.size >= cacheLimit) cache.clear()
  cache.set(key, zone)
  return zone
}

let system: Zone | undefined

/** The zone of this computer, as it was when first asked for. */
export function systemZone(): Zone {
  system ??= regionZone(new Intl.DateTimeFormat().resolvedOptions().timeZone) ?? utc
  return system
}

/** The zone of a name that Intl knows; undefined for others. */
export function regionZone(name: string): Zone | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      timeZoneName: 'longOffset',
      year: 'numeric',
    })
    return format.resolvedOptions().timeZone === 'UTC' ? fixedZone(name, 0) : new IntlZone(name, format)
  } catch {
    return undefined
  }
}

/** A UTC day of a zone: `before` holds until `change`, `after` from there on. */
interface ZoneDay {
  before: number
  after: number
  change: number
}

const daysLimit = 5000

class IntlZone implements Zone {
  readonly name: string
  readonly fixed = undefined
  #format: Intl.DateTimeFormat
  #days = new Map<number, ZoneDay>()
  #lastDay = Number.NaN
  #last: ZoneDay = { before: 0, after: 0, change: 0 }

  constructor(name: string, format: Intl.DateTimeFormat) {
    this.name = name
    this.#format = format
  }

  offsetAt(instant: number): number {
    const day = Math.floor(instant / dayMillis)
    if (day !== this.#lastDay) {
      this.#last = this.#day(day)
      this.#lastDay = day
    }
    return instant < this.#last.change ? this.#last.before : this.#last.after
  }

  instantOf(local: number): number {
    const { before, after } = this.#around(local)
    const first = local - before
    if (before === after || this.offsetAt(first) === before) return first
    const second = local - after
    return this.offsetAt(second) === after ? second : first
  }

  isSkipped(local: number): boolean {
    const { before, after } = this.#around(local)
    return (
      before < after && this.offsetAt(local - before) !== before && this.offsetAt(local - after) !== after
    )
  }

  /** The offsets a day before and a day after: no zone is further than that from UTC. */
  #around(local: number): { before: number; after: number } {
    return { before: this.offsetAt(local - dayMillis), after: this.offsetAt(local + dayMillis) }
  }

  #day(day: number): ZoneDay {
    let found = this.#days.get(day)
    if (found === undefined) {
      found = this.#inspect(day * dayMillis)
      if (this.#days.size >= daysLimit) this.#days.clear()
      this.#days.set(day, found)
    }
    return found
  }

  #inspect(start: number): ZoneDay {
    const end = start + dayMillis
    const before = this.#ask(start)
    const after = this.#ask(end - 1000)
    if (before === after) return { before, after, change: end }
    let low = start
    let high = end - 1000
    while (high - low > 1000) {
      const middle = low + Math.floor((high - low) / 2000) * 1000
      if (this.#ask(middle) === before) low = middle
      else high = middle
    }
    return { before, after, change: high }
  }

  #ask(instant: number): number {
    const limited = Math.min(Math.max(instant, -maxDateMillis), maxDateMillis)
    const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(this.#format.format(limited))
    if (match === null) return 0
    const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0)
    return (match[1] === '-' ? -seconds : seconds) * 1000
  }
}
