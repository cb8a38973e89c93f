/**
 * Formats of date fields: built-in names and java.time patterns, separated by `||`. The first that matches the whole
 * text parses it; the first of all prints.
 */
import type { DateElement } from './date-elements.ts'
import { DateFields, fieldsOf, type Moment, momentOf } from './date-fields.ts'
import { compileDatePattern, DatePatternError } from './date-pattern.ts'
import { epochMillis, epochSecond } from './epoch-formats.ts'
import { readUsualIso } from './iso-fast-path.ts'
import { namedDateFormat } from './named-date-formats.ts'
import { type TimeZone, utc } from './time-zone.ts'

export const defaultDateFormat = 'strict_date_optional_time||epoch_millis'

/** A text that is no date, or an invalid pattern; the HTTP layer reports `illegal_argument_exception`. */
export class DateFormatError extends Error {
  override readonly name = 'DateFormatError'
}

interface DateReading {
  /** Fill missing parts with the last of their unit: the end of a day, not of a month or year. */
  readonly roundUp?: boolean
  /** The zone of texts that name none; UTC when absent. */
  readonly zone?: TimeZone | undefined
}

interface Format {
  read(text: string, roundUp: boolean, zone: TimeZone): Moment | undefined
  write(moment: Moment, zone: TimeZone): string
  /** Offset of what does not match, or of the rest behind what does. */
  failure?(text: string): { readonly at: number; readonly isRest: boolean }
}

const iso = new Set([
  'strict_date_optional_time',
  'strict_date_optional_time_nanos',
  'date_optional_time',
  'iso8601',
])

export class DateFormat {
  readonly pattern: string
  readonly #formats: readonly Format[]
  readonly #startsIso: boolean

  /** Called by `compileDateFormat` only. */
  constructor(pattern: string) {
    this.pattern = pattern
    const names = pattern.split('||').map((name) => name.trim())
    if (pattern === '' || names.includes('')) throw new DateFormatError('No date pattern provided')
    this.#formats = names.map((name) => compileOne(name))
    this.#startsIso = iso.has(names[0]!)
  }

  /** Returns milliseconds since 1970; throws DateFormatError. */
  parse(text: string, reading: DateReading = {}): number {
    const millis = this.tryParse(text, reading)
    if (Number.isNaN(millis)) throw this.#refusal(text)
    return millis
  }

  /** Returns milliseconds since 1970, or NaN when the text does not match. */
  tryParse(text: string, reading: DateReading = {}): number {
    // Without decimals the rest of the second is open, and rounding up fills it.
    if (this.#startsIso && (reading.roundUp !== true || text.length > 20)) {
      const millis = readUsualIso(text)
      if (!Number.isNaN(millis)) return millis
    }
    return this.#read(text, reading)?.millis ?? Number.NaN
  }

  /** Returns nanoseconds since 1970, for `date_nanos`; throws DateFormatError. */
  parseNanos(text: string, reading: DateReading = {}): bigint {
    const moment = this.#read(text, reading)
    if (moment === undefined) throw this.#refusal(text)
    return BigInt(moment.millis) * 1_000_000n + BigInt(moment.nanos)
  }

  #read(text: string, { roundUp = false, zone = utc }: DateReading): Moment | undefined {
    for (const format of this.#formats) {
      const moment = format.read(text, roundUp, zone)
      if (moment !== undefined) return moment
    }
    return undefined
  }

  #refusal(text: string): DateFormatError {
    if (text === '') return new DateFormatError('cannot parse empty datetime')
    return new DateFormatError(`failed to parse date field [${text}] with format [${this.pattern}]`)
  }

  /** Why the first of the formats does not match, in the words of java.time. */
  javaReason(text: string): string {
    const { at = 0, isRest = false } = this.#formats[0]?.failure?.(text) ?? {}
    return `Text '${text}' could not be parsed${isRest ? `, unparsed text found at index ${at}` : ` at index ${at}`}`
  }

  format(millis: number, zone: TimeZone = utc): string {
    if (this.#startsIso && zone.fixed === 0 && millis >= firstPlain && millis < pastPlain) {
      return new Date(millis).toISOString()
    }
    return this.#formats[0]!.write({ millis, nanos: 0 }, zone)
  }

  formatNanos(nanos: bigint, zone: TimeZone = utc): string {
    const rest = ((nanos % 1_000_000n) + 1_000_000n) % 1_000_000n
    const millis = Number((nanos - rest) / 1_000_000n)
    // Milliseconds beyond 2^53 were rounded; what is left makes up for it.
    return this.#formats[0]!.write({ millis, nanos: Number(nanos - BigInt(millis) * 1_000_000n) }, zone)
  }
}

/** The range of years 0 to 9999. */
const firstPlain = Date.parse('0000-01-01T00:00:00Z')
const pastPlain = Date.UTC(10_000, 0, 1)

function compileOne(name: string): Format {
  if (name === 'epoch_millis') return epochMillis
  if (name === 'epoch_second') return epochSecond
  const named = namedDateFormat(name)
  if (named !== undefined) {
    return ofElements(compileDatePattern(named.read, true), compileDatePattern(named.write, true))
  }
  try {
    // A leading 8 once marked java.time patterns in Elasticsearch 7.
    const element = compileDatePattern(name.startsWith('8') ? name.slice(1) : name)
    return ofElements(element, element)
  } catch (error) {
    if (!(error instanceof DatePatternError)) throw error
    throw new DateFormatError(`Invalid format: [${name}]: ${error.message}`)
  }
}

const fields = new DateFields()

function ofElements(reader: DateElement, writer: DateElement): Format {
  return {
    read(text, roundUp, zone) {
      fields.clear()
      if (reader.read(text, 0, fields) !== text.length || text === '') return undefined
      return momentOf(fields, roundUp, zone)
    },
    failure(text) {
      fields.clear()
      const end = reader.read(text, 0, fields)
      return end === -1 ? { at: fields.failedAt, isRest: false } : { at: end, isRest: true }
    },
    write: (moment, zone) =>
      writer.write({ values: fieldsOf(moment, zone), offset: zone.offsetAt(moment.millis), zone }),
  }
}

const maxFormats = 1000
const known = new Map<string, DateFormat>()

/** Throws DateFormatError. Compiled formats are cached. */
export function compileDateFormat(pattern: string): DateFormat {
  let format = known.get(pattern)
  if (format === undefined) {
    format = new DateFormat(pattern)
    if (known.size >= maxFormats) known.clear()
    known.set(pattern, format)
  }
  return format
}
