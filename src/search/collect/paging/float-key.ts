/**
 * Scores as integers that rise in result order: float bits are order-preserving once those of negative numbers are
 * flipped.
 */

const one = new Float32Array(1)
const oneBits = new Int32Array(one.buffer)

/** The float bits of infinity. */
export const infinityBits = 0x7f80_0000

export function keyOf(score: number, descending: boolean): number {
  // Adding zero turns -0 into 0.
  one[0] = score + 0
  const bits = oneBits[0]!
  const rising = bits ^ ((bits >> 31) & 0x7fff_ffff)
  return descending ? ~rising : rising
}

/** The inverse of `keyOf`. */
export function scoreOf(key: number, descending: boolean): number {
  const rising = descending ? ~key : key
  oneBits[0] = rising ^ ((rising >> 31) & 0x7fff_ffff)
  return one[0]!
}
