/**
 * MurmurHash3 by Austin Appleby, in the two forms people store: 32 bits, and 128 bits of the variant for
 * 64 bit machines.
 */
import { murmur3 } from '../../../text/murmur3.ts'

/** An unsigned 32 bit number, with seed 0. */
export function murmur32(bytes: Uint8Array): number {
  return murmur3(bytes, 0) >>> 0
}

const mask = 0xffffffffffffffffn
const c1 = 0x87c37b91114253d5n
const c2 = 0x4cf5ad432745937fn

function rotate64(value: bigint, bits: bigint): bigint {
  return ((value << bits) | (value >> (64n - bits))) & mask
}

function finish(value: bigint): bigint {
  let k = value
  k = ((k ^ (k >> 33n)) * 0xff51afd7ed558ccdn) & mask
  k = ((k ^ (k >> 33n)) * 0xc4ceb9fe1a85ec53n) & mask
  return k ^ (k >> 33n)
}

/** Sixteen bytes: two 64 bit words, the low byte of each first. */
export function murmur128(bytes: Uint8Array, seed: number): Buffer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const blocks = bytes.length >> 4
  let h1 = BigInt(seed)
  let h2 = BigInt(seed)
  const first = (k: bigint): bigint => (rotate64((k * c1) & mask, 31n) * c2) & mask
  const second = (k: bigint): bigint => (rotate64((k * c2) & mask, 33n) * c1) & mask
  for (let i = 0; i < blocks; i++) {
    h1 ^= first(view.getBigUint64(i * 16, true))
    h1 = ((rotate64(h1, 27n) + h2) * 5n + 0x52dce729n) & mask
    h2 ^= second(view.getBigUint64(i * 16 + 8, true))
    h2 = ((rotate64(h2, 31n) + h1) * 5n + 0x38495ab5n) & mask
  }
  const rest = Buffer.alloc(16)
  rest.set(bytes.subarray(blocks * 16))
  if (bytes.length % 16 > 8) h2 ^= second(rest.readBigUInt64LE(8))
  if (bytes.length % 16 > 0) h1 ^= first(rest.readBigUInt64LE(0))
  h1 ^= BigInt(bytes.length)
  h2 ^= BigInt(bytes.length)
  h1 = (h1 + h2) & mask
  h2 = (h2 + h1) & mask
  h1 = finish(h1)
  h2 = finish(h2)
  h1 = (h1 + h2) & mask
  h2 = (h2 + h1) & mask
  const result = Buffer.alloc(16)
  result.writeBigUInt64LE(h1, 0)
  result.writeBigUInt64LE(h2, 8)
  return result
}
