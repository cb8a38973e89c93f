/**
 * The methods of fingerprints: each a function from a value to its fingerprint.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { isIPv4 } from 'node:net'
import type { Value } from '../../../event/value.ts'
import { compilePattern } from '../../../regex/pattern.ts'
import { murmur3 } from '../../../text/murmur3.ts'
import { murmur3x64 } from '../../../text/murmur3-x64.ts'
import { leadingWhole } from '../../ruby-values/number.ts'
import { rubyText } from '../../ruby-values/text.ts'
import { serialized } from './fingerprint-text.ts'

export const methods = [
  'SHA1',
  'SHA256',
  'SHA384',
  'SHA512',
  'MD5',
  'MURMUR3',
  'MURMUR3_128',
  'IPV4_NETWORK',
  'UUID',
  'PUNCTUATION',
] as const
type Method = (typeof methods)[number]

/** The seed Logstash took for the method MURMUR3_128. */
const murmur128Seed = 2

type Fingerprint = (value: Value) => Value

export function compileMethod(method: Method, key: string | undefined, base64: boolean): Fingerprint {
  switch (method) {
    case 'UUID':
      return () => randomUUID()
    case 'PUNCTUATION': {
      const others = compilePattern('[^\\p{P}\\p{S}]')
      return (value) => others.replaceAll(rubyText(value), '')
    }
    case 'IPV4_NETWORK': {
      const length = Number(leadingWhole(key ?? '0'))
      return (value) => networkOf(rubyText(value), length)
    }
    case 'MURMUR3':
      return (value) => murmur3(hashed(value), 0) >>> 0
    case 'MURMUR3_128':
      return (value) => murmur128(hashed(value)).toString(base64 ? 'base64' : 'hex')
    default: {
      const encoding = base64 ? 'base64' : 'hex'
      const algorithm = method.toLowerCase()
      if (key === undefined)
        return (value) => createHash(algorithm).update(serialized(value)).digest(encoding)
      return (value) => createHmac(algorithm, key).update(serialized(value)).digest(encoding)
    }
  }
}

/** Sixteen bytes: both halves of the hash, the low byte of each first. */
function murmur128(bytes: Uint8Array): Buffer {
  const [first, second] = murmur3x64(bytes, murmur128Seed)
  const result = Buffer.alloc(16)
  result.writeBigUInt64LE(first, 0)
  result.writeBigUInt64LE(second, 8)
  return result
}

/** Whole numbers are hashed as 64 bits, the low byte first; everything else as its text. */
function hashed(value: Value): Uint8Array {
  const isWhole = (typeof value === 'number' && Number.isInteger(value)) || typeof value === 'bigint'
  if (!isWhole) return Buffer.from(serialized(value))
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(BigInt.asIntN(64, BigInt(value)))
  return bytes
}

function networkOf(address: string, length: number): string {
  if (!isIPv4(address) || length < 0 || length > 32)
    throw new RangeError(`invalid address: ${address}/${length}`)
  const bits = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  const network = length === 0 ? 0 : (bits & (0xffffffff << (32 - length))) >>> 0
  return [24, 16, 8, 0].map((shift) => (network >>> shift) & 255).join('.')
}
