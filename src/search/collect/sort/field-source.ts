/**
 * A mapped field as a source of sort values: how its doc values are read, how values are rendered, and how
 * `missing` and `search_after` are parsed.
 */

import { fieldTypes } from '../../mapping/field-types.ts'
import { NumberField, ScaledFloatField } from '../../mapping/fields/number-field.ts'
import type { MappedField } from '../../mapping/mapped-field.ts'
import { asSearchError, illegalArgument, numberFormat } from '../../request/errors.ts'
import { shortestFloat } from '../../request/float-text.ts'
import { scalarText } from '../../request/request-values.ts'
import { SearchError } from '../../request/search-error.ts'
import { exactValue } from '../../source/column-values.ts'
import type { FieldSort } from '../request/sort-request.ts'
import { bindJson, type SearchIndex } from '../search-index.ts'
import type { FieldSource } from './field-key.ts'
import { boxedNull } from './java-null.ts'
import { isMetadataColumn } from './metadata-columns.ts'
import type { NumberInterpretation } from './sort-column.ts'
import type { SortValue } from './sort-value.ts'

const maxLong = 9_223_372_036_854_775_807n

function shardError(index: SearchIndex, reason: string): SearchError {
  return new SearchError('query_shard_exception', reason, {
    details: { index: index.name, index_uuid: index.uuid },
  })
}

/** Throws SearchError when the field cannot be sorted by. */
export function fieldSource(sort: FieldSort, index: SearchIndex): FieldSource {
  if (sort.field === '_index') return { ...termSource(sort, '_index', 'keyword'), kind: 'constant' }
  if (sort.field === '_id') return termSource(sort, '_id', '_id')
  if (isMetadataColumn(sort.field)) return numberSource(sort, sort.field, 'long', plainReading)
  const field = index.mapping.field(sort.field)
  if (field === undefined) return unmappedSource(sort, index)
  field.requireColumn()
  if (sort.numericType !== undefined && field.family !== 'number' && field.family !== 'date') {
    throw illegalArgument(`[numeric_type] option cannot be set on a non-numeric field, got ${field.type}`)
  }
  const nested = nestedOf(sort, index)
  switch (field.family) {
    case 'number':
    case 'boolean': {
      const type = typeOf(sort, field)
      const source = numberSource(sort, field.name, type, readingOf(sort, field))
      const isNarrow = index.queries.isOpenSearch === true && integers.has(type)
      return { ...(isNarrow ? narrowed(source) : source), nested }
    }
    case 'date':
      return { ...dateSource(sort, field, index.queries.now), nested }
    case 'keyword':
    case 'text':
    case 'ip': {
      if (sort.mode !== undefined && sort.mode !== 'min' && sort.mode !== 'max') {
        throw shardError(index, 'we only support AVG, MEDIAN and SUM on number based fields')
      }
      return { ...termSource(sort, field.name, field.type, field), nested }
    }
    default:
      throw illegalArgument(
        field.family === 'geo_point'
          ? "can't sort on geo_point field without using specific sorting feature, like geo_distance"
          : `Sorting by range field [${field.name}] is not supported`,
      )
  }
}

function nestedOf(sort: FieldSort, index: SearchIndex): FieldSource['nested'] {
  if (sort.nested === undefined) return undefined
  const { path, filter } = sort.nested
  if (index.mapping.object(path)?.definition.isNested !== true) {
    throw shardError(index, `[nested] failed to find nested object under path [${path}]`)
  }
  return { path, filter: filter === undefined ? undefined : bindJson(index, filter).query }
}

function unmappedSource(sort: FieldSort, index: SearchIndex): FieldSource {
  const type = sort.unmappedType
  if (type === undefined) throw shardError(index, `No mapping found for [${sort.field}] in order to sort on`)
  if (!fieldTypes.has(type)) throw illegalArgument(`No mapper found for type [${type}]`)
  const isTerm = type === 'keyword' || type === 'ip' || type === 'text' || type === 'wildcard'
  const source = isTerm
    ? termSource(sort, sort.field, type)
    : numberSource(sort, sort.field, type, plainReading)
  const isNarrow = index.queries.isOpenSearch === true && integers.has(type)
  return { ...(isNarrow ? narrowed(source) : source), kind: 'none' }
}

const plainReading: NumberInterpretation = { isInteger: true, isUnsigned: false, factor: 1, change: 'none' }

/** The type of the values after `numeric_type` is applied. */
function typeOf({ numericType }: FieldSort, field: MappedField): string {
  return numericType ?? field.type
}

function readingOf({ numericType }: FieldSort, field: MappedField): NumberInterpretation {
  const isInteger = !(field instanceof NumberField) || field.number.isInteger
  const isUnsigned = field instanceof NumberField && field.isUnsigned
  const factor = field instanceof ScaledFloatField ? 1 / field.scalingFactor : 1
  if (numericType === 'double') return { isInteger: false, isUnsigned, factor, change: 'to_double' }
  if (numericType === 'long')
    return { isInteger: true, isUnsigned, factor, change: isInteger ? 'none' : 'to_long' }
  if (numericType !== undefined && numericType !== 'date' && numericType !== 'date_nanos') {
    throw illegalArgument(
      `invalid value for [numeric_type], must be [long, double, date, date_nanos], got ${numericType}`,
    )
  }
  return { isInteger, isUnsigned, factor, change: 'none' }
}

/** Types whose missing values OpenSearch renders as the extremes of 32-bit integers. */
const integers = new Set(['integer', 'short', 'byte', 'boolean', 'token_count'])
const maxIntegerLength = 2_147_483_647

function narrowed(source: FieldSource): FieldSource {
  const wide = (value: unknown): unknown => {
    if (Number(value) === maxIntegerLength) return maxLong
    return Number(value) === -maxIntegerLength - 1 ? -maxLong - 1n : value
  }
  return {
    ...source,
    nullRefusal: boxedNull('Integer'),
    show(value) {
      const shown = source.show(value)
      if (shown === maxLong) return maxIntegerLength
      return shown === -maxLong - 1n ? -maxIntegerLength - 1 : shown
    },
    parse: (value) => source.parse(value === null || value === undefined ? value : wide(value)),
  }
}

const floats = new Set(['double', 'float', 'half_float', 'scaled_float'])

/** What Java says of null where a number of the type is compared. */
function nullRefusalOf(type: string): string {
  if (type === 'unsigned_long')
    return 'Cannot invoke "java.math.BigInteger.doubleValue()" because "this.this$0.topValue" is null'
  if (!floats.has(type)) return boxedNull('Long')
  return boxedNull(type === 'float' || type === 'half_float' ? 'Float' : 'Double')
}

interface Extremes {
  readonly min: number | bigint
  readonly max: number | bigint
}

function extremesOf(type: string): Extremes {
  if (floats.has(type)) return { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY }
  if (type === 'unsigned_long') return { min: 0n, max: 2n ** 64n - 1n }
  return { min: -maxLong - 1n, max: maxLong }
}

function isMissingFirst({ missing }: FieldSort): boolean {
  return missing === '_first'
}

function modeOf(sort: FieldSort): FieldSource['mode'] {
  return sort.mode ?? (sort.descending ? 'max' : 'min')
}

function failure(field: string, cause?: Error): SearchError {
  return illegalArgument(`Failed to parse search_after value for field [${field}].`, cause)
}

function constantOf<T>(missing: unknown, read: (value: unknown) => T): T | undefined {
  return missing === '_first' || missing === '_last' ? undefined : read(missing)
}

function numberSource(
  sort: FieldSort,
  field: string,
  type: string,
  reading: NumberInterpretation,
): FieldSource {
  const { min, max } = extremesOf(type)
  const shownMissing = isMissingFirst(sort) === sort.descending ? max : min
  const isFloat = type === 'float' || type === 'half_float'
  const isMissing = (value: number | bigint) => {
    if (shownMissing === max) return value >= max
    return min !== 0n && value <= min
  }
  const read = (value: unknown): SortValue => {
    if (value === true || value === false) return value ? 1 : 0
    const number = readNumber(scalarText(value) ?? '', floats.has(type))
    if (number === undefined) throw failure(sort.field, numberFormat(scalarText(value) ?? ''))
    if (isMissing(number)) return null
    return isFloat ? Math.fround(Number(number)) : number
  }
  return {
    field,
    kind: 'number',
    type,
    mode: modeOf(sort),
    reading,
    nested: undefined,
    missing: constantOf(sort.missing, (value) => {
      const number = readNumber(scalarText(value) ?? '', floats.has(type))
      if (number === undefined) throw numberFormat(scalarText(value) ?? '')
      return number
    }),
    show: (value) => {
      if (value === null) return typeof shownMissing === 'number' ? String(shownMissing) : shownMissing
      return isFloat ? shortestFloat(Number(value)) : value
    },
    nullRefusal: nullRefusalOf(type),
    parse: (value) => (value === null ? null : read(value)),
  }
}

function readNumber(text: string, isFloat: boolean): number | bigint | undefined {
  if (!isFloat && /^[+-]?\d+$/.test(text)) return exactValue(BigInt(text))
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isNaN(number) ? undefined : number
}

function dateSource(sort: FieldSort, field: MappedField, now: number): FieldSource {
  const isNanos = sort.numericType === undefined ? field.isExact : sort.numericType === 'date_nanos'
  if (sort.numericType !== undefined && !/^(date|date_nanos|long|double)$/.test(sort.numericType))
    readingOf(sort, field)
  const change = isNanos === field.isExact ? 'none' : isNanos ? 'to_nanos' : 'to_millis'
  const number = numberSource({ ...sort, missing: '_last' }, field.name, 'long', { ...plainReading, change })
  const first = numberSource({ ...sort, missing: '_first' }, field.name, 'long', plainReading)
  const print = sort.format === undefined ? undefined : field.printer(sort.format)
  const base = isMissingFirst(sort) ? first : number
  const read = (value: unknown): number | bigint => {
    const format = typeof value === 'string' ? sort.format : undefined
    const found = field.lowerBound(value, true, { format, now })
    return isNanos ? (found.exact ?? BigInt(found.number) * 1_000_000n) : found.number
  }
  return {
    ...base,
    reading: { ...plainReading, change },
    type: isNanos ? 'date_nanos' : 'date',
    missing: constantOf(sort.missing, read),
    show: (value) => {
      if (value === null || print === undefined) return base.show(value)
      return print(isNanos ? BigInt(value) : value)
    },
    parse: (value) => {
      // A text of digits alone is read as a number, whatever the date format.
      if (typeof value !== 'string' || /^-?\d{5,}$/.test(value)) return base.parse(value)
      try {
        return read(value)
      } catch (error) {
        throw failure(sort.field, asSearchError(error))
      }
    },
  }
}

function termSource(sort: FieldSort, field: string, type: string, mapped?: MappedField): FieldSource {
  const isIp = type === 'ip'
  const print = isIp ? mapped?.printer() : undefined
  const read = (value: unknown): string => {
    const text = scalarText(value)
    if (text === undefined) throw failure(sort.field)
    return isIp && mapped !== undefined ? mapped.toTerm(text) : text
  }
  return {
    field,
    kind: 'term',
    type,
    mode: modeOf(sort),
    reading: plainReading,
    nested: undefined,
    missing: constantOf(sort.missing, read),
    show: (value) => (value === null || print === undefined ? value : print(value)),
    parse: (value) => (value === null ? null : read(value)),
  }
}
