/**
 * Text to timestamp, as lenient as Logstash: `yyyy-MM-dd`, then optionally `T` with `HH:mm[:ss[.fraction]]`,
 * then optionally a zone (`Z`, `+02:00`, `+0200`, `Europe/Paris`, `UTC+02:00`), in any case. Without a time it
 * is midnight, without a zone it is the zone of this computer. A day past the end of its month means the
 * last day of that month, and 24:00 is midnight at the end of the day.
 */
import { dayMillis, dayOfDate, lengthOfMonth, maxDateMillis } from '../time/calendar.ts'
import { readIsoDateTime } from '../time/iso-date-time.ts'
import { findZone, fixedZone, systemZone, utc, type Zone } from '../time/zone.ts'
import { Timestamp } from './timestamp.ts'

export function parseTimestamp(text: string, defaultZone?: Zone): Timestamp | undefined {
  return parseUtc(text) ?? parseLenient(text, defaultZone)
}

/** The usual form, `2015-10-01T05:06:07.089Z` with 0 to 9 digits of fraction; undefined sends it to the slow way. */
function parseUtc(text: string): Timestamp | undefined {
  const last = text.length - 1
  if (last < 19 || last > 29 || text.charCodeAt(last) !== 90) return undefined
  if (text.charCodeAt(10) !== 84) return undefined
  const seconds = readIsoDateTime(text)
  if (Number.isNaN(seconds)) return undefined
  let fraction = 0
  if (last > 19) {
    if (text.charCodeAt(19) !== 46) return undefined
    for (let at = 20; at < last; at++) {
      const digit = text.charCodeAt(at) - 48
      if (digit < 0 || digit > 9) return undefined
      fraction = fraction * 10 + digit
    }
    fraction *= powersOfTen[29 - last]!
  }
  return timestamp(seconds * 1000, fraction)
}

const powersOfTen = [1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

const lenient = /^([+-]?)(\d{4,10})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{0,9}))?)?)?(.*)$/i

function parseLenient(text: string, defaultZone: Zone | undefined): Timestamp | undefined {
  const match = lenient.exec(text)
  if (match === null) return undefined
  const year = readYear(match[1]!, match[2]!)
  const month = Number(match[3])
  const day = Number(match[4])
  if (year === undefined || month < 1 || month > 12 || day < 1 || day > 31) return undefined
  const hour = Number(match[5] ?? 0)
  const minute = Number(match[6] ?? 0)
  const second = Number(match[7] ?? 0)
  const nanos = Number((match[8] ?? '').padEnd(9, '0'))
  if (hour > 24 || minute > 59 || second > 59) return undefined
  if (hour === 24 && (minute > 0 || second > 0 || nanos > 0)) return undefined
  const date = dayOfDate(year, month, Math.min(day, lengthOfMonth(year, month)))
  const local = date * dayMillis + (hour * 3600 + minute * 60 + second) * 1000
  if (Math.abs(local) > maxDateMillis) return undefined
  const instant = toInstant(local, match[9]!, defaultZone)
  if (instant === undefined) return undefined
  const result = timestamp(instant, nanos)
  return Math.abs(result.millis) > maxDateMillis ? undefined : result
}

function timestamp(wholeSecond: number, nanosOfSecond: number): Timestamp {
  const millis = Math.floor(nanosOfSecond / 1_000_000)
  return new Timestamp(wholeSecond + millis, nanosOfSecond - millis * 1_000_000)
}

/** A sign is wanted exactly when there are more than four digits; `-` may also stand before four. */
function readYear(sign: string, digits: string): number | undefined {
  const value = Number(digits)
  if (sign === '-') return value === 0 ? undefined : -value
  return (sign === '+') === digits.length > 4 ? value : undefined
}

/**
 * `rest` is a zone, then possibly an offset without colons, and that offset wins: this is how the two
 * optional parts of the Logstash format read `Europe/Paris+0300`.
 */
function toInstant(local: number, rest: string, defaultZone: Zone | undefined): number | undefined {
  if (rest === '') return (defaultZone ?? systemZone()).instantOf(local)
  const whole = readZone(rest)
  if (whole !== undefined) return whole.instantOf(local)
  const split = /^(.*?)(Z|[+-]\d\d(?:\d\d(?:\d\d)?)?)$/i.exec(rest)
  if (split === null || (split[1] !== '' && readZone(split[1]!) === undefined)) return undefined
  const offset = split[2]!.toUpperCase() === 'Z' ? 0 : offsetMillis(split[2]!, /^([+-])(\d\d)(\d\d)?(\d\d)?$/)
  return offset === undefined ? undefined : local - offset
}

const offsetWithColons = /^([+-])(\d\d):(\d\d)(?::(\d\d))?$/

function readZone(text: string): Zone | undefined {
  if (text === 'Z' || text === 'z') return utc
  const prefix = /^(?:UTC|GMT|UT)(?=[+-]|$)/i.exec(text)?.[0] ?? ''
  if (prefix !== '' || text.startsWith('+') || text.startsWith('-')) {
    if (prefix.length === text.length) return utc
    const offset = offsetMillis(text.slice(prefix.length), offsetWithColons)
    return offset === undefined ? undefined : fixedZone(text, offset)
  }
  return findZone(text)
}

function offsetMillis(text: string, form: RegExp): number | undefined {
  const match = form.exec(text)
  if (match === null) return undefined
  const minutes = Number(match[3] ?? 0)
  const seconds = Number(match[4] ?? 0)
  const total = Number(match[2]) * 3600 + minutes * 60 + seconds
  if (minutes > 59 || seconds > 59 || total > 18 * 3600) return undefined
  return (match[1] === '-' ? -total : total) * 1000
}
