/**
 * Values of `rank_feature` fields as Lucene's FeatureField keeps them: positive floats with nine significant bits,
 * which are the upper seventeen bits of a 32-bit float.
 */
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
