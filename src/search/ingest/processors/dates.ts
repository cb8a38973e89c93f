/** date and date_index_name: texts in given formats become instants. */
import { illegalArgument, numberFormat } from '../../request/errors.ts'
import { SearchError } from '../../request/search-error.ts'
import { compileDateFormat, type DateFormat, DateFormatError } from '../../time/date-format.ts'
import { findTimeZone, type TimeZone, utc } from '../../time/time-zone.ts'
import { type IngestDocument, valueText } from '../ingest-document.ts'
import { compileTemplate } from '../ingest-template.ts'
import type { ProcessorFactory } from '../processor.ts'
import { parseDouble } from './convert.ts'

/** Throws SearchError for a text that is no date. */
type ReadDate = (text: string, zone: TimeZone) => number

function readUnix(text: string): number {
  const seconds = parseDouble(text)
  if (seconds === undefined) throw numberFormat(text)
  return Math.trunc(seconds * 1000)
}

function readUnixMillis(text: string): number {
  if (!/^[+-]?\d{1,16}$/.test(text)) throw numberFormat(text)
  return Number(text)
}

/** Sixteen hexadecimal digits of seconds and eight of nanoseconds, ten seconds ahead of UTC. */
function readTai64n(given: string): number {
  const text = given.startsWith('@') ? given.slice(1) : given
  for (const [start, end] of [
    [1, 16],
    [16, 24],
  ] as const)
    if (text.length < end)
      throw new SearchError(
        'string_index_out_of_bounds_exception',
        `Range [${start}, ${end}) out of bounds for length ${text.length}`,
      )
  const hexadecimal = (digits: string) => {
    if (!/^[0-9a-fA-F]+$/.test(digits)) throw numberFormat(digits)
    return Number.parseInt(digits, 16)
  }
  return hexadecimal(text.slice(1, 16)) * 1000 - 10_000 + Math.floor(hexadecimal(text.slice(16, 24)) / 1e6)
}

/** The refusal of one format, with Java's reason behind it. */
function refused(text: string, name: string, format: DateFormat): SearchError {
  if (text.trim() === '') return illegalArgument('cannot parse empty date')
  return illegalArgument(
    `failed to parse date field [${text}] with format [${name}]`,
    new SearchError('date_time_parse_exception', format.javaReason(text)),
  )
}

function readJava(name: string, now: () => number): ReadDate {
  const format = compileDateFormat(name)
  const hasYear = /[yuYxX]|^[a-z_]{5,}$|^iso8601$/.test(name.replace(/'[^']*'/g, ''))
  return (text, zone) => {
    // A text without a year is of this one.
    const year = hasYear ? '' : `${new Date(now()).getUTCFullYear()} `
    const whole = hasYear ? format : compileDateFormat(`yyyy ${name}`)
    const millis = whole.tryParse(year + text, { zone })
    if (Number.isNaN(millis)) throw refused(text, name, format)
    return millis
  }
}

function readerOf(name: string, now: () => number): ReadDate {
  if (name === 'UNIX') return readUnix
  if (name === 'UNIX_MS') return readUnixMillis
  if (name === 'TAI64N') return readTai64n
  return readJava(name === 'ISO8601' ? 'iso8601' : name, now)
}

/** The instant of a field by the last format that reads it. */
function readField(
  document: IngestDocument,
  field: string,
  formats: readonly string[],
  zoneOf: () => TimeZone,
  now: () => number,
): { millis: number; zone: TimeZone } {
  const value = document.get(field, 'any')
  const text = value === null ? '' : valueText(value)
  const failures: SearchError[] = []
  let found: { millis: number; zone: TimeZone } | undefined
  for (const name of formats) {
    try {
      const zone = zoneOf()
      found = { millis: readerOf(name, now)(text, zone), zone }
    } catch (error) {
      if (!(error instanceof SearchError) && !(error instanceof DateFormatError)) throw error
      failures.push(error instanceof SearchError ? error : illegalArgument(error.message))
    }
  }
  if (found !== undefined) return found
  const [first, ...others] = failures
  const cause =
    first === undefined || others.length === 0
      ? first
      : new SearchError(first.type, first.message, {
          cause: first.causedBy,
          details: { suppressed: others.map(asJson) },
        })
  throw illegalArgument(`unable to parse date [${value === null ? 'null' : text}]`, cause)
}

function asJson({ type, message, causedBy }: SearchError): Record<string, unknown> {
  return {
    type,
    reason: message,
    ...(causedBy instanceof SearchError && { caused_by: asJson(causedBy) }),
  }
}

/** `ZoneId.of` */
function zoneNamed(id: string): TimeZone {
  const zone = findTimeZone(id)
  if (zone !== undefined) return zone
  if (/^[A-Za-z][A-Za-z0-9~/._+-]+$/.test(id))
    throw new SearchError('zone_rules_exception', `Unknown time-zone ID: ${id}`)
  throw new SearchError('date_time_exception', `Invalid ID for ZoneOffset, invalid format: ${id}`)
}

const date: ProcessorFactory = (config, { now }) => {
  const field = config.text('field')
  const target = config.text('target_field', '@timestamp')
  const timezone = config.optionalText('timezone')
  const zoneTemplate = timezone === undefined ? undefined : compileTemplate(timezone)
  config.optionalText('locale')
  const formats = config.list('formats').map(valueText)
  const outputFormat = config.text('output_format', "yyyy-MM-dd'T'HH:mm:ss.SSSXXX")
  const output = outputOf(outputFormat)
  return (document) => {
    const zoneOf = () => (zoneTemplate === undefined ? utc : zoneNamed(zoneTemplate(document)))
    const { millis, zone } = readField(document, field, formats, zoneOf, now)
    document.set(target, output.format(millis, zone))
    return true
  }
}

function outputOf(pattern: string): DateFormat {
  try {
    return compileDateFormat(pattern)
  } catch (error) {
    if (!(error instanceof DateFormatError)) throw error
    const reason = illegalArgument(error.message.slice(error.message.indexOf(']: ') + 3))
    throw illegalArgument(`invalid output format [${pattern}]`, illegalArgument(error.message, reason))
  }
}

const dateIndexName: ProcessorFactory = (config, { now }) => {
  const locale = config.optionalText('locale')
  const timezone = config.optionalText('timezone')
  const zone = timezone === undefined ? utc : zoneNamed(timezone)
  if (locale !== undefined && !/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/.test(locale))
    throw illegalArgument(`Invalid language tag specified: ${locale}`)
  const formats = (config.optionalList('date_formats') ?? ["yyyy-MM-dd'T'HH:mm:ss.SSSXX"]).map(valueText)
  const field = config.text('field')
  const prefix = compileTemplate(config.text('index_name_prefix', ''))
  const rounding = compileTemplate(config.text('date_rounding'))
  const nameFormat = compileTemplate(config.text('index_name_format', 'yyyy-MM-dd'))
  return (document) => {
    const { millis } = readField(document, field, formats, () => zone, now)
    const format = nameFormat(document)
    const day = compileDateFormat(format).format(millis, zone)
    const zoneName = timezone ?? 'UTC'
    document.set('_index', `<${prefix(document)}{${day}||/${rounding(document)}{${format}|${zoneName}}}>`)
    return true
  }
}

export const dateProcessors: Readonly<Record<string, ProcessorFactory>> = {
  date,
  date_index_name: dateIndexName,
}
