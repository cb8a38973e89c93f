/** `doc['field']` of scripts: the doc values of the current document. */

import { arcDistance, planeDistance } from '../../geo/geo-distance.ts'
import { NumberField, ScaledFloatField } from '../../mapping/fields/number-field.ts'
import type { MappedField } from '../../mapping/mapped-field.ts'
import { formatIp } from '../../mapping/values/ip-address.ts'
import type { LeafReader, Segment } from '../../segment/segment.ts'
import { columnValues } from '../../source/column-values.ts'
import { failing } from '../exceptions.ts'
import { callMethod } from '../methods.ts'
import { ScriptDate } from '../script-dates.ts'
import { ScriptFailure, ScriptObject, type ScriptValue, textOf, toDouble } from '../values.ts'

/** The current document; it changes from call to call. */
export interface Current {
  doc: number
}

export interface FieldLookup {
  readonly index: string
  field(path: string): MappedField | undefined
}

type ColumnItem = ReturnType<typeof columnValues>[number]

/** Metadata fields that every document has. */
const hidden = new Map<string, (segment: Segment, doc: number, index: string) => ScriptValue>([
  ['_id', (segment, doc) => segment.id(doc)],
  ['_index', (_segment, _doc, index) => index],
  ['_seq_no', (segment, doc) => BigInt(segment.seqNos[doc]!)],
  ['_version', (segment, doc) => BigInt(segment.versions[doc]!)],
])

/** Converts a stored value to a script value. */
function converter(field: MappedField): (item: ColumnItem) => ScriptValue {
  switch (field.family) {
    case 'boolean':
      return (item) => item !== 0
    case 'date':
      return (item) => (typeof item === 'bigint' ? ScriptDate.ofNanos(item) : new ScriptDate(Number(item)))
    case 'ip':
      return (item) => formatIp(String(item))
    case 'geo_point':
      return (item) => new GeoPointValue(...(item as readonly [number, number]))
    case 'number':
      if (field instanceof ScaledFloatField) return (item) => field.unscale(Number(item))
      if (field instanceof NumberField && field.number.isInteger) return (item) => BigInt(item as number)
      return (item) => Number(item)
    default:
      return (item) => String(item)
  }
}

/** Where OpenSearch 3.8 refuses a field. */
const lookupFrames = [89, 55].map(
  (line) => `org.opensearch.search.lookup.LeafDocLookup.get(LeafDocLookup.java:${line})`,
)

/** `doc` */
export class DocFields extends ScriptObject {
  readonly javaName = 'org.opensearch.search.lookup.LeafDocLookup'
  readonly #lookup: FieldLookup
  readonly #leaf: LeafReader
  readonly #current: Current
  readonly #known = new Map<string, FieldValues>()

  constructor(lookup: FieldLookup, leaf: LeafReader, current: Current) {
    super()
    this.#lookup = lookup
    this.#leaf = leaf
    this.#current = current
  }

  override at(key: ScriptValue): ScriptValue {
    const name = textOf(key)
    let values = this.#known.get(name)
    if (values === undefined) {
      values = this.#values(name)
      this.#known.set(name, values)
    }
    return values
  }

  override member(name: string): ScriptValue {
    return this.at(name)
  }

  override call(name: string, [key]: readonly ScriptValue[]): ScriptValue | undefined {
    if (name === 'get' && key !== undefined) return this.at(key)
    if (name !== 'containsKey' || key === undefined) return undefined
    const path = textOf(key)
    return hidden.has(path) || this.#lookup.field(path) !== undefined
  }

  #values(name: string): FieldValues {
    const { segment } = this.#leaf
    const special = hidden.get(name)
    if (special !== undefined)
      return new FieldValues(this.#current, (doc) => [special(segment, doc, this.#lookup.index)])
    const field = this.#lookup.field(name)
    if (field === undefined)
      throw new ScriptFailure(
        'illegal_argument_exception',
        `No field found for [${name}] in mapping`,
        lookupFrames,
      )
    failing(() => field.requireColumn())
    const convert = converter(field)
    return new FieldValues(this.#current, (doc) => columnValues(segment, field, doc).map(convert))
  }
}

/** `doc['field']` */
export class FieldValues extends ScriptObject {
  readonly javaName = 'org.opensearch.index.fielddata.ScriptDocValues'
  readonly #current: Current
  readonly #read: (doc: number) => ScriptValue[]
  #doc = -1
  #values: ScriptValue[] = []

  constructor(current: Current, read: (doc: number) => ScriptValue[]) {
    super()
    this.#current = current
    this.#read = read
  }

  override items(): ScriptValue[] {
    const { doc } = this.#current
    if (doc !== this.#doc) {
      this.#values = this.#read(doc)
      this.#doc = doc
    }
    return this.#values
  }

  #first(): ScriptValue {
    const [first] = this.items()
    if (first === undefined)
      throw new ScriptFailure(
        'illegal_state_exception',
        "A document doesn't have a value for a field! Use doc[<field>].size()==0 to check if a document is missing a field!",
      )
    return first
  }

  override member(name: string): ScriptValue | undefined {
    switch (name) {
      case 'value':
        return this.#first()
      case 'values':
        return [...this.items()]
      case 'empty':
        return this.items().length === 0
      case 'length':
        return BigInt(this.items().length)
      case 'lat':
      case 'lon':
        return this.#point().member(name)
      case 'lats':
      case 'lons':
        return this.items().map((item) => (item as GeoPointValue).member(name.slice(0, 3))!)
      default:
        return undefined
    }
  }

  override call(name: string, values: readonly ScriptValue[]): ScriptValue | undefined {
    if (name === 'getValue') return this.#first()
    if (name === 'getLat' || name === 'getLon') return this.member(name.slice(3).toLowerCase())
    if (name.includes('Distance')) return this.#distance(name, values)
    // All other methods are those of a list.
    return callMethod(this.items(), name, values)
  }

  override at(key: ScriptValue): ScriptValue | undefined {
    return callMethod(this.items(), 'get', [key])
  }

  #point(): GeoPointValue {
    const first = this.#first()
    if (first instanceof GeoPointValue) return first
    throw new ScriptFailure('class_cast_exception', 'the field is no [geo_point]')
  }

  /** `arcDistance(lat, lon)`, and the variant with a default for documents without a point. */
  #distance(name: string, values: readonly ScriptValue[]): ScriptValue | undefined {
    const measure = name.startsWith('arcDistance')
      ? arcDistance
      : name.startsWith('planeDistance')
        ? planeDistance
        : undefined
    if (measure === undefined || values.length < 2) return undefined
    const [latitude = 0, longitude = 0, otherwise] = values.map((value) => toDouble(value, name))
    if (otherwise !== undefined && this.items().length === 0) return otherwise
    const point = this.#point()
    return measure(point.latitude, point.longitude, latitude, longitude)
  }
}

export class GeoPointValue extends ScriptObject {
  readonly javaName = 'org.opensearch.common.geo.GeoPoint'
  readonly latitude: number
  readonly longitude: number

  constructor(latitude: number, longitude: number) {
    super()
    this.latitude = latitude
    this.longitude = longitude
  }

  override member(name: string): ScriptValue | undefined {
    return name === 'lat' ? this.latitude : name === 'lon' ? this.longitude : undefined
  }

  override call(name: string): ScriptValue | undefined {
    if (name === 'toString') return `${this.latitude}, ${this.longitude}`
    return name === 'getLat' || name === 'getLon' ? this.member(name.slice(3).toLowerCase()) : undefined
  }

  override json(): unknown {
    return { lat: this.latitude, lon: this.longitude }
  }
}
