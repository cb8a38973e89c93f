/** The matches of a leaf with their scores, read some at a time, without an array of all scores. */
import type { DocSet } from './doc-set.ts'
import type { ScoredDocs } from './query.ts'

export interface ScoredBatches {
  readonly matches: DocSet
  /**
   * Returns the scores of the matches from the rank `from` up to, not including, `to`. They may be in `room`, which
   * must have as many places.
   */
  scores(from: number, to: number, room: Float32Array): Float32Array
}

/** Reads from scores that are computed already. */
export function batchesOf(matches: DocSet, { scores }: ScoredDocs): ScoredBatches {
  return { matches, scores: (from, to) => scores.subarray(from, to) }
}
