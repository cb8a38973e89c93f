/**
 * The base class of mapped fields (Elasticsearch's FieldMapper and MappedFieldType): parses values of documents,
 * converts query values to the indexed form, and formats doc values. One subclass per family of types.
 * Indexed forms: text and keyword are terms; ip is 32 hex digits; numbers are doubles, with exact integers beyond
 * 2^53 besides; dates are milliseconds, date_nanos nanoseconds besides; booleans are 0 and 1; scaled_float is the
 * scaled integer.
 */

import type { Analyzer } from '../analysis/analyzer.ts'
import { illegalArgument } from '../request/errors.ts'
import { plainText } from '../request/plain-text.ts'
import type { FieldSpec } from '../segment/document.ts'
import type { TimeZone } from '../time/time-zone.ts'
import type { FieldDefinition } from './definition/definition.ts'
import type { DocumentFields } from './documents/document-fields.ts'
import type { FieldSetup } from './field-setup.ts'

type FieldFamily =
  | 'text'
  | 'keyword'
  | 'number'
  | 'date'
  | 'boolean'
  | 'ip'
  | 'geo_point'
  | 'range'
  | 'opaque'

/** How to parse a value of a request. */
export interface Reading {
  /** Fill missing date parts with the last of their unit. */
  readonly roundUp?: boolean
  readonly zone?: TimeZone | undefined
  /** Milliseconds; one reading of the clock for a request. */
  readonly now?: number
  /** Overrides the format of the field. */
  readonly format?: string | undefined
}

/** A bound in a numeric column. Where the column has exact values, `exact` is compared with them. */
export interface ColumnValue {
  readonly number: number
  readonly exact: bigint | undefined
}

/** Both ends are inclusive. */
export interface ColumnRange {
  readonly from: ColumnValue
  readonly to: ColumnValue
}

/** Formats a doc value for a response. */
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
  /** Whether values are written to the segment, as terms or doc values; otherwise they are in the source alone. */
  readonly isWritten: boolean
  readonly isStored: boolean
  readonly boost: number
  readonly meta: Readonly<Record<string, string>> | undefined
  abstract readonly spec: FieldSpec
  readonly copyTo: readonly string[]
  readonly ignoreMalformed: boolean
  readonly coerce: boolean
  /** The `null_value`; undefined when null is no value. */
  nullValue: unknown
  /** Multi-fields, which get the same values. */
  readonly multiFields: MappedField[] = []
  /** Whether an array is one value, not several. */
  takesArrays = false
  /** Whether `add` is called for null too, to refuse it. */
  readonly refusesNull: boolean = false
  /** Whether doc values may exceed a double; then `exact` of ColumnValue is set. */
  readonly isExact: boolean = false

  readonly analyzer: Analyzer | undefined
  readonly searchAnalyzer: Analyzer | undefined
  readonly searchQuoteAnalyzer: Analyzer | undefined
  readonly normalizer: Analyzer | undefined

  /** `docValues` is for types without such a parameter. */
  constructor(setup: FieldSetup, docValues = false) {
    this.name = setup.path
    this.type = setup.definition.type
    this.definition = setup.definition
    this.isIndexed = setup.flag('index', true)
    this.hasDocValues = setup.flag('doc_values', docValues)
    this.isWritten = this.isIndexed || this.hasDocValues
    this.isStored = setup.flag('store', false)
    this.boost = setup.number('boost', 1)
    this.meta = setup.value('meta') as Readonly<Record<string, string>> | undefined
    this.copyTo = setup.definition.copyTo
    this.ignoreMalformed = setup.explicit('ignore_malformed', setup.settings.ignoreMalformed)
    this.coerce = setup.explicit('coerce', setup.settings.coerce)
  }

  /** Adds a value of a document, neither null nor (unless it `takesArrays`) an array. Throws SearchError. */
  abstract add(value: unknown, into: DocumentFields): void

  /** The wording of the error when `add` fails. */
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

  /** Throws when the field is not indexed in any way that a query could use. */
  requireSearchable(): void {
    if (!this.isWritten) {
      throw illegalArgument(`Cannot search on field [${this.name}] since it is not indexed.`)
    }
  }

  /** Throws when the field has no doc values to sort or aggregate by. */
  requireColumn(): void {
    if (!this.isAggregatable) {
      throw illegalArgument(
        `Can't load fielddata on [${this.name}] because fielddata is unsupported on fields of type [${this.type}]. Use doc values instead.`,
      )
    }
  }

  /** Returns the term that a query value is compared with. */
  toTerm(value: unknown): string {
    return plainText(value)
  }

  /** Returns the number that a query value is compared with. */
  toNumber(_value: unknown, _reading?: Reading): number {
    throw illegalArgument(`Field [${this.name}] of type [${this.type}] has no numbers`)
  }

  /** Returns the range of doc values that a term query matches; undefined when nothing can match. */
  termRange(value: unknown, reading: Reading = {}): ColumnRange | undefined {
    const number = this.toNumber(value, reading)
    const at = { number, exact: undefined }
    return { from: at, to: at }
  }

  /** Returns the lowest doc value at or (exclusive) above a query value. */
  lowerBound(value: unknown, isInclusive: boolean, reading?: Reading): ColumnValue {
    return { number: this.toNumber(value, { ...reading, roundUp: !isInclusive }), exact: undefined }
  }

  /** Returns the highest doc value at or (exclusive) below a query value. */
  upperBound(value: unknown, isInclusive: boolean, reading?: Reading): ColumnValue {
    return { number: this.toNumber(value, { ...reading, roundUp: isInclusive }), exact: undefined }
  }

  /** Returns the formatter of doc values; `format` as in `docvalue_fields`. */
  printer(format?: string, zone?: TimeZone): PrintValue {
    this.refuseFormat(format, zone)
    return (value) => value
  }

  /** Formats a value of the source for `fields`; undefined to leave it out. */
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
