/** `date` in milliseconds, and `date_nanos`, whose doc values also hold nanoseconds. */
import { asSearchError, illegalArgument } from '../../request/errors.ts'
import { javaText } from '../../request/java-text.ts'
import { rethrowFault } from '../../request/refusal.ts'
import { SearchError } from '../../request/search-error.ts'
import type { FieldSpec } from '../../segment/document.ts'
import {
  compileDateFormat,
  type DateFormat,
  DateFormatError,
  defaultDateFormat,
} from '../../time/date-format.ts'
import { parseDateMath } from '../../time/date-math.ts'
import type { TimeZone } from '../../time/time-zone.ts'
import type { DocumentFields } from '../documents/document-fields.ts'
import type { FieldSetup } from '../field-setup.ts'
import {
  type ColumnRange,
  type ColumnValue,
  MappedField,
  type PrintValue,
  type Reading,
} from '../mapped-field.ts'
import { columnSpec } from './number-field.ts'

export const defaultNanosFormat = 'strict_date_optional_time_nanos||epoch_millis'
const nanosPerMilli = 1_000_000n
const maxNanos = 9_223_372_036_854_775_807n

/** Compiles the format of a field; errors name the field. */
export function fieldDateFormat(pattern: string, field: string): DateFormat {
  try {
    return compileDateFormat(pattern)
  } catch (error) {
    if (!(error instanceof DateFormatError)) throw error
    throw illegalArgument(
      `Error parsing [format] on field [${field}]: ${error.message}`,
      asSearchError(error),
    )
  }
}

/** The error for a document's date that no format matches. */
export function dateRefusal(error: unknown, format: DateFormat): SearchError {
  if (!(error instanceof DateFormatError)) return asSearchError(error)
  const inner = format.pattern.includes('||')
    ? new SearchError('date_time_parse_exception', 'Failed to parse with all enclosed parsers')
    : undefined
  return illegalArgument(error.message, inner)
}

export class DateField extends MappedField {
  override readonly family = 'date'
  override readonly spec: FieldSpec = columnSpec
  override readonly isExact: boolean
  readonly format: DateFormat
  /** In which dates are printed: `print_format`, or `format`. */
  readonly #printFormat: DateFormat
  readonly #readsMillis: boolean

  constructor(setup: FieldSetup) {
    super(setup)
    this.isExact = setup.definition.type === 'date_nanos'
    const pattern = setup.text('format') ?? (this.isExact ? defaultNanosFormat : defaultDateFormat)
    this.format = fieldDateFormat(pattern, this.name)
    const printed = setup.text('print_format')
    this.#printFormat = printed === undefined ? this.format : fieldDateFormat(printed, this.name)
    this.#readsMillis = pattern === defaultDateFormat
    const given = setup.value('null_value')
    if (given !== undefined) {
      this.nullValue = given
      this.#checkNullValue(javaText(given))
    }
  }

  #checkNullValue(text: string): void {
    try {
      this.format.parse(text)
    } catch (error) {
      rethrowFault(error)
      throw illegalArgument(
        `Error parsing [null_value] on field [${this.name}]: ${error.message}`,
        dateRefusal(error, this.format),
      )
    }
  }

  override add(value: unknown, into: DocumentFields): void {
    if (this.isExact) {
      this.#addNanos(value, into)
      return
    }
    let millis: number
    // An integer this long is no year, so it can only be milliseconds.
    if (typeof value === 'number' && this.#readsMillis && Number.isSafeInteger(value) && value > 99_999) {
      millis = value
    } else {
      const text = typeof value === 'string' ? value : into.textOf(value, this.name)
      millis = this.format.tryParse(text)
      if (Number.isNaN(millis)) {
        this.#refuse(text, into)
        return
      }
    }
    if (this.isWritten) into.of(this.name, this.spec).addNumber(millis)
    else if (this.isStored) into.of(this.name, this.spec)
  }

  #refuse(text: string, into: DocumentFields): void {
    try {
      this.format.parse(text)
    } catch (error) {
      if (!this.ignoreMalformed) throw dateRefusal(error, this.format)
      rethrowFault(error)
      into.ignore(this.name)
    }
  }

  #addNanos(value: unknown, into: DocumentFields): void {
    const text = typeof value === 'string' ? value : into.textOf(value, this.name)
    let nanos: bigint
    try {
      nanos = this.#nanos(this.format.parseNanos(text))
    } catch (error) {
      if (!this.ignoreMalformed) throw dateRefusal(error, this.format)
      rethrowFault(error)
      into.ignore(this.name)
      return
    }
    if (this.isWritten) into.of(this.name, this.spec).addExact(Number(nanos / nanosPerMilli), nanos)
    else if (this.isStored) into.of(this.name, this.spec)
  }

  #nanos(nanos: bigint): bigint {
    if (nanos >= 0n && nanos <= maxNanos) return nanos
    const date = compileDateFormat('strict_date_optional_time_nanos')
      .formatNanos(nanos)
      .replace(/\.0+Z$/, 'Z')
    const where = nanos < 0n ? 'before the epoch in 1970' : 'after 2262-04-11T23:47:16.854775807'
    throw illegalArgument(`date[${date}] is ${where} and cannot be stored in nanosecond resolution`)
  }

  /** Returns milliseconds, by date math or the format. Throws SearchError. */
  override toNumber(value: unknown, reading: Reading = {}): number {
    const { roundUp = false, zone, now = Date.now(), format } = reading
    try {
      return parseDateMath(javaText(value), { format: this.#formatOf(format), now, roundUp, zone })
    } catch (error) {
      throw asSearchError(error)
    }
  }

  #toNanos(value: unknown, reading: Reading): bigint {
    const text = javaText(value)
    // Date math rounds to milliseconds here too.
    if (text.startsWith('now') || text.includes('||'))
      return BigInt(this.toNumber(value, reading)) * nanosPerMilli
    try {
      return this.#formatOf(reading.format).parseNanos(text, {
        roundUp: reading.roundUp ?? false,
        zone: reading.zone,
      })
    } catch {
      // This throws with the right error text.
      return BigInt(this.toNumber(value, reading)) * nanosPerMilli
    }
  }

  #formatOf(pattern: string | undefined): DateFormat {
    if (pattern === undefined) return this.format
    try {
      return compileDateFormat(pattern)
    } catch (error) {
      throw asSearchError(error)
    }
  }

  override termRange(value: unknown, reading: Reading = {}): ColumnRange {
    return { from: this.lowerBound(value, true, reading), to: this.upperBound(value, true, reading) }
  }

  override lowerBound(value: unknown, isInclusive: boolean, reading: Reading = {}): ColumnValue {
    const rounding = { ...reading, roundUp: !isInclusive }
    if (this.isExact) return nanosValue(this.#toNanos(value, rounding) + (isInclusive ? 0n : 1n))
    return { number: this.toNumber(value, rounding) + (isInclusive ? 0 : 1), exact: undefined }
  }

  override upperBound(value: unknown, isInclusive: boolean, reading: Reading = {}): ColumnValue {
    const rounding = { ...reading, roundUp: isInclusive }
    if (this.isExact) return nanosValue(this.#toNanos(value, rounding) - (isInclusive ? 0n : 1n))
    return { number: this.toNumber(value, rounding) - (isInclusive ? 0 : 1), exact: undefined }
  }

  override printer(format?: string, zone?: TimeZone): PrintValue {
    const isOwn = format === undefined || format === 'use_field_mapping'
    const used = isOwn ? this.#printFormat : this.#formatOf(format)
    return (value) =>
      typeof value === 'bigint' ? used.formatNanos(value, zone) : used.format(Number(value), zone)
  }

  override fromSource(value: unknown, format?: string): unknown {
    const given = value ?? this.nullValue
    if (given === undefined || given === null) return undefined
    const text = javaText(given)
    const used = format === undefined ? this.#printFormat : this.#formatOf(format)
    try {
      return this.isExact
        ? used.formatNanos(this.format.parseNanos(text))
        : used.format(this.format.parse(text))
    } catch (error) {
      if (error instanceof DateFormatError && this.ignoreMalformed) return undefined
      throw asSearchError(error)
    }
  }
}

function nanosValue(nanos: bigint): ColumnValue {
  const rest = nanos % nanosPerMilli
  const millis = (nanos - rest) / nanosPerMilli - (rest < 0n ? 1n : 0n)
  return { number: Number(millis), exact: nanos }
}
