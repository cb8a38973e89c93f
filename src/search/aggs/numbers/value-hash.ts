/**
 * Hashes for distinct counting, as OpenSearch computes them: 64 bits, of which a sketch needs 31. These are the first
 * 25, and the place of the first one behind them, so that one number serves every precision. Equal values of one field
 * must arrive in the same form.
 */
import { high, multiply64, murmur3x64Half } from '../../../text/murmur3-x64-half.ts'

/** The bits that are kept as they are. */
export const indexBits = 25
/** The bits of a hash for the place of the first one behind them. */
export const runBits = 6

const words = new Uint32Array(2)
const double = new Float64Array(words.buffer)
let bytes = new Uint8Array(1024)
const encoder = new TextEncoder()

function kept(upper: number, lower: number): number {
  const rest = upper & 0x7f
  const zeros = rest === 0 ? 7 + Math.clz32(lower) : Math.clz32(rest) - indexBits
  return (upper >>> 7) * 2 ** runBits + zeros + 1
}

function mixed(upper: number, lower: number): number {
  let low = multiply64(upper, lower ^ upper, 0x4cd6944c, 0x5cc20b6d)
  low = multiply64(high ^ (high >>> 29), low ^ ((low >>> 29) | (high << 3)), 0xfc12c5b1 | 0, 0x9d3259e9 | 0)
  return kept(high, low ^ high)
}

/** A number of a field with fractions, as the bits of a double. */
export function hashDouble(value: number): number {
  double[0] = value
  return mixed(words[1]! | 0, words[0]! | 0)
}

export function hashInteger(value: number): number {
  return mixed(Math.floor(value / 0x1_0000_0000) | 0, value | 0)
}

export function hashBigInt(value: bigint): number {
  return mixed(Number(BigInt.asIntN(32, value >> 32n)), Number(BigInt.asIntN(32, value)))
}

export function hashText(text: string): number {
  if (bytes.length < text.length * 3) bytes = new Uint8Array(text.length * 3)
  const { written } = encoder.encodeInto(text, bytes)
  const low = murmur3x64Half(bytes, written)
  return kept(high, low)
}

/** An address of 16 bytes as 32 hexadecimal digits. */
export function hashAddress(digits: string): number {
  for (let at = 0; at < digits.length / 2; at++)
    bytes[at] = Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16)
  const low = murmur3x64Half(bytes, digits.length / 2)
  return kept(high, low)
}
