/**
 * Date and DateTime: days count instead of seconds; no zone of the computer unless `to_time` asks for it.
 */

import { Timestamp } from '../../event/timestamp.ts'
import { float } from '../../event/value.ts'
import { dayMillis, dayOfDate, isoWeek, lengthOfMonth } from '../../time/calendar.ts'
import { systemZone } from '../../time/zone.ts'
import { textArgument } from '../arguments.ts'
import { dateError, readAny, readByFormat, timeOf } from '../date-reading.ts'
import { raise, typeError } from '../errors.ts'
import { doubleOf, indexOf, isNumber, toDouble } from '../number.ts'
import { defineMethods, defineStatics, type RubyValue, timeClass } from '../ruby-class.ts'
import { strftime } from '../strftime.ts'
import {
  dateClass,
  dateTimeClass,
  localOffset,
  offsetText,
  RubyTime,
  readOffset,
  type TimeKind,
} from '../time.ts'
import { isText, textOf } from '../values.ts'
import { otherTime, partMethods, timeComparisons } from './time.ts'

function parsed(text: RubyValue | undefined, kind: TimeKind): RubyTime {
  const parts = readAny(textArgument(text))
  if (
    parts === undefined ||
    (parts.year === undefined &&
      parts.month === undefined &&
      parts.dayOfMonth === undefined &&
      parts.hour === undefined &&
      parts.dayOfYear === undefined)
  ) {
    raise(dateError, 'invalid date')
  }
  return timeOf(parts, kind, textArgument(text))
}

function byFormat(args: RubyValue[], kind: TimeKind, format: string): RubyTime {
  const parts = readByFormat(textArgument(args[0]), args[1] === undefined ? format : textArgument(args[1]))
  if (parts === undefined) raise(dateError, 'invalid date')
  const time = timeOf(parts, kind, textArgument(args[0]))
  return kind === 'Date' ? dayOf(time) : time
}

const dayOf = (time: RubyTime): RubyTime => new RubyTime('Date', time.parts.day * dayMillis, 0, 0, true)

function civil(args: RubyValue[], kind: TimeKind): RubyTime {
  const [year = -4712, month = 1, day = 1, hour = 0, minute = 0, second = 0, zone] = args
  const [y, m] = [indexOf(year), indexOf(month) < 0 ? indexOf(month) + 13 : indexOf(month)]
  const length = m >= 1 && m <= 12 ? lengthOfMonth(y, m) : 0
  const d = indexOf(day) < 0 ? indexOf(day) + length + 1 : indexOf(day)
  if (d < 1 || d > length) raise(dateError, 'invalid date')
  const offset = isText(zone) ? (readOffset(textOf(zone)) ?? 0) : 0
  const millis =
    dayOfDate(y, m, d) * dayMillis +
    (indexOf(hour) * 3600 + indexOf(minute) * 60) * 1000 +
    doubleOf(second) * 1000
  return new RubyTime(kind, millis - offset * 1000, 0, offset, kind === 'Date')
}

function nowAs(kind: TimeKind): RubyTime {
  const { millis, nanos } = Timestamp.now()
  const time = RubyTime.local(millis, nanos).at(localOffset(millis), false, 'DateTime')
  return kind === 'Date' ? dayOf(time) : time
}

/** The day stays within the month: January 31 and a month is February 28. */
function addMonths(self: RubyTime, count: number): RubyTime {
  const { year, month, dayOfMonth, day } = self.parts
  const all = year * 12 + month - 1 + count
  const [y, m] = [Math.floor(all / 12), (((all % 12) + 12) % 12) + 1]
  const target = dayOfDate(y, m, Math.min(dayOfMonth, lengthOfMonth(y, m)))
  return self.plus((target - day) * 86_400)
}

function addDays(self: RubyTime, days: RubyValue, sign: 1 | -1): RubyTime {
  if (!isNumber(days)) raise(typeError, 'expected numeric')
  const seconds = toDouble(days) * 86_400 * sign
  const whole = Math.floor(seconds)
  if (self.kind === 'Date') return self.plus(Math.floor(seconds / 86_400) * 86_400)
  return self.plus(whole, Math.round((seconds - whole) * 1e9))
}

function toTime(self: RubyTime): RubyTime {
  if (self.kind === 'Date') return RubyTime.local(systemZone().instantOf(self.millis))
  return new RubyTime('Time', self.millis, self.nanos, self.offset, false)
}

for (const [owner, kind, format] of [
  [dateClass, 'Date', '%F'],
  [dateTimeClass, 'DateTime', '%FT%T%z'],
] as const) {
  defineStatics(owner, {
    'parse 0-3': (_, [text]) => parsed(text, kind),
    'strptime 1-3': (_, args) => byFormat(args, kind, format),
    'new,civil *': (_, args) => civil(args, kind),
  })
}
defineStatics(dateClass, {
  'iso8601 1-2': (_, [text]) => parsed(text, 'Date'),
  'today 0-1': () => nowAs('Date'),
  'valid_date?,valid_civil? 3-4': (_, [year, month, day]) =>
    isNumber(year) &&
    isNumber(month) &&
    isNumber(day) &&
    indexOf(month) >= 1 &&
    indexOf(month) <= 12 &&
    indexOf(day) >= 1 &&
    indexOf(day) <= lengthOfMonth(indexOf(year), indexOf(month)),
  'leap?,gregorian_leap? 1': (_, [year]) => lengthOfMonth(indexOf(year), 2) === 29,
})
defineStatics(dateTimeClass, {
  'iso8601,xmlschema,rfc3339,rfc2822,httpdate 1-3': (_, [text]) => parsed(text, 'DateTime'),
  'now 0-1': () => nowAs('DateTime'),
})

const isoDateTime = (self: RubyTime, digits: number): string => {
  if (self.kind === 'Date') return strftime(self, '%Y-%m-%d')
  const fraction =
    digits > 0 ? `.${String(self.nanosOfSecond).padStart(9, '0').padEnd(digits, '0').slice(0, digits)}` : ''
  return `${strftime(self, '%Y-%m-%dT%H:%M:%S')}${fraction}${offsetText(self.offset, true)}`
}

const { hour, 'min,minute': minute, 'sec,second': second, ...dateParts } = partMethods

defineMethods<RubyTime>(dateClass, {
  ...dateParts,
  cwday: (self) => self.parts.weekday || 7,
  cweek: (self) => isoWeek(self.parts.day).week,
  cwyear: (self) => isoWeek(self.parts.day).year,
  jd: (self) => self.parts.day + 2_440_588,
  mjd: (self) => self.parts.day + 40_587,
  'leap?': (self) => lengthOfMonth(self.parts.year, 2) === 29,
  'strftime 0-1': (self, [format = '%F']) => strftime(self, textArgument(format)),
  'to_s,iso8601,xmlschema 0-1': (self, [digits = 0]) => isoDateTime(self, indexOf(digits)),
  httpdate: (self) => strftime(self.at(0, true), '%a, %d %b %Y %H:%M:%S GMT'),
  rfc2822: (self) => strftime(self, '%a, %-d %b %Y %T %z'),
  'rfc3339 0-1': (self, [digits = 0]) =>
    self.kind === 'Date' ? `${strftime(self, '%F')}T00:00:00+00:00` : isoDateTime(self, indexOf(digits)),
  inspect: (self) => `#<${self.kind}: ${isoDateTime(self, 0)}>`,
  '+ 1': (self, [days]) => addDays(self, days!, 1),
  '- 1': (self, [other]) => {
    const time = otherTime(other)
    if (time === undefined) return addDays(self, other!, -1)
    return float((self.seconds - time.seconds + (self.nanosOfSecond - time.nanosOfSecond) / 1e9) / 86_400)
  },
  '>> 1': (self, [months]) => addMonths(self, indexOf(months)),
  '<< 1': (self, [months]) => addMonths(self, -indexOf(months)),
  'next_day 0-1': (self, [count = 1]) => addDays(self, count, 1),
  'prev_day 0-1': (self, [count = 1]) => addDays(self, count, -1),
  'next_month 0-1': (self, [count = 1]) => addMonths(self, indexOf(count)),
  'prev_month 0-1': (self, [count = 1]) => addMonths(self, -indexOf(count)),
  'next_year 0-1': (self, [count = 1]) => addMonths(self, 12 * indexOf(count)),
  'prev_year 0-1': (self, [count = 1]) => addMonths(self, -12 * indexOf(count)),
  'next,succ': (self) => self.plus(86_400),
  'step 1-2': (self, [limit, by = 1], block) => {
    for (let at = self; at.compare(limit as RubyTime) <= 0; at = addDays(at, by, 1)) block?.one(at)
    return self
  },
  'upto 1': (self, [limit], block) => {
    for (let at = self; at.compare(limit as RubyTime) <= 0; at = at.plus(86_400)) block?.one(at)
    return self
  },
  ...timeComparisons,
  '=== 1': (self, [other]) => otherTime(other)?.parts.day === self.parts.day,
  to_time: toTime,
  to_date: dayOf,
  to_datetime: (self) =>
    self.kind === 'DateTime' ? self : new RubyTime('DateTime', self.millis, 0, 0, false),
  'dup,clone *': (self) => self,
})
defineMethods<RubyTime>(dateTimeClass, {
  hour: hour!,
  'min,minute': minute!,
  'sec,second': second!,
  offset: (self) => float(self.offset / 86_400),
  zone: (self) => offsetText(self.offset, true),
  'new_offset 0-1': (self, [zone = 0]) =>
    self.at(isText(zone) ? (readOffset(textOf(zone)) ?? 0) : Math.round(doubleOf(zone) * 86_400), false),
})
defineMethods<RubyTime>(timeClass, {
  to_date: dayOf,
  to_datetime: (self) => new RubyTime('DateTime', self.millis, self.nanos, self.offset, false),
})
