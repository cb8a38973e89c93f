/**
 * Conversions of CSV columns. What cannot be converted stays as it is; dates are read in the forms Ruby's
 * CSV library recognises and become timestamps, a date without a time being midnight at the host.
 */
import { Timestamp } from '../../event/timestamp.ts'
import { integer, type Value } from '../../event/value.ts'
import { utcMillis } from '../../time/utc-millis.ts'
import { textToFloat } from '../ruby-values/number.ts'
import { rubyStrip } from '../ruby-values/text.ts'

export type Convert = (text: string) => Value

export const conversions: ReadonlyMap<string, Convert> = new Map<string, Convert>([
  ['integer', toInteger],
  ['float', toFloat],
  ['date', toDate],
  ['date_time', toDateTime],
  ['boolean', toBoolean],
])

// `Integer(text)`: prefixes for other bases, a leading zero means octal, single underscores between digits.
const integerText =
  /^([+-]?)(?:0[xX]([0-9a-fA-F_]+)|0[bB]([01_]+)|0[oO]?([0-7_]+)|0[dD]([0-9_]+)|(0|[1-9][0-9_]*))$/
const badUnderscore = /__|^_|_$/
const maxDigits = 4096

function toInteger(text: string): Value {
  const found = integerText.exec(rubyStrip(text))
  if (found === null) return text
  const [, sign, hex, binary, octal, decimal, plain] = found
  const digits = hex ?? binary ?? octal ?? decimal ?? plain!
  if (badUnderscore.test(digits) || digits.length > maxDigits) return text
  const prefix = hex !== undefined ? '0x' : binary !== undefined ? '0b' : octal !== undefined ? '0o' : ''
  const magnitude = BigInt(prefix + digits.replaceAll('_', ''))
  return integer(sign === '-' ? -magnitude : magnitude)
}

function toFloat(text: string): Value {
  try {
    return textToFloat(rubyStrip(text))
  } catch {
    return text
  }
}

export function toBoolean(text: string): Value {
  const word = rubyStrip(text).toLowerCase()
  return word === 'true' ? true : word === 'false' ? false : word
}

const isoDate = /^(\d{4})-(\d{2})-(\d{2})$/
const writtenDate = /^(?:\w+,?\s+)?(\w+)\s+(\d{1,2}),?\s+(\d{2,4})$/
const isoDateTime =
  /^(\d{4})-(\d{2})-(\d{2})[T\s](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?\s?(Z|UTC|[+-]\d{2}:?\d{2})?$/
const writtenDateTime = /^(?:\w+,?\s+)?(\w+)\s+(\d{1,2})\s+(\d{1,2}):(\d{1,2}):(\d{1,2}),?\s+(\d{2,4})$/

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

function monthOf(name: string): number | undefined {
  const index = months.indexOf(name.slice(0, 3).toLowerCase())
  return index < 0 ? undefined : index + 1
}

/** Two digits mean 1969 to 2068. */
function fullYear(text: string): number {
  const year = Number(text)
  return text.length > 2 ? year : year >= 69 ? 1900 + year : 2000 + year
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

function toDate(text: string): Value {
  const iso = isoDate.exec(text)
  const written = iso === null ? writtenDate.exec(text) : null
  const year = iso !== null ? Number(iso[1]) : fullYear(written?.[3] ?? '')
  const month = iso !== null ? Number(iso[2]) : monthOf(written?.[1] ?? '')
  const day = Number(iso !== null ? iso[3] : written?.[2])
  if ((iso === null && written === null) || month === undefined || !isDay(year, month, day)) return text
  return new Timestamp(new Date(year, month - 1, day).getTime())
}

function toDateTime(text: string): Value {
  const iso = isoDateTime.exec(text)
  if (iso !== null) {
    const [, year, month, day, hour, minute, second = '0', fraction = '', zone] = iso
    if (!isDay(Number(year), Number(month), Number(day)) || Number(hour) > 24 || Number(minute) > 59)
      return text
    const nanos = Number(fraction.slice(0, 9).padEnd(9, '0'))
    const utc = utcMillis(year, month, day, hour, minute, second)
    return new Timestamp(utc - offset(zone) + Math.floor(nanos / 1e6), nanos % 1e6)
  }
  const written = writtenDateTime.exec(text)
  const month = written === null ? undefined : monthOf(written[1]!)
  if (written === null || month === undefined) return text
  const [, , day, hour, minute, second, year] = written
  if (!isDay(fullYear(year!), month, Number(day))) return text
  return new Timestamp(
    Date.UTC(fullYear(year!), month - 1, Number(day), Number(hour), Number(minute), Number(second)),
  )
}

/** Milliseconds east of UTC. */
function offset(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z' || zone === 'UTC') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}
