/** The next representable floating point number up or down, for exclusive bounds (Java's Math.nextUp). */
const doubles = new Float64Array(1)
const doubleBits = new BigInt64Array(doubles.buffer)
const floats = new Float32Array(1)
const floatBits = new Int32Array(floats.buffer)

export function nextUp(value: number): number {
  if (Number.isNaN(value) || value === Infinity) return value
  doubles[0] = value === 0 ? 0 : value
  doubleBits[0]! += doubles[0]! >= 0 ? 1n : -1n
  return doubles[0]!
}

export function nextDown(value: number): number {
  return -nextUp(-value)
}

export function nextFloatUp(value: number): number {
  const float = Math.fround(value)
  if (Number.isNaN(float) || float === Infinity) return float
  floats[0] = float === 0 ? 0 : float
  floatBits[0]! += floats[0]! >= 0 ? 1 : -1
  return floats[0]!
}

export function nextFloatDown(value: number): number {
  return -nextFloatUp(-value)
}

/** Rounds to half precision, ties to even; beyond 65520 it is infinite. */
export function toHalf(value: number): number {
  const float = Math.fround(value)
  const magnitude = Math.abs(float)
  if (!Number.isFinite(float) || magnitude === 0) return float
  if (magnitude >= 65_520) return Math.sign(float) * Infinity
  const exponent = Math.max(Math.floor(Math.log2(magnitude)), -14)
  const step = 2 ** (exponent - 10)
  const steps = magnitude / step
  const floor = Math.floor(steps)
  const rest = steps - floor
  const rounded = rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor
  return Math.sign(float) * rounded * step
}

function halfStep(half: number): number {
  return 2 ** (Math.max(Math.floor(Math.log2(Math.abs(half) || 2 ** -14)), -14) - 10)
}

/** Returns the lowest half float above this one. */
export function nextHalfUp(half: number): number {
  if (half === Infinity) return half
  if (half === -Infinity) return -65_504
  if (half >= 65_504) return Infinity
  // Below zero the step of the smaller magnitude counts, which halves at a power of two.
  const step =
    half < 0 && Number.isInteger(Math.log2(-half)) && -half > 2 ** -14 ? halfStep(half) / 2 : halfStep(half)
  return half + step
}

export function nextHalfDown(half: number): number {
  return -nextHalfUp(-half)
}
