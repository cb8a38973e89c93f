/**
 * The field of an aggregation in every index of the search: the type of its values, how they are rendered,
 * and whether the aggregation supports them.
 */

import { decimalFormat } from '../../answer/decimal-format.ts'
import type { SearchIndex } from '../../collect/search-index.ts'
import { isMetadataColumn } from '../../collect/sort/metadata-columns.ts'
import { NumberField, ScaledFloatField } from '../../mapping/fields/number-field.ts'
import type { MappedField } from '../../mapping/mapped-field.ts'
import { formatIp, parseIp } from '../../mapping/values/ip-address.ts'
import { asSearchError, illegalArgument } from '../../request/errors.ts'
import { JsonNumber } from '../../request/json-literals.ts'
import { scalarText } from '../../request/request-values.ts'
import { SearchError } from '../../request/search-error.ts'
import { type ReadScript, scriptReader } from '../../script/script.ts'
import { compileDateFormat, defaultDateFormat } from '../../time/date-format.ts'
import { parseDateMath } from '../../time/date-math.ts'
import { findTimeZone, type TimeZone } from '../../time/time-zone.ts'
import { type AggOptions, noScripts } from '../agg-options.ts'
import type { AggContext } from '../aggregator.ts'
import { ScriptValues } from './script-values.ts'

export type ValueType =
  | 'string'
  | 'ip'
  | 'long'
  | 'unsigned_long'
  | 'double'
  | 'date'
  | 'boolean'
  | 'geo_point'
  | 'range'

/** `field`, `missing`, `format` and other options that most aggregations share. */
export interface ValueOptions {
  readonly field: string | undefined
  readonly script: ReadScript | undefined
  readonly missing: unknown
  readonly format: string | undefined
  readonly valueType: string | undefined
  readonly zone: TimeZone | undefined
}

function readZone(options: AggOptions, name = 'time_zone'): TimeZone | undefined {
  const given = options.raw(name)
  if (given === undefined) return undefined
  const text = scalarText(given) ?? ''
  const zone = typeof given === 'number' ? findTimeZone(offsetOfHours(given)) : findTimeZone(text)
  if (zone === undefined) {
    const cause = new SearchError('zone_rules_exception', `Unknown time-zone ID: ${text}`)
    throw options.failed(name, cause)
  }
  return zone
}

function offsetOfHours(hours: number): string {
  const sign = hours < 0 ? '-' : '+'
  return `${sign}${String(Math.abs(Math.trunc(hours))).padStart(2, '0')}:00`
}

export function readValueOptions(options: AggOptions, isRequired = true): ValueOptions {
  if (options.raw('script') !== undefined) throw noScripts()
  return readScriptableOptions(options, isRequired)
}

/** Also reads `script`, which replaces or changes the values of the field. */
export function readScriptableOptions(options: AggOptions, isRequired = true): ValueOptions {
  const script = options.raw('script')
  const value = {
    field: options.text('field'),
    script: script === undefined ? undefined : scriptReader(script),
    missing: options.raw('missing'),
    format: options.text('format'),
    valueType: options.text('value_type') ?? options.text('valueType'),
    zone: readZone(options),
  }
  if (isRequired) requireField(value)
  return value
}

function requireField({ field, script }: ValueOptions): void {
  if (field === undefined && script === undefined) {
    throw illegalArgument('Required one of fields [field, script], but none were specified. ')
  }
}

export interface BoundField {
  readonly name: string
  /** By index name; metadata columns have no mapped field. Indices without the field are absent. */
  readonly fields: ReadonlyMap<string, MappedField | 'hidden'>
  readonly type: ValueType
  /** False when no index has the field. */
  readonly isMapped: boolean
  readonly first: MappedField | undefined
  /** Computes the values, or changes those of the field. */
  readonly script: ScriptValues | undefined
}

function typeOfField(field: MappedField): ValueType | undefined {
  switch (field.family) {
    case 'number':
      if (!(field instanceof NumberField) || field instanceof ScaledFloatField) return 'double'
      if (!field.number.isInteger) return 'double'
      return field.isUnsigned ? 'unsigned_long' : 'long'
    case 'date':
    case 'boolean':
    case 'ip':
    case 'geo_point':
    case 'range':
      return field.family
    case 'keyword':
    case 'text':
      return 'string'
    default:
      return undefined
  }
}

/** Types whose keys are comparable. */
function keyFamily(type: ValueType): string {
  return type === 'string' || type === 'ip' ? type : 'number'
}

function noFormats({ name, type }: MappedField): Error {
  return illegalArgument(`Field [${name}] of type [${type}] does not support custom formats`)
}

/** Ranges have neither values that could replace missing ones nor formats, except those of dates. */
function checkRange(field: MappedField | undefined, missing: unknown, format: string | undefined): void {
  if (format !== undefined && field !== undefined && field.type !== 'date_range') throw noFormats(field)
  if (missing === undefined) return
  const values = 'org.elasticsearch.search.aggregations.support.ValuesSource$Range'
  throw illegalArgument(`Can't apply missing values on a class ${values}`)
}

/** Throws for anything else than true and false. */
function columnFlag(given: unknown): void {
  const text = scalarText(given) ?? ''
  if (text === 'true' || text === 'false') return
  throw illegalArgument(`Cannot parse boolean [${text}], expected either [true] or [false]`)
}

/** Throws SearchError when the field has an unsupported type in some index. */
export function bindField(
  { field: name, valueType, missing, format, script }: ValueOptions,
  accepted: readonly ValueType[],
  kind: string,
  aggregation: string,
  context: AggContext,
): BoundField {
  const fields = new Map<string, MappedField | 'hidden'>()
  let type: ValueType | undefined
  let first: MappedField | undefined
  for (const index of name === undefined ? [] : context.indices) {
    const found = columnOf(name!, index)
    if (found === undefined) continue
    const own = found === 'hidden' ? hiddenType(name!) : typeOfField(found)
    if (own === undefined || !accepted.includes(own)) {
      const shown = found === 'hidden' ? (name === '_id' ? '_id' : 'long') : found.type
      const shownName = found === 'hidden' ? name : found.name
      throw illegalArgument(
        `Field [${shownName}] of type [${shown}] is not supported for aggregation [${kind}]`,
      )
    }
    if (type !== undefined && keyFamily(type) !== keyFamily(own)) throw mixedTypes(aggregation)
    if (type === undefined || (type === 'long' && own === 'double')) {
      type = own
      if (found !== 'hidden') first = found
    }
    fields.set(index.name, found)
  }
  if (type === 'range') checkRange(first, missing, format)
  if (type === 'boolean' && missing !== undefined) columnFlag(missing)
  const isMapped = type !== undefined
  return {
    name: name ?? '',
    fields,
    type: type ?? guessedType(valueType, missing, accepted),
    isMapped: isMapped || script !== undefined,
    first,
    script: script === undefined ? undefined : new ScriptValues(script, name !== undefined, context),
  }
}

function mixedTypes(aggregation: string): SearchError {
  return new SearchError(
    'aggregation_execution_exception',
    `Merging/Reducing the aggregations failed when computing the aggregation [${aggregation}] because the field you gave in the aggregation query existed as two different types in two different indices`,
  )
}

function columnOf(name: string, index: SearchIndex): MappedField | 'hidden' | undefined {
  if (name === '_index' || isMetadataColumn(name)) return 'hidden'
  const field = index.mapping.field(name)
  field?.requireColumn()
  return field
}

function hiddenType(name: string): ValueType {
  return name === '_index' || name === '_id' ? 'string' : 'long'
}

const valueTypes = new Map<string, ValueType>([
  ['string', 'string'],
  ['byte', 'long'],
  ['short', 'long'],
  ['integer', 'long'],
  ['long', 'long'],
  ['number', 'double'],
  ['float', 'double'],
  ['double', 'double'],
  ['unsigned_long', 'unsigned_long'],
  ['boolean', 'boolean'],
  ['date', 'date'],
  ['ip', 'ip'],
])

function guessedType(
  valueType: string | undefined,
  missing: unknown,
  accepted: readonly ValueType[],
): ValueType {
  if (valueType !== undefined) {
    const type = valueTypes.get(valueType.toLowerCase())
    if (type === undefined) throw illegalArgument(`Unknown value type [${valueType}]`)
    return type
  }
  // Keys of terms are texts where nothing else is known, whatever stands for missing ones.
  if (accepted.includes('string')) return 'string'
  let type: ValueType = accepted[0]!
  if (typeof missing === 'number') type = Number.isInteger(missing) ? 'long' : 'double'
  else if (missing instanceof JsonNumber) type = 'long'
  else if (typeof missing === 'boolean') type = 'boolean'
  return accepted.includes(type) ? type : accepted[0]!
}

export type Formatter = (value: number | bigint | string) => string

/** How values are rendered besides their plain form; undefined when they are not. */
export function formatterOf(
  { first, type }: BoundField,
  { format, zone }: Pick<ValueOptions, 'format' | 'zone'>,
): Formatter | undefined {
  const isPlain = type === 'boolean' || type === 'ip' || type === 'string'
  if (isPlain && format !== undefined && first !== undefined) throw noFormats(first)
  switch (type) {
    case 'date':
    case 'range': {
      if (first !== undefined && first.family === 'date') {
        const print = first.printer(format, zone)
        return (value) => String(print(value))
      }
      if (type === 'range' && first?.type !== 'date_range') break
      return dateFormatter(format, zone)
    }
    case 'boolean':
      return (value) => (Number(value) === 0 ? 'false' : 'true')
    case 'ip':
      return (value) => formatIp(String(value))
    case 'string':
    case 'geo_point':
      return undefined
    default:
      break
  }
  if (format === undefined) return undefined
  const write = decimalFormat(format)
  return (value) => write(typeof value === 'bigint' ? value : Number(value))
}

function dateFormatter(format: string | undefined, zone: TimeZone | undefined): Formatter {
  try {
    const date = compileDateFormat(format ?? defaultDateFormat)
    return (value) =>
      typeof value === 'bigint' ? date.formatNanos(value, zone) : date.format(value as number, zone)
  } catch (error) {
    throw asSearchError(error)
  }
}

/** A value of the request in the form of the column; undefined stays undefined. */
export function columnNumber(
  given: unknown,
  { type, first }: BoundField,
  { format, zone }: Pick<ValueOptions, 'format' | 'zone'>,
  now: number,
): number | undefined {
  if (given === undefined) return undefined
  if (type === 'boolean') {
    if (given === true || given === 'true') return 1
    if (given === false || given === 'false') return 0
  }
  const text = scalarText(given) ?? ''
  // A number that stands for a date is read by the field's format, which may count seconds.
  if (type !== 'date' || first === undefined) {
    if (typeof given === 'number') return given
    if (given instanceof JsonNumber) return given.value
  }
  if (type === 'date') {
    if (first !== undefined) return first.toNumber(text, { format, zone, now })
    try {
      return parseDateMath(text, { format: compileDateFormat(format ?? defaultDateFormat), now, zone })
    } catch (error) {
      throw asSearchError(error)
    }
  }
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isNaN(number)) {
    throw new SearchError(
      'number_format_exception',
      text === '' ? 'empty String' : `For input string: "${text}"`,
    )
  }
  return number
}

/** A term of the request in the form of the column. */
export function columnTerm(given: unknown, type: ValueType): string {
  const text = scalarText(given) ?? ''
  if (type !== 'ip') return text
  const hex = parseIp(text)
  if (hex === undefined) throw illegalArgument(`'${text}' is not an IP string literal.`)
  return hex
}
