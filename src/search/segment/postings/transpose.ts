/** A column turned around: documents by term, or by value. */
import type { BitSet } from '../encoding/bit-set.ts'
import type { OrdinalColumn } from '../segment.ts'

/** Terms that occur in fewer than one document of this many are looked for by term, others in the column. */
const fewOf = 16

export function areRare(ordinals: readonly number[], docFreqs: Uint32Array, docCount: number): boolean {
  let left = docCount / fewOf
  for (let i = 0; i < ordinals.length && left >= 0; i++) left -= 1 + docFreqs[ordinals[i]!]!
  return left >= 0
}

export interface Transposed {
  /** Documents by term. */
  readonly docs: Uint32Array
  /** Where those of each term end. */
  readonly ends: Uint32Array
}

/** Adds the documents that have a term, or a value. */
export function addDocs(bits: BitSet, { docs, ends }: Transposed, ordinal: number): void {
  bits.addAll(docs, ordinal === 0 ? 0 : ends[ordinal - 1]!, ends[ordinal]!)
}

export function transpose({ values, starts }: OrdinalColumn, size: number): Transposed {
  // One entry more than terms: 0 stands for no value.
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
  // Each place has moved on to the end of its term.
  return { docs, ends: ends.subarray(1, size + 1) }
}
