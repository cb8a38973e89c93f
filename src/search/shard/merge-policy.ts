/**
 * Which segments to join: neighbours of about the same size, eight at a time, so that every document is written
 * again only once per size class; and any segment of which more than a quarter is deleted.
 */
import type { BitSet } from '../segment/bit-set.ts'
import type { Segment } from '../segment/segment.ts'

interface Candidate {
  readonly segment: Segment
  readonly live: BitSet | null
}

const together = 8
/** Segments do not grow beyond this. */
const mostDocs = 4_000_000
/** Below this all segments count as one size. */
const smallest = 2_000
const tolerated = 0.25

export function chooseMerge<T extends Candidate>(segments: readonly T[]): T[] {
  const wasteful = segments.find(
    ({ segment, live }) => live !== null && 1 - live.count / segment.docCount > tolerated,
  )
  if (wasteful !== undefined) return [wasteful]
  let run: T[] = []
  let level = -1
  for (const candidate of segments) {
    const own = levelOf(candidate.segment.docCount)
    if (own !== level) run = []
    level = own
    run.push(candidate)
    const docs = run.reduce((sum, { segment }) => sum + segment.docCount, 0)
    if (docs > mostDocs) run = [candidate]
    else if (run.length === together) return run
  }
  return []
}

function levelOf(docs: number): number {
  return Math.max(0, Math.floor(Math.log(docs / smallest) / Math.log(together)))
}
