/**
 * Assigns documents to the slices of a sliced scroll, by a hash of the encoded id or of a number. Encoded ids
 * (Elasticsearch's Uid):
 *   digits only         FE, then two digits a byte, F behind an odd last one
 *   URL base64          the bytes it stands for, FD in front when the first is FD or above
 *   anything else       FF, then UTF-8
 */
import { murmur3 } from '../../text/murmur3.ts'

const sliceSeed = 7919

function isUrlBase64(id: string): boolean {
  if (!/^[\w-]+$/.test(id) || id.length % 4 === 1) return false
  // The unused bits of the last character must be zero.
  const last = id.at(-1)!
  if (id.length % 4 === 2) return 'AQgw'.includes(last)
  return id.length % 4 !== 3 || 'AEIMQUYcgkosw048'.includes(last)
}

/** Encodes an id. */
export function storedId(id: string): Uint8Array {
  if (/^[0-9]+$/.test(id)) {
    const bytes = new Uint8Array(1 + ((id.length + 1) >> 1)).fill(0xfe, 0, 1)
    for (let index = 0; index < id.length; index += 2) {
      const low = index + 1 < id.length ? id.charCodeAt(index + 1) - 48 : 15
      bytes[1 + (index >> 1)] = ((id.charCodeAt(index) - 48) << 4) | low
    }
    return bytes
  }
  if (isUrlBase64(id)) {
    const decoded = Buffer.from(id, 'base64url')
    return decoded[0]! >= 0xfd ? Uint8Array.of(0xfd, ...decoded) : decoded
  }
  return Buffer.concat([Uint8Array.of(0xff), Buffer.from(id, 'utf8')])
}

export function sliceHashOfId(id: string): number {
  return murmur3(storedId(id), sliceSeed)
}

/** Hashes the 64 bits of a number (of the sortable form for floats). */
export function sliceHashOfNumber(bits: bigint): bigint {
  let value = BigInt.asUintN(64, bits)
  value = BigInt.asUintN(64, (value ^ (value >> 32n)) * 0x4cd6944c5cc20b6dn)
  value = BigInt.asUintN(64, (value ^ (value >> 29n)) * 0xfc12c5b19d3259e9n)
  return BigInt.asIntN(64, value ^ (value >> 32n))
}

/** Returns the slice of a hash. */
export function sliceOf(hash: number | bigint, parts: number): number {
  if (typeof hash === 'number') return ((hash % parts) + parts) % parts
  const count = BigInt(parts)
  return Number(((hash % count) + count) % count)
}
