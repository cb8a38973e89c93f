/**
 * Messages of a type to values and back. Fields nobody declared are passed over when reading and refused when
 * writing. Version 3 reads enums by name and absent fields as their defaults, version 2 gives what is there.
 */
import { utf8Text } from '../../../event/utf8-text.ts'
import {
  type Fields,
  float,
  integer,
  isFields,
  LsFloat,
  putField,
  readField,
  type Value,
} from '../../../event/value.ts'
import { writeVarint } from '../../decoding/varint.ts'
import { isScalar } from './proto-file.ts'
import type { FieldDeclaration, MessageType, NamedType, ScalarType, SchemaSet } from './schema.ts'
import { readVarint, readWire, type WireField, writeKey } from './wire.ts'

const maxDepth = 100

interface MessageSettings {
  readonly set: SchemaSet
  readonly version: number
  /** Told which field of a `oneof` was there. */
  readonly chosen?: (oneof: string, field: string) => void
  readonly converts: boolean
}

const kinds: Readonly<Record<ScalarType, number>> = {
  double: 1,
  float: 5,
  int32: 0,
  int64: 0,
  uint32: 0,
  uint64: 0,
  sint32: 0,
  sint64: 0,
  fixed32: 5,
  fixed64: 1,
  sfixed32: 5,
  sfixed64: 1,
  bool: 0,
  string: 2,
  bytes: 2,
}

// --------------------------------------------------------------------------------------------- reading

export function readMessage(data: Buffer, type: MessageType, settings: MessageSettings, depth = 0): Fields {
  if (depth > maxDepth) throw new Error('messages are nested too deep')
  const { set, version } = settings
  const known = new Map(type.fields.map((field) => [field.number, field]))
  const result: Fields = {}
  if (version === 3) for (const field of type.fields) putDefault(result, field, type, set)
  for (const part of readWire(data)) {
    const field = known.get(part.number)
    if (field === undefined) continue
    if (field.mapKey !== undefined) {
      const [key, value] = readEntry(part.bytes, field, type, settings, depth)
      const map = readField(result, field.name)
      if (isFields(map)) putField(map, String(key), value)
      else putField(result, field.name, oneEntry(String(key), value))
      continue
    }
    const values = valuesOf(part, field.type, type.name, settings, depth)
    if (field.isRepeated) {
      const list = readField(result, field.name)
      if (Array.isArray(list)) list.push(...values)
      else putField(result, field.name, values)
      continue
    }
    const last = values.at(-1)
    if (last === undefined) continue
    putField(result, field.name, last)
    if (field.oneof !== undefined && depth === 0) settings.chosen?.(field.oneof, field.name)
  }
  return result
}

function oneEntry(name: string, value: Value): Fields {
  const map: Fields = {}
  putField(map, name, value)
  return map
}

function putDefault(result: Fields, field: FieldDeclaration, { name }: MessageType, set: SchemaSet): void {
  if (field.mapKey !== undefined) putField(result, field.name, {})
  else if (field.isRepeated) putField(result, field.name, [])
  else if (field.hasPresence) return
  else if (isScalar(field.type)) putField(result, field.name, defaultOf(field.type))
  else {
    const found = set.resolve(field.type, name)
    if (found?.kind === 'enum') putField(result, field.name, found.values.get(0) ?? 0)
  }
}

function defaultOf(type: ScalarType): Value {
  if (type === 'string' || type === 'bytes') return ''
  if (type === 'bool') return false
  return type === 'double' || type === 'float' ? float(0) : 0
}

function typeNamed(name: string, scope: string, set: SchemaSet): NamedType {
  const found = set.resolve(name, scope)
  if (found === undefined) throw new Error(`the type ${name} is not defined`)
  return found
}

/** One value, or those of a packed list. */
function valuesOf(
  part: WireField,
  type: string,
  scope: string,
  settings: MessageSettings,
  depth: number,
): Value[] {
  if (isScalar(type)) return scalars(part, type)
  const found = typeNamed(type, scope, settings.set)
  if (found.kind === 'message') {
    if (part.kind !== 2) throw new Error('a message is not of the right wire type')
    return [readMessage(part.bytes, found, settings, depth + 1)]
  }
  return scalars(part, 'int32').map((code) =>
    settings.version === 3 ? (found.values.get(Number(code)) ?? code) : code,
  )
}

function scalars(part: WireField, type: ScalarType): Value[] {
  const wanted = kinds[type]
  if (part.kind === wanted) return [scalar(type, part.value, part.bytes)]
  if (part.kind !== 2) throw new Error('a field is not of the right wire type')
  const { bytes } = part
  const values: Value[] = []
  const size = wanted === 1 ? 8 : 4
  for (let at = 0; at < bytes.length; ) {
    if (wanted === 0) {
      const [value, end] = readVarint(bytes, at)
      values.push(scalar(type, value, bytes))
      at = end
    } else {
      if (at + size > bytes.length) throw new Error('the message ends too early')
      values.push(scalar(type, 0n, bytes.subarray(at, at + size)))
      at += size
    }
  }
  return values
}

function scalar(type: ScalarType, value: bigint, bytes: Buffer): Value {
  switch (type) {
    case 'double':
      return float(bytes.readDoubleLE(0))
    case 'float':
      return float(bytes.readFloatLE(0))
    case 'int32':
      return Number(BigInt.asIntN(32, value))
    case 'int64':
      return integer(BigInt.asIntN(64, value))
    case 'uint32':
      return Number(BigInt.asUintN(32, value))
    case 'uint64':
      return integer(value)
    case 'sint32':
    case 'sint64':
      return integer((value >> 1n) ^ -(value & 1n))
    case 'fixed32':
      return bytes.readUInt32LE(0)
    case 'fixed64':
      return integer(bytes.readBigUInt64LE(0))
    case 'sfixed32':
      return bytes.readInt32LE(0)
    case 'sfixed64':
      return integer(bytes.readBigInt64LE(0))
    case 'bool':
      return value !== 0n
    default:
      return utf8Text(bytes)
  }
}

function readEntry(
  bytes: Buffer,
  { mapKey, type }: FieldDeclaration,
  { name }: MessageType,
  settings: MessageSettings,
  depth: number,
): [Value, Value] {
  let key: Value = defaultOf(mapKey!)
  let value: Value = isScalar(type) ? defaultOf(type) : null
  for (const part of readWire(bytes)) {
    if (part.number === 1) key = scalars(part, mapKey!).at(-1) ?? key
    else if (part.number === 2) value = valuesOf(part, type, name, settings, depth + 1).at(-1) ?? value
  }
  return [key, value]
}

// --------------------------------------------------------------------------------------------- writing

export function writeMessage(value: Fields, type: MessageType, settings: MessageSettings, depth = 0): Buffer {
  if (depth > maxDepth) throw new RangeError('the value is nested too deep')
  const known = new Map(type.fields.map((field) => [field.name, field]))
  const parts: [number: number, bytes: Buffer][] = []
  for (const name of Object.keys(value)) {
    const own = readField(value, name)
    if (own === undefined || own === null) continue
    const field = known.get(name.replace(/^@/, ''))
    if (field === undefined) throw new Error(`the field ${name} is not in the definition of ${type.name}`)
    parts.push([field.number, writeField(own, field, type, settings, depth)])
  }
  return Buffer.concat(parts.sort(([a], [b]) => a - b).map(([, bytes]) => bytes))
}

function writeField(
  value: Value,
  field: FieldDeclaration,
  { name }: MessageType,
  settings: MessageSettings,
  depth: number,
): Buffer {
  const one = (item: Value) =>
    writeValue(item, field.type, field.number, `${name}.${field.name}`, settings, name, depth)
  if (field.mapKey !== undefined) {
    if (!isFields(value)) throw new TypeError(`${name}.${field.name} is not a map`)
    return Buffer.concat(
      Object.keys(value).map((key) => {
        const head = writeValue(key, field.mapKey!, 1, 'a key', { ...settings, converts: true }, name, depth)
        const item = writeValue(
          readField(value, key) ?? null,
          field.type,
          2,
          `${name}.${field.name}`,
          settings,
          name,
          depth,
        )
        const entry = Buffer.concat([head, item])
        return Buffer.concat([writeKey(field.number, 2), writeVarint(BigInt(entry.length)), entry])
      }),
    )
  }
  if (!field.isRepeated) return one(value)
  return Buffer.concat((Array.isArray(value) ? value : [value]).map(one))
}

function writeValue(
  value: Value,
  type: string,
  number: number,
  place: string,
  settings: MessageSettings,
  scope: string,
  depth: number,
): Buffer {
  if (isScalar(type)) {
    const bytes = scalarBytes(value, type, place, settings.converts)
    const length = kinds[type] === 2 ? writeVarint(BigInt(bytes.length)) : Buffer.alloc(0)
    return Buffer.concat([writeKey(number, kinds[type]), length, bytes])
  }
  const found = typeNamed(type, scope, settings.set)
  if (found.kind === 'enum') {
    const code =
      typeof value === 'string' ? [...found.values].find(([, name]) => name === value)?.[0] : Number(value)
    if (code === undefined || !Number.isInteger(code))
      throw new TypeError(`${place} is no value of ${found.name}`)
    return Buffer.concat([writeKey(number, 0), writeVarint(BigInt(code))])
  }
  if (!isFields(value)) throw new TypeError(`${place} is not a message`)
  const bytes = writeMessage(value, found, settings, depth + 1)
  return Buffer.concat([writeKey(number, 2), writeVarint(BigInt(bytes.length)), bytes])
}

function scalarBytes(value: Value, type: ScalarType, place: string, converts: boolean): Buffer {
  const wrong = () => new TypeError(`${place} is not of the type ${type}`)
  if (type === 'string' || type === 'bytes') {
    if (typeof value !== 'string' && (!converts || (typeof value === 'object' && isFields(value))))
      throw wrong()
    return Buffer.from(String(value))
  }
  if (type === 'bool') {
    const is =
      typeof value === 'boolean'
        ? value
        : converts && /^(true|false)$/.test(String(value))
          ? value === 'true'
          : undefined
    if (is === undefined) throw wrong()
    return Buffer.from([is ? 1 : 0])
  }
  const isNumber = typeof value === 'number' || typeof value === 'bigint' || value instanceof LsFloat
  const isText = converts && typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value))
  if (!isNumber && !isText) throw wrong()
  if (type === 'double' || type === 'float') {
    const bytes = Buffer.alloc(type === 'double' ? 8 : 4)
    if (type === 'double') bytes.writeDoubleLE(Number(value))
    else bytes.writeFloatLE(Number(value))
    return bytes
  }
  const plain = value instanceof LsFloat ? value.value : value
  if (!/^[+-]?\d+$/.test(String(plain))) throw wrong()
  const whole = BigInt(plain as number)
  const bits = type.includes('64') ? 64 : 32
  const isSigned = !type.startsWith('u') && type !== 'fixed32' && type !== 'fixed64'
  if ((isSigned ? BigInt.asIntN(bits, whole) : BigInt.asUintN(bits, whole)) !== whole) throw wrong()
  if (type.startsWith('sint')) return writeVarint((whole << 1n) ^ (whole >> BigInt(bits - 1)))
  if (!type.includes('fixed')) return writeVarint(whole)
  const bytes = Buffer.alloc(bits / 8)
  if (bits === 64) bytes.writeBigUInt64LE(BigInt.asUintN(64, whole))
  else bytes.writeUInt32LE(Number(BigInt.asUintN(32, whole)))
  return bytes
}
