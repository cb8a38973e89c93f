/** One segment on its way into a merged one. */

import type { StoredField } from '../stored-field.ts'
import type { StoredSegment } from '../stored-segment.ts'
import type { MergedLists } from './merged-lists.ts'

/** The new number of a document that is gone. */
export const dropped = 0xffff_ffff

export interface MergePart {
  readonly segment: StoredSegment
  /** The new number of its first document that stays. */
  readonly base: number
  /** By document its new number, or `dropped`; null when all stay, each `base` later. */
  readonly numbers: Uint32Array | null
}

/** One field of such a segment. */
export interface FieldPart extends MergePart {
  readonly field: StoredField
}

/** What such fields become. */
export interface MergedField {
  /** Of its sections. */
  readonly prefix: string
  /** Of the merged segment. */
  readonly docCount: number
  readonly lists: MergedLists
}
