/**
 * Time, DateTime and Date: one instant with nanoseconds and the offset in which it is shown. A Date is
 * midnight UTC of its day.
 */

import { Timestamp } from '../event/timestamp.ts'
import { dateOfDay, dayMillis, dayOfDate, weekdayOf } from '../time/calendar.ts'
import { systemZone } from '../time/zone.ts'
import { valueKeys } from './hash.ts'
import { comparable, newClass, type RubyClass, RubyObject, timeClass } from './ruby-class.ts'

export const dateClass = newClass('Date')
export const dateTimeClass = newClass('DateTime', dateClass)
dateClass.modules.push(comparable)

export type TimeKind = 'Time' | 'DateTime' | 'Date'

interface TimeParts {
  year: number
  /** 1..12 */
  month: number
  dayOfMonth: number
  hour: number
  minute: number
  second: number
  /** Sunday 0 .. Saturday 6 */
  weekday: number
  /** 1..366 */
  dayOfYear: number
  /** Days since 1970-01-01, local. */
  day: number
}

export class RubyTime extends RubyObject {
  readonly kind: TimeKind
  /** Whole milliseconds since 1970, rounded down. */
  readonly millis: number
  /** 0..999999 within the millisecond. */
  readonly nanos: number
  /** Seconds east of Greenwich. */
  readonly offset: number
  readonly isUtc: boolean
  /** The seconds as they were given, when they were a float that nanoseconds cannot hold. */
  readonly given: number | undefined
  #parts: TimeParts | undefined

  constructor(kind: TimeKind, millis: number, nanos: number, offset: number, isUtc: boolean, given?: number) {
    super()
    this.kind = kind
    this.millis = millis
    this.nanos = nanos
    this.offset = offset
    this.isUtc = isUtc
    this.given = given
  }

  static utc(millis: number, nanos = 0): RubyTime {
    return new RubyTime('Time', millis, nanos, 0, true)
  }

  static local(millis: number, nanos = 0, given?: number): RubyTime {
    return new RubyTime('Time', millis, nanos, localOffset(millis), false, given)
  }

  static of(timestamp: Timestamp): RubyTime {
    return RubyTime.utc(timestamp.millis, timestamp.nanos)
  }

  get rubyClass(): RubyClass {
    return this.kind === 'Time' ? timeClass : this.kind === 'Date' ? dateClass : dateTimeClass
  }

  /** Returns the same instant in another offset. */
  at(offset: number, isUtc: boolean, kind: TimeKind = this.kind): RubyTime {
    return new RubyTime(kind, this.millis, this.nanos, offset, isUtc, this.given)
  }

  get parts(): TimeParts {
    this.#parts ??= partsOf(this.millis + this.offset * 1000)
    return this.#parts
  }

  get nanosOfSecond(): number {
    return (((this.millis % 1000) + 1000) % 1000) * 1_000_000 + this.nanos
  }

  get seconds(): number {
    return Math.floor(this.millis / 1000)
  }

  toDouble(): number {
    return this.given ?? this.seconds + this.nanosOfSecond / 1e9
  }

  /** Later by whole seconds and nanoseconds. */
  plus(seconds: number, nanos = 0): RubyTime {
    const total = this.nanosOfSecond + nanos
    const carried = Math.floor(total / 1e9)
    const left = total - carried * 1e9
    const millis = (this.seconds + seconds + carried) * 1000 + Math.floor(left / 1e6)
    const offset =
      this.kind === 'Time' && !this.isUtc && this.offset === localOffset(this.millis)
        ? localOffset(millis)
        : this.offset
    return new RubyTime(this.kind, millis, left % 1e6, offset, this.isUtc)
  }

  toTimestamp(): Timestamp {
    return new Timestamp(this.millis, this.nanos)
  }

  compare(other: RubyTime): number {
    return Math.sign(this.millis - other.millis) || Math.sign(this.nanos - other.nanos)
  }
}

for (const each of [timeClass, dateClass, dateTimeClass]) {
  valueKeys.set(each, (value) => `\0T${(value as RubyTime).millis}.${(value as RubyTime).nanos}`)
}

export function localOffset(millis: number): number {
  return systemZone().offsetAt(millis) / 1000
}

function partsOf(local: number): TimeParts {
  const day = Math.floor(local / dayMillis)
  const inDay = local - day * dayMillis
  const date = dateOfDay(day)
  return {
    ...date,
    day,
    hour: Math.floor(inDay / 3_600_000),
    minute: Math.floor(inDay / 60_000) % 60,
    second: Math.floor(inDay / 1000) % 60,
    weekday: weekdayOf(day) % 7,
    dayOfYear: day - dayOfDate(date.year, 1, 1) + 1,
  }
}

/** `+01:00`, `+0100`, `Z`, `UTC`, `EST`: seconds, or undefined. */
export function readOffset(text: string): number | undefined {
  const found = /^([+-])(\d{1,2}):?(\d{2})?(?::?(\d{2}))?$/.exec(text)
  if (found !== null) {
    const [, sign, hours, minutes = '0', seconds = '0'] = found
    return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
  }
  return zoneNames[text.toUpperCase()]
}

const zoneNames: Readonly<Record<string, number>> = {
  Z: 0,
  UTC: 0,
  GMT: 0,
  UT: 0,
  EST: -18000,
  EDT: -14400,
  CST: -21600,
  CDT: -18000,
  MST: -25200,
  MDT: -21600,
  PST: -28800,
  PDT: -25200,
  CET: 3600,
  CEST: 7200,
  BST: 3600,
  MSK: 10800,
  JST: 32400,
  IST: 19800,
}

export function offsetText(offset: number, colon: boolean): string {
  const size = Math.abs(offset)
  const hours = String(Math.floor(size / 3600)).padStart(2, '0')
  const minutes = String(Math.floor(size / 60) % 60).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${hours}${colon ? ':' : ''}${minutes}`
}

/** The zone's short name as Ruby shows it. */
export function zoneName(time: RubyTime): string | null {
  if (time.isUtc) return 'UTC'
  if (time.offset !== localOffset(time.millis)) return null
  const zone = systemZone().name
  if (zone === 'UTC' || zone === 'Etc/UTC') return 'UTC'
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'short' }).formatToParts(
    time.millis,
  )
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? null
}
