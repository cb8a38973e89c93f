/** Values to Avro's binary encoding; a value that does not fit its type is an error that names the field. */
import { Timestamp } from '../../../event/timestamp.ts'
import { isFields, LsFloat, readField, type Value } from '../../../event/value.ts'
import { writeVarint } from '../../decoding/varint.ts'
import type { AvroType } from './schema.ts'

const maxDepth = 200

class AvroTypeError extends Error {
  override readonly name = 'AvroTypeError'
}

export function writeAvro(value: Value, type: AvroType): Buffer {
  const parts: Buffer[] = []
  write(value, type, parts, 'the event', 0)
  return Buffer.concat(parts)
}

function write(value: Value, type: AvroType, parts: Buffer[], place: string, depth: number): void {
  if (depth > maxDepth) throw new RangeError('the value is nested too deep')
  if (!fits(value, type)) throw new AvroTypeError(`${place} is not of the type ${type.kind}`)
  switch (type.kind) {
    case 'null':
      return
    case 'boolean':
      parts.push(Buffer.from([value === true ? 1 : 0]))
      return
    case 'int':
    case 'long':
      parts.push(zigZag(wholeOf(value, type.logical)!))
      return
    case 'float':
    case 'double': {
      const bytes = Buffer.alloc(type.kind === 'float' ? 4 : 8)
      if (type.kind === 'float') bytes.writeFloatLE(Number(value))
      else bytes.writeDoubleLE(Number(value))
      parts.push(bytes)
      return
    }
    case 'string':
    case 'bytes': {
      const bytes = Buffer.from(String(value))
      parts.push(zigZag(BigInt(bytes.length)), bytes)
      return
    }
    case 'fixed':
      parts.push(Buffer.from(String(value)))
      return
    case 'enum':
      parts.push(zigZag(BigInt(type.symbols.indexOf(String(value)))))
      return
    case 'union': {
      const index = type.of.findIndex((one) => fits(value, one))
      parts.push(zigZag(BigInt(index)))
      write(value, type.of[index]!, parts, place, depth + 1)
      return
    }
    case 'array': {
      const list = value as Value[]
      if (list.length > 0) parts.push(zigZag(BigInt(list.length)))
      for (const [at, item] of list.entries()) write(item, type.items, parts, `${place}[${at}]`, depth + 1)
      parts.push(zigZag(0n))
      return
    }
    case 'map': {
      const names = isFields(value) ? Object.keys(value).filter((name) => value[name] !== undefined) : []
      if (names.length > 0) parts.push(zigZag(BigInt(names.length)))
      for (const name of names) {
        const bytes = Buffer.from(name)
        parts.push(zigZag(BigInt(bytes.length)), bytes)
        write(readField(value as never, name)!, type.items, parts, `${place}[${name}]`, depth + 1)
      }
      parts.push(zigZag(0n))
      return
    }
    case 'record':
      for (const field of type.fields) {
        const own = readField(value as never, field.name) ?? field.usual ?? null
        write(own, field.type, parts, field.name, depth + 1)
      }
  }
}

/** Whether the value can be of the type, as far as can be said without looking into lists and maps. */
function fits(value: Value, type: AvroType): boolean {
  switch (type.kind) {
    case 'null':
      return value === null
    case 'boolean':
      return typeof value === 'boolean'
    case 'int':
    case 'long': {
      const whole = wholeOf(value, type.logical)
      return whole !== undefined && BigInt.asIntN(type.kind === 'int' ? 32 : 64, whole) === whole
    }
    case 'float':
    case 'double':
      return typeof value === 'number' || typeof value === 'bigint' || value instanceof LsFloat
    case 'string':
      return typeof value === 'string' || value instanceof Timestamp
    case 'bytes':
      return typeof value === 'string'
    case 'fixed':
      return typeof value === 'string' && Buffer.byteLength(value) === type.size
    case 'enum':
      return typeof value === 'string' && type.symbols.includes(value)
    case 'union':
      return type.of.some((one) => fits(value, one))
    case 'array':
      return Array.isArray(value)
    case 'map':
    case 'record':
      return isFields(value)
  }
}

function wholeOf(value: Value, logical: string | undefined): bigint | undefined {
  if (value instanceof Timestamp) {
    if (logical === 'timestamp-millis') return BigInt(value.millis)
    if (logical === 'timestamp-micros')
      return BigInt(value.millis) * 1000n + BigInt(Math.floor(value.nanos / 1000))
    return undefined
  }
  if (typeof value === 'bigint') return value
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined
}

function zigZag(value: bigint): Buffer {
  return writeVarint((value << 1n) ^ (value >> 63n))
}
