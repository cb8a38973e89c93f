/**
 * Avro's binary encoding to values: numbers are zig-zag varints, texts and bytes have their length before them, lists
 * and maps come in blocks that end with an empty one.
 */
import { Timestamp } from '../../../event/timestamp.ts'
import { utf8Text } from '../../../event/utf8-text.ts'
import { type Fields, float, integer, putField, type Value } from '../../../event/value.ts'
import type { AvroType } from './schema.ts'

const maxDepth = 200
/** Items of one datum; an item may take no bytes at all. */
const maxItems = 1_000_000

/** Throws when the bytes are not of the type. */
export function readAvro(bytes: Buffer, type: AvroType): Value {
  return new Reader(bytes).value(type, 0)
}

class Reader {
  readonly #bytes: Buffer
  #at = 0
  #items = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  value(type: AvroType, depth: number): Value {
    if (depth > maxDepth) throw new Error('the datum is nested too deep')
    switch (type.kind) {
      case 'null':
        return null
      case 'boolean':
        return this.#take(1)[0] === 1
      case 'int':
      case 'long':
        return logicalNumber(this.#long(), type.logical)
      case 'float':
        return float(this.#take(4).readFloatLE(0))
      case 'double':
        return float(this.#take(8).readDoubleLE(0))
      case 'string':
        return this.#text()
      case 'bytes':
        return bytesValue(this.#take(this.#length()), type.logical, type.scale)
      case 'fixed':
        return bytesValue(this.#take(type.size), type.logical, type.scale)
      case 'enum': {
        const symbol = type.symbols[this.#length()]
        if (symbol === undefined) throw new Error('a symbol is not of its enum')
        return symbol
      }
      case 'union': {
        const chosen = type.of[this.#length()]
        if (chosen === undefined) throw new Error('a value is of no type of its union')
        return this.value(chosen, depth + 1)
      }
      case 'array': {
        const list: Value[] = []
        this.#blocks(() => list.push(this.value(type.items, depth + 1)))
        return list
      }
      case 'map': {
        const fields: Fields = {}
        this.#blocks(() => {
          const name = this.#text()
          putField(fields, name, this.value(type.items, depth + 1))
        })
        return fields
      }
      case 'record': {
        const fields: Fields = {}
        for (const field of type.fields) putField(fields, field.name, this.value(field.type, depth + 1))
        return fields
      }
    }
  }

  #take(length: number): Buffer {
    if (length > this.#bytes.length - this.#at) throw new Error('the datum ends too early')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  #long(): bigint {
    let raw = 0n
    for (let shift = 0n; ; shift += 7n) {
      if (shift > 63n) throw new Error('a number is too long')
      const byte = this.#take(1)[0]!
      raw |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) break
    }
    raw = BigInt.asUintN(64, raw)
    return (raw >> 1n) ^ -(raw & 1n)
  }

  #length(): number {
    const length = this.#long()
    if (length < 0n || length > BigInt(Number.MAX_SAFE_INTEGER)) throw new Error('a length is out of range')
    return Number(length)
  }

  #text(): string {
    return utf8Text(this.#take(this.#length()))
  }

  /** A negative count is followed by the size of the block. */
  #blocks(item: () => void): void {
    for (;;) {
      let count = this.#long()
      if (count === 0n) return
      if (count < 0n) {
        count = -count
        this.#long()
      }
      for (; count > 0n; count--) {
        if (++this.#items > maxItems) throw new Error('the datum has too many items')
        item()
      }
    }
  }
}

function logicalNumber(value: bigint, logical: string | undefined): Value {
  switch (logical) {
    case 'timestamp-millis':
    case 'local-timestamp-millis':
      return timeOf(value * 1_000_000n)
    case 'timestamp-micros':
    case 'local-timestamp-micros':
      return timeOf(value * 1000n)
    case 'date': {
      const day = new Date(Number(value) * 86_400_000)
      return Number.isNaN(day.getTime()) ? integer(value) : day.toISOString().slice(0, 10)
    }
    default:
      return integer(value)
  }
}

function timeOf(nanos: bigint): Value {
  const millis = nanos >= 0n ? nanos / 1_000_000n : -((-nanos + 999_999n) / 1_000_000n)
  if (millis > 8_640_000_000_000_000n || millis < -8_640_000_000_000_000n) return integer(nanos)
  return new Timestamp(Number(millis), Number(nanos - millis * 1_000_000n))
}

function bytesValue(bytes: Buffer, logical: string | undefined, scale: number): Value {
  if (logical !== 'decimal') return utf8Text(bytes)
  if (bytes.length === 0 || bytes.length > 64) return utf8Text(bytes)
  const whole = BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString('hex')}`))
  return scale === 0 ? integer(whole) : float(Number(`${whole}e-${scale}`))
}
