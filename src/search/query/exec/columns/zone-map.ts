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

const known = new WeakMap<NumberColumn, ZoneMap>()

/** Only for columns with at most one value per document. */
export function zoneMap(column: NumberColumn, present: BitSet | null, docCount: number): ZoneMap {
  let map = known.get(column)
  if (map === undefined) {
    map = build(column.values, present, docCount)
    known.set(column, map)
  }
  return map
}

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

const knownBounds = new WeakMap<NumberColumn, ValueBounds>()

/** The smallest and the largest value of a column. */
export function valueBounds(column: NumberColumn, present: BitSet | null, docCount: number): ValueBounds {
  let bounds = knownBounds.get(column)
  if (bounds === undefined) {
    let min = Number.POSITIVE_INFINITY
    let max = Number.NEGATIVE_INFINITY
    const map = column.starts === null ? zoneMap(column, present, docCount) : undefined
    for (const value of map?.least ?? column.values) if (value < min) min = value
    for (const value of map?.highest ?? column.values) if (value > max) max = value
    bounds = { min, max }
    knownBounds.set(column, bounds)
  }
  return bounds
}
