/** Values of flow fields, by kind and length in bytes. */
import { utf8Text } from '../../../event/utf8-text.ts'
import { float, integer, type Value } from '../../../event/value.ts'
import type { FieldKind } from './field-tables.ts'

export function readFlowValue(bytes: Buffer, kind: FieldKind): Value {
  switch (kind) {
    case 'uint':
      return unsigned(bytes)
    case 'int':
      return signed(bytes)
    case 'float':
      return bytes.length === 4
        ? float(bytes.readFloatBE(0))
        : bytes.length === 8
          ? float(bytes.readDoubleBE(0))
          : null
    case 'ip':
      return address(bytes)
    case 'mac':
      return [...bytes].map(twoDigits).join(':')
    case 'text':
      return utf8Text(bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1))
    case 'bool':
      return bytes[0] === 1
    case 'mpls':
      // A label is the upper 20 bits of three bytes.
      return bytes.length === 3 ? bytes.readUIntBE(0, 3) >> 4 : unsigned(bytes)
    case 'application':
      // The engine that classified, then what it found.
      return bytes.length < 2 ? unsigned(bytes) : `${bytes[0]}:${String(unsigned(bytes.subarray(1)))}`
    case 'status':
      return bytes.length === 1 ? { status: bytes[0]! >> 6, reason: bytes[0]! & 0x3f } : unsigned(bytes)
    case 'acl':
      return bytes.toString('hex').replace(/.{8}(?=.)/g, '$&-')
    case 'bytes':
      return bytes.toString('hex')
  }
}

function unsigned(bytes: Buffer): Value {
  if (bytes.length === 0) return 0
  if (bytes.length <= 6) return bytes.readUIntBE(0, bytes.length)
  return bytes.length > 16 ? bytes.toString('hex') : integer(BigInt(`0x${bytes.toString('hex')}`))
}

function signed(bytes: Buffer): Value {
  if (bytes.length === 0) return 0
  if (bytes.length <= 6) return bytes.readIntBE(0, bytes.length)
  return bytes.length === 8 ? integer(bytes.readBigInt64BE(0)) : unsigned(bytes)
}

function address(bytes: Buffer): string {
  if (bytes.length === 16) return ipv6(bytes)
  if (bytes.length === 4) return bytes.join('.')
  return bytes.toString('hex')
}

function twoDigits(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

/** RFC 5952: the longest run of zeros is left out, the first one of equal length. */
export function ipv6(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(2 * i))
  let from = -1
  let longest = 1
  for (let i = 0; i < 8; i++) {
    let length = 0
    while (i + length < 8 && groups[i + length] === 0) length += 1
    if (length > longest) {
      from = i
      longest = length
    }
  }
  const text = (part: number[]) => part.map((group) => group.toString(16)).join(':')
  return from < 0 ? text(groups) : `${text(groups.slice(0, from))}::${text(groups.slice(from + longest))}`
}
