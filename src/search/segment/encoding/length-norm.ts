/**
 * Norms: the field length in one byte, encoded like Lucene's SmallFloat.intToByte4. Lengths up to 24 are exact;
 * longer ones keep four significant bits, rounded down. Scores depend on this loss, so it is part of the contract.
 */
const free = 24

/** Encodes a length. */
export function encodeLength(length: number): number {
  if (length < free) return length
  const rest = length - free
  const bits = 32 - Math.clz32(rest)
  if (bits < 4) return free + rest
  const shift = bits - 4
  return free + (((rest >>> shift) & 7) | ((shift + 1) << 3))
}

/** Decodes a byte to the length it stands for. */
export function decodeLength(byte: number): number {
  if (byte < free) return byte
  const rest = byte - free
  const shift = (rest >>> 3) - 1
  return free + (shift < 0 ? rest & 7 : ((rest & 7) | 8) * 2 ** shift)
}

/** The decoded lengths by norm byte. */
export const lengthOfNorm: Float32Array = Float32Array.from({ length: 256 }, (_, byte) => decodeLength(byte))
