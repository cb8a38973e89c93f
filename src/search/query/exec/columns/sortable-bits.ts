/** Floating point numbers as the integers of the same order that Lucene stores in doc values. */
const view = new DataView(new ArrayBuffer(8))

/** `NumericUtils.floatToSortableInt`. */
export function floatBits(value: number): number {
  view.setFloat32(0, value)
  const bits = view.getInt32(0)
  return bits ^ ((bits >> 31) & 0x7fff_ffff)
}

/** `NumericUtils.doubleToSortableLong`. */
export function doubleBits(value: number): bigint {
  view.setFloat64(0, value)
  const bits = view.getBigInt64(0)
  return bits < 0n ? bits ^ 0x7fff_ffff_ffff_ffffn : bits
}

const minNormal = 2 ** -14

/** `HalfFloatPoint.halfFloatToSortableShort`, for values that half floats have. */
export function halfBits(value: number): number {
  const magnitude = Math.abs(value)
  let bits: number
  if (magnitude > 65_504) bits = 0x7c00
  else if (magnitude < minNormal) bits = Math.round(magnitude / 2 ** -24)
  else {
    const exponent = Math.floor(Math.log2(magnitude))
    bits = ((exponent + 15) << 10) + Math.round((magnitude / 2 ** exponent - 1) * 1024)
  }
  const isNegative = value < 0 || Object.is(value, -0)
  return isNegative ? ~bits : bits
}
