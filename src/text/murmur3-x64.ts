/** MurmurHash3 x64 128 bit; the two halves are unsigned. */
const c1 = 0x87c37b91114253d5n
const c2 = 0x4cf5ad432745937fn
const mask = 0xffffffffffffffffn

const rotated = (value: bigint, bits: bigint) => ((value << bits) | (value >> (64n - bits))) & mask
const product = (one: bigint, other: bigint) => (one * other) & mask
const first = (block: bigint) => product(rotated(product(block, c1), 31n), c2)
const second = (block: bigint) => product(rotated(product(block, c2), 33n), c1)

function finished(value: bigint): bigint {
  let hash = value ^ (value >> 33n)
  hash = product(hash, 0xff51afd7ed558ccdn)
  hash = product(hash ^ (hash >> 33n), 0xc4ceb9fe1a85ec53n)
  return hash ^ (hash >> 33n)
}

/** The last bytes, at most eight, as a little-endian number. */
function rest(bytes: Uint8Array, start: number, end: number): bigint {
  let value = 0n
  for (let at = Math.min(end, bytes.length) - 1; at >= start; at--) value = (value << 8n) | BigInt(bytes[at]!)
  return value
}

export function murmur3x64(bytes: Uint8Array, seed = 0): readonly [bigint, bigint] {
  let h1 = BigInt(seed)
  let h2 = BigInt(seed)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const whole = bytes.length & ~15
  for (let at = 0; at < whole; at += 16) {
    h1 = rotated(h1 ^ first(view.getBigUint64(at, true)), 27n)
    h1 = ((h1 + h2) * 5n + 0x52dce729n) & mask
    h2 = rotated(h2 ^ second(view.getBigUint64(at + 8, true)), 31n)
    h2 = ((h2 + h1) * 5n + 0x38495ab5n) & mask
  }
  if (bytes.length > whole + 8) h2 ^= second(rest(bytes, whole + 8, whole + 16))
  if (bytes.length > whole) h1 ^= first(rest(bytes, whole, whole + 8))
  const length = BigInt(bytes.length)
  h1 ^= length
  h2 ^= length
  h1 = (h1 + h2) & mask
  h2 = (h2 + h1) & mask
  h1 = finished(h1)
  h2 = finished(h2)
  h1 = (h1 + h2) & mask
  return [h1, (h2 + h1) & mask]
}
