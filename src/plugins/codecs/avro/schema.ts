/** Avro schemas: JSON to a tree of types, names resolved. https://avro.apache.org/docs/1.11.1/specification/ */
import { type Fields, isFields, readField, type Value } from '../../../event/value.ts'

export type AvroType =
  | { readonly kind: 'null' | 'boolean' | 'float' | 'double' | 'string' }
  | { readonly kind: 'int' | 'long' | 'bytes'; readonly logical: string | undefined; readonly scale: number }
  | {
      readonly kind: 'fixed'
      readonly size: number
      readonly logical: string | undefined
      readonly scale: number
    }
  | { readonly kind: 'enum'; readonly symbols: readonly string[] }
  | { readonly kind: 'array' | 'map'; readonly items: AvroType }
  | { readonly kind: 'union'; readonly of: readonly AvroType[] }
  | { readonly kind: 'record'; readonly fields: readonly AvroField[] }

interface AvroField {
  readonly name: string
  readonly type: AvroType
  /** Undefined for none. */
  readonly usual: Value | undefined
}

const maxDepth = 100
const plain = new Set(['null', 'boolean', 'float', 'double', 'string'])
const sized = new Set(['int', 'long', 'bytes'])

export function avroSchema(json: Value): AvroType {
  return typeOf(json, '', new Map(), 0)
}

function typeOf(json: Value, space: string, named: Map<string, AvroType>, depth: number): AvroType {
  if (depth > maxDepth) throw new Error('The Avro schema is nested too deep')
  if (typeof json === 'string') {
    if (plain.has(json) || sized.has(json)) return primitive(json, {})
    const known = named.get(json.includes('.') || space === '' ? json : `${space}.${json}`) ?? named.get(json)
    if (known === undefined) throw new Error(`${JSON.stringify(json)} is not a schema we know about.`)
    return known
  }
  if (Array.isArray(json))
    return { kind: 'union', of: json.map((one) => typeOf(one, space, named, depth + 1)) }
  if (!isFields(json)) throw new Error('An Avro schema is a text, a list or a map')
  const { type } = json
  if (typeof type !== 'string') return typeOf(type ?? null, space, named, depth + 1)
  if (type === 'array' || type === 'map') {
    const items = json[type === 'array' ? 'items' : 'values'] ?? null
    return { kind: type, items: typeOf(items, space, named, depth + 1) }
  }
  if (type === 'record' || type === 'error') return record(json, space, named, depth)
  if (type === 'enum') {
    const symbols = Array.isArray(json['symbols']) ? json['symbols'].map(String) : []
    return keep(json, space, named, { kind: 'enum', symbols })
  }
  if (type === 'fixed') {
    const size = Number(json['size'])
    if (!Number.isInteger(size) || size < 0) throw new Error('A fixed type of Avro has a size')
    return keep(json, space, named, { kind: 'fixed', size, logical: logicalOf(json), scale: scaleOf(json) })
  }
  return plain.has(type) || sized.has(type) ? primitive(type, json) : typeOf(type, space, named, depth + 1)
}

function primitive(kind: string, json: Fields): AvroType {
  if (plain.has(kind)) return { kind } as AvroType
  return { kind, logical: logicalOf(json), scale: scaleOf(json) } as AvroType
}

function logicalOf(json: Fields): string | undefined {
  return typeof json['logicalType'] === 'string' ? json['logicalType'] : undefined
}

function scaleOf(json: Fields): number {
  return Math.min(1000, Math.max(0, Number(json['scale'] ?? 0)))
}

function nameOf(json: Fields, space: string): string {
  const name = String(json['name'] ?? '')
  if (name === '') throw new Error('A named type of Avro has a name')
  const own = typeof json['namespace'] === 'string' ? json['namespace'] : space
  return name.includes('.') || own === '' ? name : `${own}.${name}`
}

function keep(json: Fields, space: string, named: Map<string, AvroType>, type: AvroType): AvroType {
  named.set(nameOf(json, space), type)
  return type
}

/** Known by its name before its fields are read, which may be of its own type. */
function record(json: Fields, space: string, named: Map<string, AvroType>, depth: number): AvroType {
  const name = nameOf(json, space)
  const fields: AvroField[] = []
  const type: AvroType = { kind: 'record', fields }
  named.set(name, type)
  const inner = name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : ''
  const given = Array.isArray(json['fields']) ? json['fields'] : []
  for (const field of given) {
    if (!isFields(field)) throw new Error(`The fields of the Avro record ${name} are maps`)
    fields.push({
      name: String(field['name']),
      type: typeOf(field['type'] ?? null, inner, named, depth + 1),
      usual: readField(field, 'default'),
    })
  }
  return type
}
