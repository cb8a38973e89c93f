/** The numeric types, and `scaled_float`, which stores an integer multiple of its factor. */

import { decimalFormat } from '../../answer/decimal-format.ts'
import { asSearchError, illegalArgument } from '../../request/errors.ts'
import { shortestFloat } from '../../request/float-text.ts'
import { javaDouble, javaText } from '../../request/java-text.ts'
import { rethrowFault } from '../../request/refusal.ts'
import { SearchError } from '../../request/search-error.ts'
import type { FieldSpec } from '../../segment/document.ts'
import type { TimeZone } from '../../time/time-zone.ts'
import type { DocumentFields } from '../documents/document-fields.ts'
import type { FieldSetup } from '../field-setup.ts'
import { type ColumnRange, type ColumnValue, MappedField, type PrintValue } from '../mapped-field.ts'
import { nextDown, nextUp } from '../values/next-float.ts'
import { type Exact, type NumberKind, numberKinds } from '../values/number-kinds.ts'

export const columnSpec: FieldSpec = { index: null, norms: false, ordinals: false }

const searchedAs = new Map([
  ['byte', 'integer'],
  ['short', 'integer'],
])

function isBetween(number: number, min: bigint, max: bigint): boolean {
  return number >= Number(min) && number <= Number(max)
}

export class NumberField extends MappedField {
  override readonly family = 'number'
  override readonly spec = columnSpec
  override readonly isExact: boolean
  readonly number: NumberKind

  constructor(setup: FieldSetup, kind = setup.definition.type) {
    super(setup)
    this.number = numberKinds.get(kind)!
    this.isExact = kind === 'long' || kind === 'unsigned_long'
    const given = setup.value('null_value')
    if (given !== undefined) this.nullValue = this.#nullValue(given)
  }

  /** Whether exact values are unsigned 64-bit integers. */
  get isUnsigned(): boolean {
    return this.number.name === 'unsigned_long'
  }

  /** The kind of the numbers of a request. */
  get #searched(): NumberKind {
    return numberKinds.get(searchedAs.get(this.number.name) ?? this.number.name)!
  }

  #nullValue(given: unknown): unknown {
    try {
      this.number.fromJson(given, true)
      return given
    } catch (error) {
      throw asSearchError(error)
    }
  }

  override add(value: unknown, into: DocumentFields): void {
    if (value === '' && this.coerce) {
      if (this.nullValue !== undefined) this.add(this.nullValue, into)
      return
    }
    // Beyond 2^53 only the spelling identifies the number.
    if (this.isExact && typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      into.reading.requireSpelling()
    }
    let number: Exact
    try {
      number = this.number.fromJson(value, this.coerce)
    } catch (error) {
      if (!this.ignoreMalformed || typeof value === 'object') throw error
      rethrowFault(error)
      into.ignore(this.name)
      return
    }
    this.put(number, into)
  }

  protected put(value: Exact, into: DocumentFields): void {
    if (this.isWritten) {
      const field = into.of(this.name, this.spec)
      if (typeof value === 'bigint') field.addExact(Number(value), value)
      else field.addNumber(value)
    } else if (this.isStored) into.of(this.name, this.spec)
  }

  override toNumber(value: unknown): number {
    return this.number.round(Number(this.number.fromRequest(value)))
  }

  /** Throws for a number of a request that the type cannot hold. Bytes and shorts are searched as integers. */
  requireInRange(value: unknown): void {
    const number = this.number.fromRequest(value)
    if (!this.number.isInteger) {
      this.number.fromJson(value, true)
      return
    }
    const searched = this.#searched
    const { min, max } = searched
    const isInside = typeof number === 'bigint' ? number >= min && number <= max : isBetween(number, min, max)
    if (isInside || (typeof number === 'number' && !Number.isInteger(number))) return
    // OpenSearch reads the text of an unsigned long as bytes.
    const isBytes = this.isUnsigned && typeof value === 'string'
    const text = isBytes
      ? `[${Buffer.from(value)
          .toString('hex')
          .replace(/..(?=.)/g, '$& ')}]`
      : javaText(value)
    const shown = typeof value !== 'string' && /[eE.]/.test(text) ? javaDouble(Number(text)) : text
    throw illegalArgument(`Value [${shown}] is out of range for ${searched.article}`)
  }

  override termRange(value: unknown): ColumnRange | undefined {
    const number = this.number.fromRequest(value)
    if (this.number.isInteger) {
      if (typeof number === 'number' && !Number.isInteger(number)) return undefined
      const exact = BigInt(number)
      if (exact < this.#searched.min || exact > this.#searched.max) return undefined
      const at = { number: Number(number), exact }
      return { from: at, to: at }
    }
    const at = { number: this.number.round(Number(number)), exact: undefined }
    return { from: at, to: at }
  }

  override lowerBound(value: unknown, isInclusive: boolean): ColumnValue {
    const number = this.number.fromRequest(value)
    if (this.number.isInteger) {
      if (typeof number === 'number' && !Number.isFinite(number)) return { number, exact: undefined }
      const isWhole = typeof number === 'bigint' || Number.isInteger(number)
      const bound = isWhole ? BigInt(number) + (isInclusive ? 0n : 1n) : BigInt(Math.ceil(number as number))
      return this.#bound(bound)
    }
    return { number: this.#floatBound(Number(number), isInclusive, true), exact: undefined }
  }

  override upperBound(value: unknown, isInclusive: boolean): ColumnValue {
    const number = this.number.fromRequest(value)
    if (this.number.isInteger) {
      if (typeof number === 'number' && !Number.isFinite(number)) return { number, exact: undefined }
      const isWhole = typeof number === 'bigint' || Number.isInteger(number)
      const bound = isWhole ? BigInt(number) - (isInclusive ? 0n : 1n) : BigInt(Math.floor(number as number))
      return this.#bound(bound)
    }
    return { number: this.#floatBound(Number(number), isInclusive, false), exact: undefined }
  }

  /** A bound beyond the type's range is infinite, so that nothing or everything matches. */
  #bound(value: bigint): ColumnValue {
    if (value > this.#searched.max) return { number: Infinity, exact: undefined }
    if (value < this.#searched.min) return { number: -Infinity, exact: undefined }
    return { number: Number(value), exact: value }
  }

  #floatBound(value: number, isInclusive: boolean, isLower: boolean): number {
    const rounded = this.number.round(value)
    if (this.number.name === 'half_float' && rounded !== Math.fround(value)) {
      const isInside = isLower ? rounded > value : rounded < value
      if (isInside) return rounded
      return isLower ? this.number.next(rounded) : this.number.previous(rounded)
    }
    if (isInclusive) return rounded
    return isLower ? this.number.next(rounded) : this.number.previous(rounded)
  }

  override printer(format?: string, zone?: TimeZone): PrintValue {
    if (zone !== undefined) this.refuseFormat(undefined, zone)
    // OpenSearch writes unsigned numbers without the format.
    if (format === undefined || format === 'use_field_mapping' || this.isUnsigned) {
      return this.isUnsigned
        ? (value) => (typeof value === 'bigint' ? BigInt.asUintN(64, value) : value)
        : (value) => value
    }
    const write = decimalFormat(format)
    return (value) => write(typeof value === 'bigint' ? value : Number(value))
  }

  override fromSource(value: unknown): unknown {
    const given = value ?? this.nullValue
    if (given === undefined || given === null || given === '') return undefined
    try {
      const number = this.number.fromJson(given, this.coerce)
      // A 32-bit float is shown with as many digits as tell it from its neighbours.
      return this.number.isFloat ? shortestFloat(Number(number)) : number
    } catch (error) {
      // `ignore_malformed` let it into the source.
      if (error instanceof SearchError) return undefined
      throw error
    }
  }
}

/** Doc values hold round(value · factor). */
export class ScaledFloatField extends NumberField {
  readonly scalingFactor: number

  constructor(setup: FieldSetup) {
    super(setup, 'double')
    const factor = setup.value('scaling_factor') as number | undefined
    if (factor === undefined) throw illegalArgument('Field [scaling_factor] is required')
    if (!(factor > 0)) {
      throw illegalArgument(`[scaling_factor] must be a positive number, got [${javaDouble(factor)}]`)
    }
    this.scalingFactor = factor
  }

  protected override put(value: Exact, into: DocumentFields): void {
    super.put(javaRound(Number(value) * this.scalingFactor), into)
  }

  override toNumber(value: unknown): number {
    return javaRound(Number(this.number.fromRequest(value)) * this.scalingFactor)
  }

  override termRange(value: unknown): ColumnRange | undefined {
    const at = { number: this.toNumber(value), exact: undefined }
    return { from: at, to: at }
  }

  override lowerBound(value: unknown, isInclusive: boolean): ColumnValue {
    const number = Number(this.number.fromRequest(value))
    return {
      number: Math.ceil((isInclusive ? number : nextUp(number)) * this.scalingFactor),
      exact: undefined,
    }
  }

  override upperBound(value: unknown, isInclusive: boolean): ColumnValue {
    const number = Number(this.number.fromRequest(value))
    return {
      number: Math.floor((isInclusive ? number : nextDown(number)) * this.scalingFactor),
      exact: undefined,
    }
  }

  /** Converts a doc value to the number it stands for, with the rounding of a product: 83 is 0.8300000000000001. */
  unscale(value: number): number {
    return value * (1 / this.scalingFactor)
  }

  override printer(format?: string, zone?: TimeZone): PrintValue {
    const print = super.printer(format, zone)
    return (value) => print(this.unscale(Number(value)))
  }

  override fromSource(value: unknown): unknown {
    const number = super.fromSource(value)
    return number === undefined
      ? undefined
      : javaRound(Number(number) * this.scalingFactor) / this.scalingFactor
  }
}

function javaRound(value: number): number {
  return Math.floor(value + 0.5) || 0
}
