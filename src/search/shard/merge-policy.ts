/**
 * Which segments to join: neighbours of about the same size, eight at a time, so that every document is written
 * again only once per size class; and any segment of which more than a quarter is deleted.
 */
import type { BitSet } from '../segment/encoding/bit-set.ts'
import type { Segment } from '../segment/segment.ts'
import { isLive, type LivePart, type Part } from './part.ts'

interface Candidate {
  readonly segment: Segment
  readonly live: BitSet | null
}

const together = 8
/** Segments do not grow beyond this. */
const maxDocs = 4_000_000
/** Below this all segments count as one size. */
const smallest = 2_000
const tolerated = 0.25
/** Stretches of documents in memory do not grow beyond this: what a search needs of one is made in one go. */
export const maxStretch = 8192

export function chooseMerge<T extends Candidate>(segments: readonly T[]): T[] {
  const wasteful = segments.find(
    ({ segment, live }) => live !== null && 1 - live.count / segment.docCount > tolerated,
  )
  if (wasteful !== undefined) return [wasteful]
  return neighboursAlike(
    segments,
    (a, b) => levelOf(a.segment.docCount) === levelOf(b.segment.docCount),
    maxDocs,
  )
}

/** Stretches of one builder that should be one: eight of about the same size. */
export function chooseJoin(parts: readonly Part[]): LivePart[] {
  return neighboursAlike(
    parts.filter(isLive),
    ({ segment: a }, { segment: b }) =>
      a.builder === b.builder && joinLevelOf(a.docCount) === joinLevelOf(b.docCount),
    maxStretch,
  )
}

/** The first eight in a row that are alike and together not too large; none when there are no such. */
function neighboursAlike<T extends Candidate>(
  candidates: readonly T[],
  isAlike: (a: T, b: T) => boolean,
  most: number,
): T[] {
  let run: T[] = []
  for (const candidate of candidates) {
    if (run.length > 0 && !isAlike(run[0]!, candidate)) run = []
    run.push(candidate)
    const docs = run.reduce((sum, { segment }) => sum + segment.docCount, 0)
    if (docs > most) run = [candidate]
    else if (run.length === together) return run
  }
  return []
}

function joinLevelOf(docs: number): number {
  return Math.floor(Math.log(docs) / Math.log(together) + 1e-9)
}

function levelOf(docs: number): number {
  return Math.max(0, Math.floor(Math.log(docs / smallest) / Math.log(together)))
}
