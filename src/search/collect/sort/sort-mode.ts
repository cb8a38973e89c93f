/** `mode` of a sort: reduces several values of one document to one. */
export type SortMode = 'min' | 'max' | 'sum' | 'avg' | 'median'

export const sortModes: readonly SortMode[] = ['min', 'max', 'sum', 'avg', 'median']

/** `values` must rise. */
export function combineDoubles(values: ArrayLike<number>, mode: SortMode): number {
  const { length } = values
  switch (mode) {
    case 'min':
      return values[0]!
    case 'max':
      return values[length - 1]!
    case 'median': {
      const middle = length >> 1
      return length % 2 === 1 ? values[middle]! : (values[middle - 1]! + values[middle]!) / 2
    }
    default: {
      let sum = 0
      for (let i = 0; i < length; i++) sum += values[i]!
      return mode === 'sum' ? sum : sum / length
    }
  }
}

/**
 * `values` must rise. Uses Elasticsearch's 64-bit arithmetic: sums wrap around; averages and medians of
 * signed integers go through doubles, those of unsigned ones are exact, and both are rounded half up.
 */
export function combineLongs(values: readonly bigint[], mode: SortMode, isUnsigned: boolean): bigint {
  const { length } = values
  if (mode === 'min') return values[0]!
  if (mode === 'max') return values[length - 1]!
  const wrap = (value: bigint) => (isUnsigned ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value))
  if (mode === 'median') {
    const middle = length >> 1
    if (length % 2 === 1) return values[middle]!
    const [low, high] = [values[middle - 1]!, values[middle]!]
    if (!isUnsigned) return roundHalfUp((Number(low) + Number(high)) / 2)
    return divideHalfUp(wrap(low + high), 2n)
  }
  let sum = 0n
  for (const value of values) sum += value
  sum = wrap(sum)
  if (mode === 'sum') return sum
  return isUnsigned ? divideHalfUp(sum, BigInt(length)) : roundHalfUp(Number(sum) / length)
}

const maxLong = 9223372036854775807n
const minLong = -9223372036854775808n

function roundHalfUp(value: number): bigint {
  const rounded = BigInt(Number.isSafeInteger(Math.trunc(value)) ? Math.floor(value + 0.5) : value)
  if (rounded > maxLong) return maxLong
  if (rounded < minLong) return minLong
  return rounded
}

function divideHalfUp(sum: bigint, by: bigint): bigint {
  const quotient = sum / by
  return (sum % by) * 2n >= by ? quotient + 1n : quotient
}
