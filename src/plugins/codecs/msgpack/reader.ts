/**
 * Reads MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md) into event values. Integers and
 * floats stay what they are; binary data becomes text; of the extensions, times are understood. Every length
 * is checked against the bytes there are before anything is made of it.
 *
 *   00-7f positive int   80-8f map   90-9f array   a0-bf text   c0 nil   c2 c3 false true
 *   c4-c6 binary   c7-c9 extension   ca cb float   cc-cf uint   d0-d3 int   d4-d8 fixed extension
 *   d9-db text   dc dd array   de df map   e0-ff negative int
 */

import { Timestamp } from '../../../event/timestamp.ts'
import { utf8Text } from '../../../event/utf8-text.ts'
import { type Fields, float, integer, putField, type Value } from '../../../event/value.ts'

/** The bytes end within a value: more may come. */
export class IncompleteData extends Error {}

const maxDepth = 256
const timeExtension = -1
/** Bytes that give the length of texts and binary data. */
const rawLengths: ReadonlyMap<number, 1 | 2 | 4> = new Map([
  [0xc4, 1],
  [0xd9, 1],
  [0xc5, 2],
  [0xda, 2],
  [0xc6, 4],
  [0xdb, 4],
])

export class MsgpackReader {
  readonly #bytes: Buffer
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.at = at
  }

  get atEnd(): boolean {
    return this.at >= this.#bytes.length
  }

  /** The next value; `IncompleteData` when there is not all of it. */
  read(depth = 0): Value {
    if (depth > maxDepth) throw new RangeError('the data is nested too deeply')
    const code = this.#take(1)[0]!
    if (code <= 0x7f) return code
    if (code >= 0xe0) return code - 256
    if (code <= 0x8f) return this.#map(code & 15, depth)
    if (code <= 0x9f) return this.#list(code & 15, depth)
    if (code <= 0xbf) return this.#text(code & 31)
    switch (code) {
      case 0xc0:
        return null
      case 0xc2:
        return false
      case 0xc3:
        return true
      case 0xc4:
      case 0xd9:
        return this.#text(this.#unsigned(1))
      case 0xc5:
      case 0xda:
        return this.#text(this.#unsigned(2))
      case 0xc6:
      case 0xdb:
        return this.#text(this.#unsigned(4))
      case 0xc7:
        return this.#extension(this.#unsigned(1))
      case 0xc8:
        return this.#extension(this.#unsigned(2))
      case 0xc9:
        return this.#extension(this.#unsigned(4))
      case 0xca:
        return float(this.#take(4).readFloatBE(0))
      case 0xcb:
        return float(this.#take(8).readDoubleBE(0))
      case 0xcc:
        return this.#unsigned(1)
      case 0xcd:
        return this.#unsigned(2)
      case 0xce:
        return this.#unsigned(4)
      case 0xcf:
        return integer(this.#take(8).readBigUInt64BE(0))
      case 0xd0:
        return this.#take(1).readInt8(0)
      case 0xd1:
        return this.#take(2).readInt16BE(0)
      case 0xd2:
        return this.#take(4).readInt32BE(0)
      case 0xd3:
        return integer(this.#take(8).readBigInt64BE(0))
      case 0xdc:
        return this.#list(this.#unsigned(2), depth)
      case 0xdd:
        return this.#list(this.#unsigned(4), depth)
      case 0xde:
        return this.#map(this.#unsigned(2), depth)
      case 0xdf:
        return this.#map(this.#unsigned(4), depth)
      case 0xc1:
        throw new TypeError('the byte c1 begins no value')
      default:
        return this.#extension(1 << (code - 0xd4))
    }
  }

  /** Length of the list that begins here, of which the items are next; undefined when it is no list. */
  readListHead(): number | undefined {
    const code = this.#bytes[this.at]
    if (code === undefined) throw new IncompleteData('the data ends before a value')
    if (code >= 0x90 && code <= 0x9f) return this.#take(1)[0]! & 15
    if (code !== 0xdc && code !== 0xdd) return undefined
    this.at += 1
    return this.#unsigned(code === 0xdc ? 2 : 4)
  }

  /** The bytes of the text or binary data that begins here; undefined when it is something else. */
  readRaw(): Buffer | undefined {
    const code = this.#bytes[this.at]
    if (code === undefined) throw new IncompleteData('the data ends before a value')
    if (code >= 0xa0 && code <= 0xbf) return this.#take(this.#take(1)[0]! & 31)
    const length = rawLengths.get(code)
    if (length === undefined) return undefined
    this.at += 1
    return this.#take(this.#unsigned(length))
  }

  #take(length: number): Buffer {
    const end = this.at + length
    if (end > this.#bytes.length) throw new IncompleteData('the data ends within a value')
    const part = this.#bytes.subarray(this.at, end)
    this.at = end
    return part
  }

  #unsigned(length: 1 | 2 | 4): number {
    return this.#take(length).readUIntBE(0, length)
  }

  #text(length: number): string {
    return utf8Text(this.#take(length))
  }

  /** Every item takes a byte at least. */
  #expect(items: number): void {
    if (items > this.#bytes.length - this.at) throw new IncompleteData('the data ends within a value')
  }

  #list(length: number, depth: number): Value[] {
    this.#expect(length)
    const list: Value[] = []
    for (let i = 0; i < length; i++) list.push(this.read(depth + 1))
    return list
  }

  #map(length: number, depth: number): Fields {
    this.#expect(2 * length)
    const fields: Fields = {}
    for (let i = 0; i < length; i++) {
      const name = this.read(depth + 1)
      putField(fields, typeof name === 'string' ? name : String(name), this.read(depth + 1))
    }
    return fields
  }

  #extension(length: number): Value {
    const type = this.#take(1).readInt8(0)
    const data = this.#take(length)
    if (type === timeExtension) return timeOf(data) ?? utf8Text(data)
    // Fluentd's event time: seconds and nanoseconds.
    if (type === 0 && length === 8) return timeFrom(data.readUInt32BE(0), data.readUInt32BE(4))
    return utf8Text(data)
  }
}

function timeOf(data: Buffer): Timestamp | undefined {
  if (data.length === 4) return timeFrom(data.readUInt32BE(0), 0)
  if (data.length === 8) {
    const both = data.readBigUInt64BE(0)
    return timeFrom(Number(both & 0x3_ffff_ffffn), Number(both >> 34n))
  }
  if (data.length === 12) return timeFrom(Number(data.readBigInt64BE(4)), data.readUInt32BE(0))
  return undefined
}

function timeFrom(seconds: number, nanoseconds: number): Timestamp {
  const millis = Math.floor(nanoseconds / 1e6)
  return new Timestamp(seconds * 1000 + millis, nanoseconds - millis * 1e6)
}

/** One value that takes up all of the bytes. */
export function unpack(bytes: Uint8Array): Value {
  const reader = new MsgpackReader(bytes)
  const value = reader.read()
  if (!reader.atEnd)
    throw new TypeError(`${bytes.length - reader.at} extra bytes after the deserialized object`)
  return value
}
