/**
 * A field of a mapping, put to work: it takes values of documents apart, converts values of queries to the
 * form segments hold, and prints what columns hold. One class per family of types extends it.
 *
 * What columns hold: texts and keywords as terms; ip as 32 hex digits; numbers as doubles, integers beyond
 * 2^53 exactly besides; dates as milliseconds, date_nanos as nanoseconds besides; booleans as 0 and 1;
 * scaled_float as the scaled integer.
 */

import type { Analyzer } from '../analysis/analyzer.ts'
import { illegalArgument } from '../request/errors.ts'
import { plainText } from '../request/plain-text.ts'
import type { FieldSpec } from '../segment/document.ts'
import type { TimeZone } from '../time/time-zone.ts'
import type { FieldDefinition } from './definition/definition.ts'
import type { DocumentFields } from './documents/document-fields.ts'
import type { FieldSetup } from './field-setup.ts'

export type FieldFamily =
  | 'text'
  | 'keyword'
  | 'number'
  | 'date'
  | 'boolean'
  | 'ip'
  | 'geo_point'
  | 'range'
  | 'opaque'

/** How to read a value of a request. */
export interface Reading {
  /** Fill what a date leaves out with the last of its unit. */
  readonly roundUp?: boolean
  readonly zone?: TimeZone | undefined
  /** Milliseconds; one reading of the clock for a request. */
  readonly now?: number
  /** Instead of the format of the field. */
  readonly format?: string | undefined
}

/** A place in a number column. Where the column has exact values, `exact` is what to compare them with. */
export interface ColumnValue {
  readonly number: number
  readonly exact: bigint | undefined
}

/** Both ends inclusive. */
export interface ColumnRange {
  readonly from: ColumnValue
  readonly to: ColumnValue
}

/** Makes of a column's value what an answer shows. */
export type PrintValue = (value: number | bigint | string | readonly [number, number]) => unknown

export abstract class MappedField {
  readonly kind = 'field'
  /** Full path; multi-fields as `message.keyword`. */
  readonly name: string
  readonly type: string
  abstract readonly family: FieldFamily
  readonly definition: FieldDefinition
  readonly isIndexed: boolean
  readonly hasDocValues: boolean
  readonly isStored: boolean
  readonly boost: number
  readonly meta: Readonly<Record<string, string>> | undefined
  abstract readonly spec: FieldSpec
  readonly copyTo: readonly string[]
  readonly ignoreMalformed: boolean
  readonly coerce: boolean
  /** Stands for null in documents; undefined: null is no value. */
  nullValue: unknown
  /** Fields that get the same values. */
  readonly multiFields: MappedField[] = []
  /** Arrays are one value, not several. */
  takesArrays = false
  /** Columns may hold more than a double can; then `exact` of ColumnValue is set. */
  readonly isExact: boolean = false

  readonly analyzer: Analyzer | undefined
  readonly searchAnalyzer: Analyzer | undefined
  readonly searchQuoteAnalyzer: Analyzer | undefined
  readonly normalizer: Analyzer | undefined

  /** `docValues` is for types that have no such parameter. */
  constructor(setup: FieldSetup, docValues = false) {
    this.name = setup.path
    this.type = setup.definition.type
    this.definition = setup.definition
    this.isIndexed = setup.flag('index', true)
    this.hasDocValues = setup.flag('doc_values', docValues)
    this.isStored = setup.flag('store', false)
    this.boost = setup.number('boost', 1)
    this.meta = setup.value('meta') as Readonly<Record<string, string>> | undefined
    this.copyTo = setup.definition.copyTo
    this.ignoreMalformed = setup.explicit('ignore_malformed', setup.settings.ignoreMalformed)
    this.coerce = setup.explicit('coerce', setup.settings.coerce)
  }

  /** A value of a document, neither null nor (unless it `takesArrays`) an array. Throws SearchError. */
  abstract add(value: unknown, into: DocumentFields): void

  /** Word order of the error when `add` fails. */
  parseFailure(id: string, preview: string): string {
    return (
      `failed to parse field [${this.name}] of type [${this.type}] in document with id '${id}'. ` +
      `Preview of field's value: '${preview}'`
    )
  }

  get isSearchable(): boolean {
    return this.isIndexed
  }

  get isAggregatable(): boolean {
    return this.hasDocValues
  }

  /** Throws when nothing of the field is kept that a query could look at. */
  requireSearchable(): void {
    if (!this.isIndexed && !this.hasDocValues) {
      throw illegalArgument(`Cannot search on field [${this.name}] since it is not indexed.`)
    }
  }

  /** Throws when the field can neither sort nor aggregate. */
  requireColumn(): void {
    if (!this.isAggregatable) {
      throw illegalArgument(
        `Can't load fielddata on [${this.name}] because fielddata is unsupported on fields of type [${this.type}]. Use doc values instead.`,
      )
    }
  }

  /** The term a value of a query is compared with. */
  toTerm(value: unknown): string {
    return plainText(value)
  }

  /** The number a value of a query is compared with. */
  toNumber(_value: unknown, _reading?: Reading): number {
    throw illegalArgument(`Field [${this.name}] of type [${this.type}] has no numbers`)
  }

  /** The column values a term query finds; undefined when there can be none. */
  termRange(value: unknown, reading: Reading = {}): ColumnRange | undefined {
    const number = this.toNumber(value, reading)
    const at = { number, exact: undefined }
    return { from: at, to: at }
  }

  /** The lowest column value at or (when not inclusive) after a value of a query. */
  lowerBound(value: unknown, isInclusive: boolean, reading?: Reading): ColumnValue {
    return { number: this.toNumber(value, { ...reading, roundUp: !isInclusive }), exact: undefined }
  }

  /** The highest column value at or (when not inclusive) before a value of a query. */
  upperBound(value: unknown, isInclusive: boolean, reading?: Reading): ColumnValue {
    return { number: this.toNumber(value, { ...reading, roundUp: isInclusive }), exact: undefined }
  }

  /** How answers show values of the column; `format` as in `docvalue_fields`. */
  printer(format?: string, zone?: TimeZone): PrintValue {
    this.refuseFormat(format, zone)
    return (value) => value
  }

  /** What `fields` shows of a value of the source; undefined for nothing. */
  fromSource(value: unknown, _format?: string): unknown {
    return value ?? this.nullValue
  }

  protected refuseFormat(format: string | undefined, zone: TimeZone | undefined): void {
    if (format !== undefined && format !== 'use_field_mapping') {
      throw illegalArgument(`Field [${this.name}] of type [${this.type}] does not support custom formats`)
    }
    if (zone !== undefined) {
      throw illegalArgument(`Field [${this.name}] of type [${this.type}] does not support custom time zones`)
    }
  }
}
