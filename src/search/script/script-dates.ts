/** Dates of scripts, after `java.time.ZonedDateTime`; dates of documents are in UTC. */
import { maxDateMillis } from '../../time/calendar.ts'
import { monthNames, weekdayNames } from '../../time/english-names.ts'
import { compileDateFormat } from '../time/date-format.ts'
import { findTimeZone, offsetText, type TimeZone, utc } from '../time/time-zone.ts'
import { failing } from './exceptions.ts'
import { ScriptFailure, ScriptObject, type ScriptValue, textOf, toInteger, typeName } from './values.ts'

type Values = readonly ScriptValue[]

const nanosPerMilli = 1_000_000
/** A day less than a JavaScript Date holds, so that every time zone works. */
const maxMillis = maxDateMillis - 86_400_000
const millisPer = { Seconds: 1000, Minutes: 60_000, Hours: 3_600_000, Days: 86_400_000, Weeks: 604_800_000 }
const monthsPer = { Months: 1, Years: 12 }
const days = weekdayNames.map((name) => name.toUpperCase())
const months = monthNames.map((name) => name.toUpperCase())

/** A month or a day of the week with its name and number. */
class Named extends ScriptObject {
  readonly javaName: string
  readonly #name: string
  readonly #number: number

  constructor(javaName: string, names: readonly string[], at: number) {
    super()
    this.javaName = javaName
    this.#name = names[at]!
    this.#number = at + 1
  }

  override call(name: string, values: Values): ScriptValue | undefined {
    if (name === 'getValue') return BigInt(this.#number)
    if (name === 'ordinal') return BigInt(this.#number - 1)
    if (name === 'getDisplayName') return this.#shown(textOf(values[0] ?? null))
    return name === 'name' || name === 'toString' ? this.#name : undefined
  }

  /** `Monday`, `Mon`, `M` */
  #shown(style: string): string {
    const name = this.#name.charAt(0) + this.#name.slice(1).toLowerCase()
    return style.startsWith('SHORT') ? name.slice(0, 3) : style.startsWith('NARROW') ? name.slice(0, 1) : name
  }

  override equals(other: ScriptValue): boolean {
    return other instanceof Named && other.#name === this.#name
  }
}

export class ScriptDate extends ScriptObject {
  readonly javaName: string = 'java.time.ZonedDateTime'
  readonly millis: number
  /** The nanoseconds beyond the millisecond. */
  readonly #nanos: number
  readonly #zone: TimeZone

  constructor(millis: number, nanos = 0, zone = utc) {
    super()
    if (!(Math.abs(millis) <= maxMillis))
      throw new ScriptFailure('date_time_exception', 'the date is out of range')
    this.millis = millis
    this.#nanos = nanos
    this.#zone = zone
  }

  get zone(): TimeZone {
    return this.#zone
  }

  /** The local time as milliseconds, as if it were UTC. */
  get #local(): number {
    return this.millis + this.#zone.offsetAt(this.millis)
  }

  static ofNanos(nanos: bigint): ScriptDate {
    const rest = ((nanos % 1_000_000n) + 1_000_000n) % 1_000_000n
    return new ScriptDate(Number((nanos - rest) / 1_000_000n), Number(rest))
  }

  override member(name: string): ScriptValue | undefined {
    return name === 'millis' ? BigInt(this.millis) : undefined
  }

  override call(name: string, values: Values): ScriptValue | undefined {
    return this.#part(name) ?? this.#moved(name, values) ?? this.#compared(name, values)
  }

  override equals(other: ScriptValue): boolean {
    return other instanceof ScriptDate && other.millis === this.millis && other.#nanos === this.#nanos
  }

  override json(): unknown {
    return this.#nanos === 0
      ? new Date(this.millis).toISOString()
      : compileDateFormat('strict_date_optional_time_nanos').formatNanos(
          BigInt(this.millis) * 1_000_000n + BigInt(this.#nanos),
        )
  }

  #part(name: string): ScriptValue | undefined {
    const date = new Date(this.#local)
    switch (name) {
      case 'getMillis':
      case 'toEpochMilli':
        return BigInt(this.millis)
      case 'toEpochSecond':
      case 'getEpochSecond':
        return BigInt(Math.floor(this.millis / 1000))
      case 'toInstant':
        return new ScriptInstant(this.millis, this.#nanos)
      case 'getYear':
        return BigInt(date.getUTCFullYear())
      case 'getMonthValue':
        return BigInt(date.getUTCMonth() + 1)
      case 'getMonth':
        return new Named('java.time.Month', months, date.getUTCMonth())
      case 'getDayOfMonth':
        return BigInt(date.getUTCDate())
      case 'getDayOfWeek':
      case 'getDayOfWeekEnum':
        return new Named('java.time.DayOfWeek', days, (date.getUTCDay() + 6) % 7)
      case 'getDayOfYear':
        return BigInt(1 + Math.floor((this.#local - Date.UTC(date.getUTCFullYear(), 0, 1)) / millisPer.Days))
      case 'getHour':
        return BigInt(date.getUTCHours())
      case 'getMinute':
        return BigInt(date.getUTCMinutes())
      case 'getSecond':
        return BigInt(date.getUTCSeconds())
      case 'getNano':
        return BigInt((((this.millis % 1000) + 1000) % 1000) * nanosPerMilli + this.#nanos)
      case 'toString':
        return this.#text()
      default:
        return undefined
    }
  }

  protected get showsSeconds(): boolean {
    return false
  }

  /** Seconds and fractions are omitted when they are zero, as in Java. */
  #text(): string {
    const offset = this.#zone.offsetAt(this.millis)
    const { name } = this.#zone
    const zone = offsetText(offset, true) + (this.#zone.fixed === undefined ? `[${name}]` : '')
    const [day = '', time = ''] = new Date(this.#local).toISOString().slice(0, -1).split('T')
    const [minutes, rest] = [time.slice(0, 5), time.slice(6)]
    const nanos = this.#nanos === 0 ? '' : String(this.#nanos).padStart(6, '0')
    if (nanos !== '') return `${day}T${minutes}:${rest}${nanos.replace(/000$/, '')}${zone}`
    if (rest === '00.000' && !this.showsSeconds) return `${day}T${minutes}${zone}`
    return `${day}T${minutes}:${rest.replace(/\.000$/, '')}${zone}`
  }

  /** `plusDays(3)`, `minusMonths(1)` */
  #moved(name: string, [amount]: Values): ScriptValue | undefined {
    const found = /^(plus|minus)([A-Z]\w+)$/.exec(name)
    if (found === null || amount === undefined) return undefined
    const [, direction, unit] = found
    const by = Number(toInteger(amount, 64)) * (direction === 'plus' ? 1 : -1)
    if (Object.hasOwn(millisPer, unit!))
      return this.#at(this.millis + by * millisPer[unit as keyof typeof millisPer])
    return Object.hasOwn(monthsPer, unit!)
      ? this.#at(this.#zone.instantOf(addMonths(this.#local, by * monthsPer[unit as keyof typeof monthsPer])))
      : undefined
  }

  #at(millis: number): ScriptDate {
    return new ScriptDate(millis, this.#nanos, this.#zone)
  }

  #compared(name: string, [other]: Values): ScriptValue | undefined {
    if (name === 'format' && other instanceof DateFormatter) return other.write(this)
    if ((name === 'withZoneSameInstant' || name === 'atZone') && other instanceof ZoneId)
      return new ScriptDate(this.millis, this.#nanos, other.zone)
    if (!['isBefore', 'isAfter', 'isEqual', 'compareTo'].includes(name)) return undefined
    if (!(other instanceof ScriptDate))
      throw new ScriptFailure(
        'class_cast_exception',
        `Cannot cast from [${typeName(other ?? null)}] to [${this.javaName}].`,
      )
    const order = this.millis - other.millis || this.#nanos - other.#nanos
    if (name === 'compareTo') return BigInt(Math.sign(order))
    return name === 'isBefore' ? order < 0 : name === 'isAfter' ? order > 0 : order === 0
  }
}

class ScriptInstant extends ScriptDate {
  override readonly javaName = 'java.time.Instant'

  protected override get showsSeconds(): boolean {
    return true
  }
}

/** The day is clamped to the length of the target month. */
function addMonths(millis: number, by: number): number {
  const date = new Date(millis)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + by)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.getTime()
}

/** `DateTimeFormatter.ofPattern('yyyy-MM')` */
export class DateFormatter extends ScriptObject {
  readonly javaName = 'java.time.format.DateTimeFormatter'
  readonly #pattern: string

  constructor(pattern: ScriptValue) {
    super()
    this.#pattern = textOf(pattern)
  }

  write({ millis, zone }: ScriptDate): string {
    return failing(() => compileDateFormat(this.#pattern).format(millis, zone))
  }

  override call(name: string, [date]: Values): ScriptValue | undefined {
    return name === 'format' && date instanceof ScriptDate ? this.write(date) : undefined
  }
}

/** `ZoneId.of('Europe/Berlin')` */
export class ZoneId extends ScriptObject {
  readonly javaName = 'java.time.ZoneId'
  readonly zone: TimeZone

  constructor(id: ScriptValue) {
    super()
    const zone = findTimeZone(textOf(id))
    if (zone === undefined)
      throw new ScriptFailure('zone_rules_exception', `Unknown time-zone ID: ${textOf(id)}`)
    this.zone = zone
  }
}

export function parseDate(text: ScriptValue): ScriptDate {
  return failing(() => new ScriptDate(compileDateFormat('strict_date_optional_time').parse(textOf(text))))
}

/** `ChronoUnit.DAYS.between(a, b)` */
class DateUnit extends ScriptObject {
  readonly javaName = 'java.time.temporal.ChronoUnit'
  readonly #millis: number

  constructor(millis: number) {
    super()
    this.#millis = millis
  }

  override call(name: string, [from, to]: Values): ScriptValue | undefined {
    if (name !== 'between' || !(from instanceof ScriptDate) || !(to instanceof ScriptDate)) return undefined
    return BigInt(Math.trunc((to.millis - from.millis) / this.#millis))
  }
}

export const dateUnits: readonly (readonly [string, DateUnit])[] = [
  ['ChronoUnit.MILLIS', new DateUnit(1)],
  ['ChronoUnit.SECONDS', new DateUnit(millisPer.Seconds)],
  ['ChronoUnit.MINUTES', new DateUnit(millisPer.Minutes)],
  ['ChronoUnit.HOURS', new DateUnit(millisPer.Hours)],
  ['ChronoUnit.DAYS', new DateUnit(millisPer.Days)],
  ['ChronoUnit.WEEKS', new DateUnit(millisPer.Weeks)],
]
