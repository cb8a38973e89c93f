/**
 * Finds the documents that have one of several terms by scanning the ordinal column (doc values) instead of the
 * postings.
 */
import { inRanges } from '../../scheduling/step-size.ts'
import type { Steps } from '../../scheduling/steps.ts'
import { BitSet } from '../encoding/bit-set.ts'
import type { OrdinalColumn } from '../segment.ts'

/** `wanted[ordinal + 1]` is 1 for the ordinals wanted, shifted by one like the column. */
export function* docsWithAny(
  { starts, values }: OrdinalColumn,
  wanted: Uint8Array,
  docCount: number,
): Steps<BitSet> {
  const bits = new BitSet(docCount)
  yield* inRanges(docCount, (from, to) => {
    for (let doc = from; doc < to; doc++) {
      const first = starts === null ? doc : starts[doc]!
      const end = starts === null ? doc + 1 : starts[doc + 1]!
      for (let at = first; at < end; at++) if (wanted[values[at]!] === 1) bits.add(doc)
    }
  })
  return bits
}

export function wantedOf(ordinals: readonly number[], termCount: number): Uint8Array {
  const wanted = new Uint8Array(termCount + 1)
  for (const ordinal of ordinals) wanted[ordinal + 1] = 1
  return wanted
}
