/**
 * Histograms in the cells of a board: buckets whose width grows with the value, so that few cells cover
 * nanoseconds to seconds. Writing is one addition; threads' histograms of one shape add up cell by cell.
 * Cells: the largest value, then the buckets. With `bits` 0 a bucket is twice as wide as the one before;
 * each further bit cuts every doubling in two halves.
 */
export interface HistogramShape {
  readonly bits: number
  readonly buckets: number
}

/** Cells a histogram takes on a board. */
export function cellsOf({ buckets }: HistogramShape): number {
  return buckets + 1
}

/** Buckets needed to tell apart values below 2^`doublings`. */
export function shapeFor(bits: number, doublings: number): HistogramShape {
  return { bits, buckets: (doublings - bits + 1) << bits }
}

/** Values are whole and not negative; larger ones than the shape covers go into the last bucket. */
export function record(
  row: Float64Array,
  start: number,
  { bits, buckets }: HistogramShape,
  value: number,
  weight: number,
): void {
  const small = value > 0x7fffffff ? 0x7fffffff : value | 0
  const base = 1 << bits
  let bucket = small
  if (small >= base) {
    const doubling = 31 - Math.clz32(small) - bits
    bucket = ((doubling + 1) << bits) + ((small >> doubling) & (base - 1))
  }
  row[start + 1 + (bucket < buckets ? bucket : buckets - 1)]! += weight
  if (value > row[start]!) row[start] = value
}

/** Smallest value of a bucket. */
export function lowerBound({ bits }: HistogramShape, bucket: number): number {
  const base = 1 << bits
  if (bucket < base) return bucket
  const doubling = (bucket >> bits) - 1
  return (base + (bucket & (base - 1))) * 2 ** doubling
}

/** Histograms of several threads as one. */
export function merged(histograms: readonly Float64Array[], shape: HistogramShape): Float64Array {
  const total = new Float64Array(cellsOf(shape))
  for (const cells of histograms) {
    total[0] = Math.max(total[0]!, cells[0]!)
    for (let i = 1; i < total.length; i++) total[i]! += cells[i]!
  }
  return total
}

/** The value that a share of all values does not exceed, evenly spread within its bucket; undefined without values. */
export function quantile(cells: Float64Array, shape: HistogramShape, share: number): number | undefined {
  let count = 0
  for (let i = 1; i < cells.length; i++) count += cells[i]!
  if (count <= 0) return undefined
  const [largest = 0] = cells
  let left = share * count
  for (let bucket = 0; bucket < shape.buckets; bucket++) {
    const here = cells[bucket + 1]!
    if (here <= 0) continue
    if (here >= left) {
      const lower = lowerBound(shape, bucket)
      const upper = bucket === shape.buckets - 1 ? largest : lowerBound(shape, bucket + 1) - 1
      return Math.min(largest, lower + Math.max(0, upper - lower) * (left / here))
    }
    left -= here
  }
  return largest
}
