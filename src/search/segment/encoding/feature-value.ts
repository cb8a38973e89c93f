/** Numbers of `rank_feature` fields: positive floats of nine significant bits, the upper seventeen of a float's 32. */
const single = new Float32Array(1)
const word = new Uint32Array(single.buffer)

export function featureBits(value: number): number {
  single[0] = value
  return word[0]! >>> 15
}

export function featureOfBits(bits: number): number {
  word[0] = bits << 15
  return single[0]!
}
