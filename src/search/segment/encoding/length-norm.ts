/**
 * A field's length in one byte: exact to 24, from there a float with four significant bits, cut down to the
 * next length that can be written. Scores depend on it, so the loss is part of the contract.
 */
const free = 24

/** The byte for a length. */
export function encodeLength(length: number): number {
  if (length < free) return length
  const rest = length - free
  const bits = 32 - Math.clz32(rest)
  if (bits < 4) return free + rest
  const shift = bits - 4
  return free + (((rest >>> shift) & 7) | ((shift + 1) << 3))
}

/** The length a byte stands for. */
export function decodeLength(byte: number): number {
  if (byte < free) return byte
  const rest = byte - free
  const shift = (rest >>> 3) - 1
  return free + (shift < 0 ? rest & 7 : ((rest & 7) | 8) * 2 ** shift)
}

/** Lengths by byte. */
export const lengthOfNorm: Float32Array = Float32Array.from({ length: 256 }, (_, byte) => decodeLength(byte))
