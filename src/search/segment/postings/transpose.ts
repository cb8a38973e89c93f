/** Transposes a column by a counting sort: from ordinals by document to documents by ordinal. */
import type { BitSet } from '../encoding/bit-set.ts'
import type { OrdinalColumn } from '../segment.ts'

/**
 * Terms that occur in fewer than one document out of this many are gathered from the transposed column; others are
 * found by scanning the column.
 */
const rareFraction = 16

export function areRare(ordinals: readonly number[], docFreqs: Uint32Array, docCount: number): boolean {
  let left = docCount / rareFraction
  for (let i = 0; i < ordinals.length && left >= 0; i++) left -= 1 + docFreqs[ordinals[i]!]!
  return left >= 0
}

export interface Transposed {
  /** Documents, grouped by term. */
  readonly docs: Uint32Array
  /** The end offset of each term's documents. */
  readonly ends: Uint32Array
}

export function transposedBytes({ docs, ends }: Transposed): number {
  return docs.byteLength + ends.byteLength
}

/** Adds the documents of an ordinal to a bit set. */
export function addDocs(bits: BitSet, { docs, ends }: Transposed, ordinal: number): void {
  bits.addAll(docs, ordinal === 0 ? 0 : ends[ordinal - 1]!, ends[ordinal]!)
}

export function transpose({ values, starts }: OrdinalColumn, size: number): Transposed {
  // One slot more than there are terms: ordinal 0 stands for no value.
  const ends = new Uint32Array(size + 2)
  for (let i = 0; i < values.length; i++) ends[values[i]! + 1]! += 1
  ends[1] = 0
  for (let i = 2; i < ends.length; i++) ends[i]! += ends[i - 1]!
  const docs = new Uint32Array(ends[size + 1]!)
  if (starts === null) {
    for (let doc = 0; doc < values.length; doc++) {
      const value = values[doc]!
      if (value !== 0) docs[ends[value]!++] = doc
    }
  } else {
    for (let doc = 0; doc + 1 < starts.length; doc++) {
      for (let at = starts[doc]!; at < starts[doc + 1]!; at++) docs[ends[values[at]!]!++] = doc
    }
  }
  // Each start has moved to the end of its term.
  return { docs, ends: ends.subarray(1, size + 1) }
}
