/**
 * Range types of numbers, dates and IP addresses, stored as doubles with both ends inclusive. IPv4 addresses fit a
 * double exactly, IPv6 addresses to 53 bits.
 */

import { asSearchError, illegalArgument, mapperParsing } from '../../request/errors.ts'
import { javaText } from '../../request/java-text.ts'
import { isObject } from '../../request/json-object.ts'
import { compileDateFormat, type DateFormat, defaultDateFormat } from '../../time/date-format.ts'
import { parseDateMath } from '../../time/date-math.ts'
import type { DocumentFields } from '../documents/document-fields.ts'
import type { FieldSetup } from '../field-setup.ts'
import { type ColumnRange, type ColumnValue, MappedField, type Reading } from '../mapped-field.ts'
import { ipNumber, parseCidr, parseIp } from '../values/ip-address.ts'
import { type NumberKind, numberKinds } from '../values/number-kinds.ts'
import { dateRefusal, fieldDateFormat } from './date-field.ts'
import { columnSpec } from './number-field.ts'
import { notAnIp } from './simple-fields.ts'

const maxDouble = Number.MAX_VALUE

export class RangeField extends MappedField {
  override readonly family = 'range'
  override readonly spec = columnSpec
  readonly format: DateFormat | undefined
  readonly #number: NumberKind | undefined
  readonly #lowest: number
  readonly #highest: number

  constructor(setup: FieldSetup) {
    super(setup)
    const kind = setup.definition.type.replace(/_range$/, '')
    this.#number = numberKinds.get(kind)
    this.format =
      kind === 'date' ? fieldDateFormat(setup.text('format') ?? defaultDateFormat, this.name) : undefined
    if (this.#number?.isInteger === true) {
      this.#lowest = Number(this.#number.min)
      this.#highest = Number(this.#number.max)
    } else if (this.#number !== undefined) {
      this.#lowest = -maxDouble
      this.#highest = maxDouble
    } else {
      this.#lowest = kind === 'date' ? Number(-(2n ** 63n)) : 0
      this.#highest = kind === 'date' ? Number(2n ** 63n) : Number(2n ** 128n - 1n)
    }
  }

  override add(value: unknown, into: DocumentFields): void {
    const [from, to] = this.#read(value)
    if (this.isWritten) into.of(this.name, this.spec).addRange(from, to)
    else if (this.isStored) into.of(this.name, this.spec)
  }

  #read(value: unknown): readonly [number, number] {
    if (this.type === 'ip_range' && typeof value === 'string') {
      const range = parseCidr(value)
      if (range !== undefined) return [Number(ipNumber(range.from)), Number(ipNumber(range.to))]
      throw illegalArgument(`Expected [ip/prefix] but was [${value}]`)
    }
    if (!isObject(value)) {
      const name = this.name.slice(this.name.lastIndexOf('.') + 1)
      throw mapperParsing(`error parsing field [${this.name}], expected an object but got ${name}`)
    }
    let from = this.#lowest
    let to = this.#highest
    for (const [name, bound] of Object.entries(value)) {
      if (
        name !== 'gt' &&
        name !== 'gte' &&
        name !== 'lt' &&
        name !== 'lte' &&
        name !== 'from' &&
        name !== 'to'
      ) {
        throw mapperParsing(`error parsing field [${this.name}], with unknown parameter [${name}]`)
      }
      if (bound === null) continue
      const number = this.#document(bound)
      if (name === 'gte' || name === 'from') from = number
      else if (name === 'gt') from = this.#step(number, 1)
      else if (name === 'lte' || name === 'to') to = number
      else to = this.#step(number, -1)
    }
    if (from > to) throw illegalArgument(`min value (${from}) is greater than max value (${to})`)
    return [from, to]
  }

  #document(value: unknown): number {
    if (this.#number !== undefined) return Number(this.#number.fromJson(value, this.coerce))
    if (this.format === undefined) return this.#address(value)
    try {
      return this.format.parse(javaText(value))
    } catch (error) {
      throw dateRefusal(error, this.format)
    }
  }

  #address(value: unknown): number {
    const hex = parseIp(javaText(value))
    if (hex === undefined) throw notAnIp(javaText(value))
    return Number(ipNumber(hex))
  }

  #step(value: number, direction: 1 | -1): number {
    if (this.#number !== undefined)
      return direction === 1 ? this.#number.next(value) : this.#number.previous(value)
    return value + direction
  }

  override toNumber(value: unknown, reading: Reading = {}): number {
    if (this.#number !== undefined) return this.#number.round(Number(this.#number.fromRequest(value)))
    if (this.format === undefined) return this.#address(value)
    const { roundUp = false, zone, now = Date.now(), format } = reading
    try {
      const used = format === undefined ? this.format : compileDateFormat(format)
      return parseDateMath(javaText(value), { format: used, now, roundUp, zone })
    } catch (error) {
      throw asSearchError(error)
    }
  }

  override termRange(value: unknown, reading: Reading = {}): ColumnRange {
    if (this.type === 'ip_range') {
      const range = parseCidr(javaText(value))
      if (range !== undefined) {
        return {
          from: { number: Number(ipNumber(range.from)), exact: undefined },
          to: { number: Number(ipNumber(range.to)), exact: undefined },
        }
      }
    }
    return { from: this.lowerBound(value, true, reading), to: this.upperBound(value, true, reading) }
  }

  override lowerBound(value: unknown, isInclusive: boolean, reading: Reading = {}): ColumnValue {
    const number = this.toNumber(value, { ...reading, roundUp: !isInclusive })
    return { number: isInclusive ? number : this.#step(number, 1), exact: undefined }
  }

  override upperBound(value: unknown, isInclusive: boolean, reading: Reading = {}): ColumnValue {
    const number = this.toNumber(value, { ...reading, roundUp: isInclusive })
    return { number: isInclusive ? number : this.#step(number, -1), exact: undefined }
  }

  override fromSource(value: unknown): unknown {
    if (!isObject(value)) return value ?? undefined
    if (this.format === undefined) return value
    const shown: Record<string, unknown> = {}
    for (const [name, bound] of Object.entries(value)) {
      const text = javaText(bound)
      shown[name] = bound === null ? null : this.format.format(this.format.parse(text))
    }
    return shown
  }
}
