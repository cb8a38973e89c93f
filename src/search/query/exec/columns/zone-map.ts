/**
 * A zone map: the minimum and maximum of each block of a number column. Log data is nearly sorted by time, so
 * the map accepts or rejects most blocks of a range query without a look at their values. It is built on
 * first use and lives as long as the column.
 */

import type { BitSet } from '../../../segment/encoding/bit-set.ts'
import type { NumberColumn } from '../../../segment/segment.ts'

export const blockSize = 4096

export interface ZoneMap {
  readonly least: Float64Array
  readonly highest: Float64Array
  /** The number of documents of the block that have a value. */
  readonly counts: Uint32Array
}

type OfColumn<Result> = (column: NumberColumn, present: BitSet | null, docCount: number) => Result

/** Computes something once per column. */
function once<Result>(compute: OfColumn<Result>): OfColumn<Result> {
  const known = new WeakMap<NumberColumn, Result>()
  return (column, present, docCount) => {
    let result = known.get(column)
    if (result === undefined) {
      result = compute(column, present, docCount)
      known.set(column, result)
    }
    return result
  }
}

/** Only for columns with at most one value per document. */
export const zoneMap = once((column, present, docCount) => build(column.values, present, docCount))

function build(values: Float64Array, present: BitSet | null, docCount: number): ZoneMap {
  const blocks = Math.ceil(docCount / blockSize)
  const least = new Float64Array(blocks).fill(Number.POSITIVE_INFINITY)
  const highest = new Float64Array(blocks).fill(Number.NEGATIVE_INFINITY)
  const counts = new Uint32Array(blocks)
  for (let block = 0; block < blocks; block++) {
    const end = Math.min(docCount, (block + 1) * blockSize)
    let low = Number.POSITIVE_INFINITY
    let high = Number.NEGATIVE_INFINITY
    let count = 0
    for (let doc = block * blockSize; doc < end; doc++) {
      if (present !== null && !present.has(doc)) continue
      const value = values[doc]!
      if (value < low) low = value
      if (value > high) high = value
      count++
    }
    least[block] = low
    highest[block] = high
    counts[block] = count
  }
  return { least, highest, counts }
}

interface ValueBounds {
  readonly min: number
  readonly max: number
}

/** The smallest and the largest value of a column. */
export const valueBounds = once((column, present, docCount): ValueBounds => {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  const map = column.starts === null ? zoneMap(column, present, docCount) : undefined
  for (const value of map?.least ?? column.values) if (value < min) min = value
  for (const value of map?.highest ?? column.values) if (value > max) max = value
  return { min, max }
})
