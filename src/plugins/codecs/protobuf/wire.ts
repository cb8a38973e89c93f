/** The wire format of protocol buffers: keys of number and kind, varints, little-endian words, lengths. */
import { writeVarint } from '../../decoding/varint.ts'

export interface WireField {
  readonly number: number
  /** 0 varint, 1 eight bytes, 2 bytes with a length, 5 four bytes. */
  readonly kind: number
  readonly value: bigint
  readonly bytes: Buffer
}

const none = Buffer.alloc(0)

/** Throws on anything that does not fit. */
export function* readWire(data: Buffer): Generator<WireField> {
  let at = 0
  const take = (length: number): Buffer => {
    if (length > data.length - at) throw new Error('the message ends too early')
    at += length
    return data.subarray(at - length, at)
  }
  const varint = (): bigint => {
    const [value, end] = readVarint(data, at)
    at = end
    return value
  }
  while (at < data.length) {
    const key = varint()
    const number = Number(key >> 3n)
    const kind = Number(key & 7n)
    if (number === 0 || number > 0x1fffffff) throw new Error('a field has the number 0')
    if (kind === 0) yield { number, kind, value: varint(), bytes: none }
    else if (kind === 1) yield { number, kind, value: 0n, bytes: take(8) }
    else if (kind === 5) yield { number, kind, value: 0n, bytes: take(4) }
    else if (kind === 2) {
      const length = varint()
      if (length > BigInt(data.length)) throw new Error('the message ends too early')
      yield { number, kind, value: 0n, bytes: take(Number(length)) }
    } else throw new Error(`a field has the wire type ${kind}`)
  }
}

export function readVarint(data: Buffer, start: number): [value: bigint, end: number] {
  let value = 0n
  for (let at = start, shift = 0n; ; shift += 7n) {
    const byte = data[at++]
    if (byte === undefined) throw new Error('the message ends too early')
    if (shift > 63n) throw new Error('a number is too long')
    value |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return [BigInt.asUintN(64, value), at]
  }
}

export function writeKey(number: number, kind: number): Buffer {
  return writeVarint((BigInt(number) << 3n) | BigInt(kind))
}
