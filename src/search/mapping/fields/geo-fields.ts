/** `geo_point`, and the types whose values are only in the source: `geo_shape`, vectors, … */

import {
  type GeoPoint,
  isCoordinates,
  isOnEarth,
  normalizePoint,
  parseGeoPoint,
} from '../../geo/geo-point.ts'
import { illegalArgument, parseError } from '../../request/errors.ts'
import { javaDouble } from '../../request/java-text.ts'
import { rethrowFault } from '../../request/refusal.ts'
import { SearchError } from '../../request/search-error.ts'
import type { TimeZone } from '../../time/time-zone.ts'
import type { DocumentFields } from '../documents/document-fields.ts'
import type { FieldSetup } from '../field-setup.ts'
import { MappedField, type PrintValue } from '../mapped-field.ts'
import { columnSpec } from './number-field.ts'

/** Quantises a coordinate like Lucene's GeoEncodingUtils: to the lower end of one of 2^32 steps. */
function stepOf(value: number, span: number): number {
  const width = span / 2 ** 32
  const last = 2 ** 31 - 1
  return Math.min(Math.floor(value / width), last) * width
}

export class GeoPointField extends MappedField {
  override readonly family = 'geo_point'
  override readonly spec = columnSpec
  override takesArrays = true
  readonly #ignoreZ: boolean

  constructor(setup: FieldSetup) {
    super(setup)
    this.#ignoreZ = setup.flag('ignore_z_value', true)
    this.nullValue = setup.value('null_value')
    if (this.nullValue !== undefined) this.#read(this.nullValue)
  }

  override parseFailure(): string {
    return `failed to parse field [${this.name}] of type [${this.type}]`
  }

  override add(value: unknown, into: DocumentFields): void {
    if (Array.isArray(value) && !isCoordinates(value)) {
      for (const item of value) {
        if (item !== null) this.add(item, into)
        else if (this.nullValue !== undefined) this.add(this.nullValue, into)
      }
      return
    }
    let point: GeoPoint
    try {
      point = this.#read(value)
    } catch (error) {
      if (!this.ignoreMalformed) throw error
      rethrowFault(error)
      into.ignore(this.name)
      return
    }
    if (this.isWritten) into.of(this.name, this.spec).addPoint(stepOf(point[0], 180), stepOf(point[1], 360))
    else if (this.isStored) into.of(this.name, this.spec)
  }

  #read(value: unknown): GeoPoint {
    const point = parseGeoPoint(value, this.#ignoreZ)
    if (isOnEarth(point)) return point
    if (this.ignoreMalformed) {
      const normal = normalizePoint(point)
      if (normal === undefined) {
        throw parseError('cannot normalize the point - not a number')
      }
      return normal
    }
    const [latitude, longitude] = point
    if (!(Math.abs(latitude) <= 90)) {
      throw illegalArgument(`illegal latitude value [${javaDouble(latitude)}] for ${this.name}`)
    }
    throw illegalArgument(`illegal longitude value [${javaDouble(longitude)}] for ${this.name}`)
  }

  override printer(format?: string, zone?: TimeZone): PrintValue {
    this.refuseFormat(format, zone)
    return (value) => {
      const [latitude, longitude] = value as GeoPoint
      return `${javaDouble(stepOf(latitude, 180))}, ${javaDouble(stepOf(longitude, 360))}`
    }
  }

  /** Returns GeoJSON. */
  override fromSource(value: unknown): unknown {
    const given = value ?? this.nullValue
    if (given === undefined || given === null) return undefined
    try {
      const [latitude, longitude] = this.#read(given)
      return { type: 'Point', coordinates: [longitude, latitude] }
    } catch (error) {
      // `ignore_malformed` let it into the source.
      if (error instanceof SearchError) return undefined
      throw error
    }
  }
}

/** A type of which only the existence of a value is indexed. */
export class OpaqueField extends MappedField {
  override readonly family = 'opaque'
  override readonly spec = columnSpec
  override takesArrays = true
  readonly #searchable: boolean

  constructor(setup: FieldSetup, searchable: boolean) {
    super(setup)
    this.#searchable = searchable
    this.nullValue = setup.value('null_value')
  }

  override get isSearchable(): boolean {
    return this.#searchable && this.isIndexed
  }

  override add(value: unknown, into: DocumentFields): void {
    if (this.type === 'dense_vector') this.#checkVector(value)
    const isKept = this.type === 'binary' ? this.hasDocValues || this.isStored : true
    // What only the source holds is not decoded.
    if (this.type === 'binary' && isKept) this.#checkBinary(value, into)
    if (isKept) into.of(this.name, this.spec)
  }

  #checkBinary(value: unknown, into: DocumentFields): void {
    for (const item of Array.isArray(value) ? value : [value]) {
      const text = typeof item === 'string' ? item : into.textOf(item, this.name)
      if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text)) {
        throw illegalArgument('Illegal base64 character')
      }
    }
  }

  #checkVector(value: unknown): void {
    const dims = this.definition.values.get('dims')
    if (!Array.isArray(value))
      throw illegalArgument(`Field [${this.name}] of type [dense_vector] takes an array of numbers`)
    if (typeof dims === 'number' && dims !== value.length) {
      const side = value.length > dims ? 'exceeded' : 'has number of dimensions'
      throw illegalArgument(
        side === 'exceeded'
          ? `Field [${this.name}] of type [dense_vector] has exceeded the number of dimensions [${dims}] defined in mapping`
          : `Field [${this.name}] of type [dense_vector] has number of dimensions [${value.length}] less than defined in the mapping [${dims}]`,
      )
    }
  }

  override fromSource(value: unknown): unknown {
    return value ?? undefined
  }
}
