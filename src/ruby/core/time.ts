/**
 * Time methods. DateTime and Date share most of them; where days count instead of seconds, see core/date.ts.
 */

import { Timestamp } from '../../event/timestamp.ts'
import { float } from '../../event/value.ts'
import { dayMillis, dayOfDate } from '../../time/calendar.ts'
import { shortMonthNames } from '../../time/english-names.ts'
import { systemZone } from '../../time/zone.ts'
import { takeOptions, textArgument } from '../arguments.ts'
import { readAny, readByFormat, timeOf } from '../date-reading.ts'
import { argumentError, raise, typeError } from '../errors.ts'
import { inspectText } from '../inspect-text.ts'
import { coercionName, doubleOf, indexOf, isFloat, isNumber, toDouble } from '../number.ts'
import { defineMethods, defineStatics, type RubyValue, timeClass } from '../ruby-class.ts'
import { strftime } from '../strftime.ts'
import { localOffset, offsetText, RubyTime, readOffset, zoneName } from '../time.ts'
import { isText, RubySymbol, textOf } from '../values.ts'

/** Seconds with a fraction as whole seconds and nanoseconds. */
function splitSeconds(seconds: number): { whole: number; nanos: number } {
  const whole = Math.floor(seconds)
  return { whole, nanos: Math.floor((seconds - whole) * 1e9) }
}

function at(args: RubyValue[]): RubyTime {
  const given = [...args]
  const options = takeOptions(given)
  const [seconds = null, part, unit] = given
  let time: RubyTime
  if (seconds instanceof RubyTime) time = RubyTime.local(seconds.millis, seconds.nanos)
  else if (seconds instanceof Timestamp) time = RubyTime.local(seconds.millis, seconds.nanos)
  else if (isNumber(seconds)) {
    const { whole, nanos } = splitSeconds(toDouble(seconds))
    const scale =
      unit instanceof RubySymbol
        ? (units[unit.name] ?? raise(argumentError, `unexpected unit: ${unit.name}`))
        : 1000
    const all = nanos + (part === undefined ? 0 : Math.round(doubleOf(part) * scale))
    const carried = Math.floor(all / 1e9)
    const left = all - carried * 1e9
    const millis = (whole + carried) * 1000 + Math.floor(left / 1e6)
    time = RubyTime.local(
      millis,
      left % 1e6,
      isFloat(seconds) && part === undefined ? toDouble(seconds) : undefined,
    )
  } else return raise(typeError, `can't convert ${coercionName(seconds)} into an exact number`)
  const zone = options.get('in')
  return zone === undefined || zone === null ? time : inZone(time, zone)
}

const units: Readonly<Record<string, number>> = {
  millisecond: 1e6,
  usec: 1000,
  microsecond: 1000,
  nsec: 1,
  nanosecond: 1,
}

function inZone(time: RubyTime, zone: RubyValue): RubyTime {
  if (isNumber(zone)) return time.at(toDouble(zone), false)
  const text = textArgument(zone)
  const offset = readOffset(text)
  if (offset === undefined)
    raise(argumentError, `"+HH:MM", "-HH:MM", "UTC" or "A".."I","K".."Z" expected for utc_offset: ${text}`)
  return time.at(offset, text === 'UTC' || text === 'Z')
}

function part(value: RubyValue | undefined, fallback: number, low: number, high: number): number {
  if (value === undefined || value === null) return fallback
  let number: number
  if (isText(value)) {
    const month = shortMonthNames.findIndex((name) => name.toLowerCase() === textOf(value).toLowerCase())
    number = month >= 0 && high === 12 ? month + 1 : Number(textOf(value))
    if (Number.isNaN(number))
      raise(argumentError, `invalid value for Integer(): ${inspectText(textOf(value))}`)
  } else number = doubleOf(value)
  if (number < low || number > high) raise(argumentError, 'argument out of range')
  return number
}

/** From calendar parts; `place` makes an instant of the local milliseconds. */
function fromParts(args: RubyValue[], place: (local: number, nanos: number) => RubyTime): RubyTime {
  const [year, month, day, hour, minute, second] = args
  const seconds = part(second, 0, 0, 60.999999999)
  const { whole, nanos } = splitSeconds(seconds)
  const date =
    dayOfDate(isText(year) ? Number(textOf(year)) : indexOf(year), part(month, 1, 1, 12), 1) +
    part(day, 1, 1, 31) -
    1
  const local =
    date * dayMillis +
    (part(hour, 0, 0, 24) * 3600 + part(minute, 0, 0, 59) * 60 + whole) * 1000 +
    Math.floor(nanos / 1e6)
  return place(local, nanos % 1e6)
}

const asLocal = (local: number, nanos: number): RubyTime =>
  RubyTime.local(systemZone().instantOf(local), nanos)

function now(): RubyTime {
  const { millis, nanos } = Timestamp.now()
  return RubyTime.local(millis, nanos)
}

defineStatics(timeClass, {
  'now *': (_, args) => {
    const zone = takeOptions([...args]).get('in')
    return zone === undefined ? now() : inZone(now(), zone)
  },
  'at 1-4': (_, args) => at(args),
  'new *': (_, args) => {
    const given = [...args]
    const zone = takeOptions(given).get('in') ?? given[6] ?? null
    if (given.length === 0) return zone === null ? now() : inZone(now(), zone)
    if (zone === null) return fromParts(given, asLocal)
    const offset = inZone(RubyTime.utc(0), zone)
    return fromParts(
      given,
      (local, nanos) =>
        new RubyTime('Time', local - offset.offset * 1000, nanos, offset.offset, offset.isUtc),
    )
  },
  'utc,gm 1-7': (_, args) => fromParts(args, (local, nanos) => RubyTime.utc(local, nanos)),
  'local,mktime 1-7': (_, args) => fromParts(args, asLocal),
  'parse 1-2': (_, [text]) => {
    const parts = readAny(textArgument(text))
    if (parts === undefined) raise(argumentError, `no time information in ${inspectText(textArgument(text))}`)
    return timeOf(parts, 'Time', textArgument(text))
  },
  'strptime 2-3': (_, [text, format]) => {
    const parts = readByFormat(textArgument(text), textArgument(format))
    if (parts === undefined) {
      raise(
        argumentError,
        `invalid date or strptime format - \`${textArgument(text)}' \`${textArgument(format)}'`,
      )
    }
    return timeOf(parts, 'Time', textArgument(text))
  },
  'iso8601,xmlschema 1': (_, [text]) => {
    const given = textArgument(text)
    const parts =
      /^\s*[+-]?\d{4,}-\d\d-\d\d(?:t\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)?)?\s*$/i.test(given)
        ? readAny(given)
        : undefined
    if (parts === undefined) raise(argumentError, `invalid xmlschema date: ${inspectText(given)}`)
    return timeOf(parts, 'Time', given)
  },
  'rfc2822,rfc822,httpdate 1': (_, [text]) => {
    const given = textArgument(text)
    const parts = /^\s*(?:[a-z]{3},?\s+)?\d{1,2}\s+[a-z]{3}\s+\d{4}\s+\d/i.test(given)
      ? readAny(given)
      : undefined
    if (parts === undefined) raise(argumentError, `not RFC 2822 compliant date: ${inspectText(given)}`)
    return timeOf(parts, 'Time', given)
  },
})

function isoTime(time: RubyTime, digits: number): string {
  const fraction =
    digits > 0 ? `.${String(time.nanosOfSecond).padStart(9, '0').padEnd(digits, '0').slice(0, digits)}` : ''
  const zone = time.isUtc ? 'Z' : offsetText(time.offset, true)
  return `${strftime(time, '%Y-%m-%dT%H:%M:%S')}${fraction}${zone}`
}

/** The other side of a comparison or difference. */
export function otherTime(value: RubyValue | undefined): RubyTime | undefined {
  if (value instanceof Timestamp) return RubyTime.of(value)
  return value instanceof RubyTime ? value : undefined
}

export const timeComparisons: Record<string, (self: RubyTime, args: RubyValue[]) => RubyValue> = {
  '<=> 1': (self, [other]) => {
    const time = otherTime(other)
    return time === undefined ? null : self.compare(time)
  },
  '==,eql? 1': (self, [other]) => {
    const time = otherTime(other)
    return time !== undefined && self.compare(time) === 0
  },
}

function secondsBetween(a: RubyTime, b: RubyTime): number {
  if (a.given !== undefined || b.given !== undefined) return a.toDouble() - b.toDouble()
  return a.seconds - b.seconds + (a.nanosOfSecond - b.nanosOfSecond) / 1e9
}

function shift(self: RubyTime, by: RubyValue, sign: 1 | -1): RubyTime {
  if (by instanceof RubyTime) raise(typeError, 'time + time?')
  if (!isNumber(by)) raise(typeError, `can't convert ${coercionName(by)} into an exact number`)
  const { whole, nanos } = splitSeconds(toDouble(by) * sign)
  return self.plus(whole, nanos)
}

function rounded(self: RubyTime, digits: RubyValue, how: (value: number) => number): RubyTime {
  const unit = 10 ** (9 - indexOf(digits))
  return self.plus(0, how(self.nanosOfSecond / unit) * unit - self.nanosOfSecond)
}

const inspected = (self: RubyTime): string => {
  const fraction =
    self.nanosOfSecond === 0 ? '' : `.${String(self.nanosOfSecond).padStart(9, '0').replace(/0+$/, '')}`
  return `${strftime(self, '%Y-%m-%d %H:%M:%S')}${fraction} ${self.isUtc ? 'UTC' : offsetText(self.offset, false)}`
}

/** Parts that every kind of time has. */
export const partMethods: Record<string, (self: RubyTime) => RubyValue> = {
  year: (self) => self.parts.year,
  'month,mon': (self) => self.parts.month,
  'day,mday': (self) => self.parts.dayOfMonth,
  hour: (self) => self.parts.hour,
  'min,minute': (self) => self.parts.minute,
  'sec,second': (self) => self.parts.second,
  wday: (self) => self.parts.weekday,
  yday: (self) => self.parts.dayOfYear,
  ...Object.fromEntries(
    ['sunday?', 'monday?', 'tuesday?', 'wednesday?', 'thursday?', 'friday?', 'saturday?'].map((name, day) => [
      name,
      (self: RubyTime) => self.parts.weekday === day,
    ]),
  ),
}

defineMethods<RubyTime>(timeClass, {
  ...partMethods,
  'to_i,tv_sec': (self) => self.seconds,
  to_f: (self) => float(self.toDouble()),
  'usec,tv_usec': (self) => Math.floor(self.nanosOfSecond / 1000),
  'nsec,tv_nsec': (self) => self.nanosOfSecond,
  'utc,gmtime,getutc,getgm': (self) => self.at(0, true),
  'localtime,getlocal 0-1': (self, [zone = null]) =>
    zone === null ? self.at(localOffset(self.millis), false) : inZone(self, zone),
  'utc?,gmt?': (self) => self.isUtc,
  'utc_offset,gmt_offset,gmtoff': (self) => self.offset,
  zone: (self) => zoneName(self),
  'dst?,isdst': () => false,
  'strftime 1': (self, [format]) => strftime(self, textArgument(format)),
  'iso8601,xmlschema 0-1': (self, [digits = 0]) => isoTime(self, indexOf(digits)),
  httpdate: (self) => strftime(self.at(0, true), '%a, %d %b %Y %H:%M:%S GMT'),
  'rfc2822,rfc822': (self) =>
    strftime(self, self.isUtc ? '%a, %d %b %Y %H:%M:%S -0000' : '%a, %d %b %Y %H:%M:%S %z'),
  to_s: (self) =>
    `${strftime(self, '%Y-%m-%d %H:%M:%S')} ${self.isUtc ? 'UTC' : offsetText(self.offset, false)}`,
  inspect: inspected,
  'ctime,asctime': (self) => strftime(self, '%a %b %e %H:%M:%S %Y'),
  to_a: (self) => {
    const { second, minute, hour, dayOfMonth, month, year, weekday, dayOfYear } = self.parts
    return [second, minute, hour, dayOfMonth, month, year, weekday, dayOfYear, false, zoneName(self)]
  },
  '+ 1': (self, [by]) => shift(self, by!, 1),
  '- 1': (self, [by]) => {
    const other = otherTime(by)
    return other === undefined ? shift(self, by!, -1) : float(secondsBetween(self, other))
  },
  ...timeComparisons,
  'round 0-1': (self, [digits = 0]) => rounded(self, digits, Math.round),
  'floor 0-1': (self, [digits = 0]) => rounded(self, digits, Math.floor),
  'ceil 0-1': (self, [digits = 0]) => rounded(self, digits, Math.ceil),
  to_time: (self) => self,
  'dup,clone *': (self) => self,
})
