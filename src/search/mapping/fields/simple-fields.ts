/** `boolean`, `ip`, `token_count`. */

import type { Analyzer } from '../../analysis/analyzer.ts'
import { TokenBuffer } from '../../analysis/token-buffer.ts'
import { illegalArgument, mapperParsing } from '../../request/errors.ts'
import { javaText } from '../../request/java-text.ts'
import { rethrowFault } from '../../request/refusal.ts'
import { SearchError } from '../../request/search-error.ts'
import type { FieldSpec } from '../../segment/document.ts'
import type { TimeZone } from '../../time/time-zone.ts'
import type { DocumentFields } from '../documents/document-fields.ts'
import type { FieldSetup } from '../field-setup.ts'
import { MappedField, type PrintValue } from '../mapped-field.ts'
import { formatIp, type IpRange, parseCidr, parseIp } from '../values/ip-address.ts'
import { tokenName } from '../values/number-kinds.ts'
import { columnSpec, NumberField } from './number-field.ts'
import { analyzersOf } from './text-field.ts'

export class BooleanField extends MappedField {
  override readonly family = 'boolean'
  override readonly spec = columnSpec

  constructor(setup: FieldSetup) {
    super(setup)
    this.nullValue = setup.value('null_value')
  }

  override add(value: unknown, into: DocumentFields): void {
    let number: number
    try {
      number = this.#read(value)
    } catch (error) {
      if (!this.ignoreMalformed || typeof value === 'object') throw error
      rethrowFault(error)
      into.ignore(this.name)
      return
    }
    if (this.isWritten) into.of(this.name, this.spec).addNumber(number)
    else if (this.isStored) into.of(this.name, this.spec)
  }

  #read(value: unknown): number {
    if (value === true || value === 'true') return 1
    if (value === false || value === 'false' || value === '') return 0
    if (typeof value === 'string') {
      throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`)
    }
    const reason = `Current token (${tokenName(value)}) not of boolean type`
    throw new SearchError('input_coercion_exception', reason)
  }

  override toNumber(value: unknown): number {
    if (value === true || value === 'true') return 1
    if (value === false || value === 'false') return 0
    throw illegalArgument(`Can't parse boolean value [${javaText(value)}], expected [true] or [false]`)
  }

  override lowerBound(value: unknown, isInclusive: boolean): { number: number; exact: undefined } {
    return { number: this.toNumber(value) + (isInclusive ? 0 : 1), exact: undefined }
  }

  override upperBound(value: unknown, isInclusive: boolean): { number: number; exact: undefined } {
    return { number: this.toNumber(value) - (isInclusive ? 0 : 1), exact: undefined }
  }

  override printer(format?: string, zone?: TimeZone): PrintValue {
    this.refuseFormat(format, zone)
    return (value) => Number(value) !== 0
  }

  override fromSource(value: unknown): unknown {
    const given = value ?? this.nullValue
    if (given === true || given === 'true') return true
    return given === false || given === 'false' || given === '' ? false : undefined
  }
}

export class IpField extends MappedField {
  override readonly family = 'ip'
  override readonly spec: FieldSpec

  constructor(setup: FieldSetup) {
    super(setup)
    this.spec = { index: this.isWritten ? 'docs' : null, norms: false, ordinals: this.hasDocValues }
    this.nullValue = setup.value('null_value')
    const given = this.nullValue
    if (given !== undefined && parseIp(javaText(given)) === undefined) {
      throw mapperParsing(
        `Error parsing [null_value] on field [${this.name}]: '${javaText(given)}' is not an IP string literal.`,
      )
    }
  }

  override add(value: unknown, into: DocumentFields): void {
    const text = typeof value === 'string' ? value : into.textOf(value, this.name)
    const hex = parseIp(text)
    if (hex === undefined) {
      if (!this.ignoreMalformed) throw notAnIp(text)
      into.ignore(this.name)
    } else if (this.isWritten) into.of(this.name, this.spec).addTerm(hex)
    else if (this.isStored) into.of(this.name, this.spec)
  }

  override toTerm(value: unknown): string {
    const text = javaText(value)
    const hex = parseIp(text)
    if (hex === undefined) throw notAnIp(text)
    return hex
  }

  /** Returns the first and last term of `10.0.0.0/8`; undefined for a single address. */
  toTermRange(value: unknown): IpRange | undefined {
    const text = javaText(value)
    if (!text.includes('/')) return undefined
    const range = parseCidr(text)
    if (range !== undefined) return range
    const address = text.slice(0, text.indexOf('/'))
    if (parseIp(address) === undefined) throw notAnIp(address)
    throw illegalArgument(`Expected [ip/prefix] but was [${text}]`)
  }

  override printer(format?: string, zone?: TimeZone): PrintValue {
    this.refuseFormat(format, zone)
    return (value) => formatIp(String(value))
  }

  override fromSource(value: unknown): unknown {
    const given = value ?? this.nullValue
    const hex = given === undefined || given === null ? undefined : parseIp(javaText(given))
    return hex === undefined ? undefined : formatIp(hex)
  }
}

export function notAnIp(text: string): SearchError {
  return illegalArgument(`'${text}' is not an IP string literal.`)
}

const buffer = new TokenBuffer()

/** `token_count`: the number of tokens of a text. */
export class TokenCountField extends NumberField {
  override readonly analyzer: Analyzer
  readonly #countsGaps: boolean

  constructor(setup: FieldSetup) {
    super(setup, 'integer')
    if (!setup.has('analyzer'))
      throw mapperParsing(`Analyzer must be set for field [${this.name}] but wasn't.`)
    this.analyzer = analyzersOf(setup).index
    this.#countsGaps = setup.flag('enable_position_increments', true)
  }

  override add(value: unknown, into: DocumentFields): void {
    const text = typeof value === 'string' ? value : into.textOf(value, this.name)
    this.put(this.#count(text), into)
  }

  #count(text: string): number {
    this.analyzer.analyze(text, buffer)
    return this.#countsGaps ? buffer.endPosition : buffer.fieldLength()
  }

  override fromSource(value: unknown): unknown {
    if (!this.hasDocValues || value === null || value === undefined) return undefined
    return this.#count(javaText(value))
  }
}
