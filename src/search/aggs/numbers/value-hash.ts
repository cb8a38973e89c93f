/**
 * Hashes for distinct counting: non-zero 53-bit integers in a number, from two rounds of 32-bit mixing whose
 * halves feed each other. Equal values of one field must arrive in the same form.
 */

const words = new Uint32Array(2)
const double = new Float64Array(words.buffer)

function mix(hash: number): number {
  let h = hash
  h ^= h >>> 16
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return h ^ (h >>> 16)
}

function join(high: number, low: number): number {
  const a = mix(high ^ Math.imul(low, 0x9e3779b1))
  const b = mix(low ^ Math.imul(a, 0x85ebca77) ^ 0x27d4eb2f)
  return (mix(a ^ b) & 0x1fffff) * 0x1_0000_0000 + (b >>> 0) || 1
}

export function hashNumber(value: number): number {
  // Both zeros are the same value.
  double[0] = value === 0 ? 0 : value
  return join(words[1]!, words[0]!)
}

export function hashBigInt(value: bigint): number {
  const bits = BigInt.asUintN(64, value)
  return join(Number(bits >> 32n) | 0, Number(bits & 0xffff_ffffn) | 0)
}

export function hashText(text: string): number {
  let a = 0x2f0b4c47 ^ text.length
  let b = 0x6b43a9b5
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 0x9e3779b1)
    a = (a << 13) | (a >>> 19)
    b = Math.imul(b ^ (code + at), 0xcc9e2d51)
    b = (b << 15) | (b >>> 17)
  }
  return join(mix(a), mix(b ^ a))
}
