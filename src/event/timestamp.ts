/**
 * A point in time as events carry it: milliseconds since 1970 plus the nanoseconds within that millisecond.
 * Immutable, so that a whole batch of lines may share one object; its text is computed once.
 */
import { dateOfDay } from '../time/calendar.ts'

export class Timestamp {
  readonly millis: number
  /** 0..999999 */
  readonly nanos: number
  #text: string | undefined

  constructor(millis: number, nanos = 0) {
    this.millis = millis
    this.nanos = nanos
  }

  /** Now, with the microseconds the clock of the process gives. */
  static now(): Timestamp {
    const precise = performance.timeOrigin + performance.now()
    const millis = Math.floor(precise)
    return new Timestamp(millis, Math.floor((precise - millis) * 1000) * 1000)
  }

  /** `2015-10-01T05:06:07.089Z`, with 6 or 9 fraction digits when they are needed. */
  toString(): string {
    this.#text ??= isoText(this.millis, this.nanos)
    return this.#text
  }

  toJSON(): string {
    return this.toString()
  }

  equals(other: Timestamp): boolean {
    return this.millis === other.millis && this.nanos === other.nanos
  }
}

const pair: string[] = Array.from({ length: 100 }, (_, n) => (n < 10 ? `0${n}` : `${n}`))
const wholeSeconds: string[] = Array.from({ length: 60 }, (_, n) => `${pair[n]}.000Z`)
let cachedMinute = Number.NaN
let cachedMinuteText = ''

/** The text up to the minute is kept: times of a log are mostly close to each other. */
function isoText(millis: number, nanos: number): string {
  const minute = Math.floor(millis / 60_000)
  if (minute !== cachedMinute) {
    const day = Math.floor(minute / 1440)
    const inDay = minute - day * 1440
    cachedMinuteText = `${dayText(day)}${pair[Math.floor(inDay / 60)]}:${pair[inDay % 60]}:`
    cachedMinute = minute
  }
  const inMinute = millis - minute * 60_000
  const inSecond = inMinute % 1000
  if (inSecond === 0 && nanos === 0) return cachedMinuteText + wholeSeconds[inMinute / 1000]
  return `${cachedMinuteText}${pair[Math.floor(inMinute / 1000)]}.${fraction(inSecond, nanos)}Z`
}

/** `2015-10-01T`; years past 9999 carry a plus sign, as java.time prints them. */
function dayText(day: number): string {
  const { year, month, dayOfMonth } = dateOfDay(day)
  const sign = year > 9999 ? '+' : year < 0 ? '-' : ''
  return `${sign}${String(Math.abs(year)).padStart(4, '0')}-${pair[month]}-${pair[dayOfMonth]}T`
}

function fraction(millis: number, nanos: number): string {
  const ms = millis < 10 ? `00${millis}` : millis < 100 ? `0${millis}` : `${millis}`
  if (nanos === 0) return ms
  if (nanos % 1000 === 0) return ms + String(nanos / 1000).padStart(3, '0')
  return ms + String(nanos).padStart(6, '0')
}
