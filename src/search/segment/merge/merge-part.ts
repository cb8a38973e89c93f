/** One input segment of a merge, with its document map (Lucene's MergeState.DocMap). */

import type { FieldReader } from '../field-reader.ts'
import type { SegmentReader } from '../segment-reader.ts'
import type { MergedSectionCache } from './merged-section-cache.ts'

/** The new number of a deleted document. */
export const dropped = 0xffff_ffff

export interface MergePart {
  readonly segment: SegmentReader
  /** The new number of the segment's first surviving document. */
  readonly base: number
  /** The new number by old number, or `dropped`; null when nothing is deleted, so that all move by `base`. */
  readonly docMap: Uint32Array | null
}

/** One field of an input segment. */
export interface FieldPart extends MergePart {
  readonly field: FieldReader
}

/** One field of the merged segment. */
export interface MergedField {
  /** The prefix of its sections. */
  readonly prefix: string
  /** The number of documents in the merged segment. */
  readonly docCount: number
  readonly lists: MergedSectionCache
}
