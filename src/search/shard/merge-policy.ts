/**
 * A log merge policy (Lucene's LogDocMergePolicy): merges eight adjacent segments of about the same size, so that
 * every document is rewritten about once per size class. Sizes are compared with the largest that follows, and smaller
 * segments between large ones are merged with them: fixed classes would leave them for ever, and flushes under memory
 * pressure make segments of any size. Segments with more than a quarter of deletes are rewritten alone. Adjacency keeps
 * documents in order of arrival, which Lucene's default TieredMergePolicy gives up.
 */
import type { BitSet } from '../segment/encoding/bit-set.ts'
import type { Segment } from '../segment/segment.ts'
import { isUnflushed, type ShardSegment, type UnflushedSegment } from './shard-segment.ts'

interface Candidate {
  readonly segment: Segment
  readonly live: BitSet | null
}

const mergeFactor = 8
/** Segments do not grow beyond this. */
const maxDocs = 4_000_000
/** The minimum number of segments of a merge whose result reaches the maximum size. */
const minMerged = 2
/** The minimum when memory does not suffice for eight: segments would pile up while it stays short. */
const minWithoutRoom = 4
/** Segments below this size all count as one level (Lucene's floor size). */
const floorDocs = 2_000
/** The width of a level in logarithms of the merge factor (Lucene's LEVEL_LOG_SPAN). */
const levelSpan = 0.75
const maxDeletedShare = 0.25
/** The maximum size of a buffered segment: what a search needs of one is built without yielding. */
export const maxUnflushedDocs = 8192

/**
 * The largest merged segment in bytes. A merge holds up to half of what it writes, so a small machine gets more and
 * smaller segments instead.
 */
export const mergeLimit = {
  maxBytes: Number.POSITIVE_INFINITY,
  /** What there is room for now; larger merges wait. */
  roomBytes: Number.POSITIVE_INFINITY,
}

/** Returns the segment's share of the largest one that a merge may make. */
function shareOf({ segment }: Candidate): number {
  return Math.max(segment.docCount / maxDocs, segment.bytes / mergeLimit.maxBytes)
}

/** Returns the first of some neighbours, at most `count`, that fit into one segment. */
function fitting<T extends Candidate>(segments: readonly T[], count: number): T[] {
  const run: T[] = []
  let share = 0
  for (const candidate of segments.slice(0, count)) {
    share += shareOf(candidate)
    if (share > 1) break
    run.push(candidate)
  }
  return run
}

export function chooseMerge<T extends Candidate>(segments: readonly T[]): T[] {
  const wasteful = segments.find(
    ({ segment, live }) => live !== null && 1 - live.count / segment.docCount > maxDeletedShare,
  )
  if (wasteful !== undefined) return [wasteful]
  let start = 0
  let smaller: T[] = []
  while (start < segments.length) {
    const end = endOfLevel(segments, start)
    const level = segments.slice(start, end)
    for (let from = 0; from + mergeFactor <= level.length; from++) {
      const run = fitting(level.slice(from), mergeFactor)
      if (run.length < mergeFactor && !isNearlyFull(run)) continue
      const part = withRoom(run)
      if (part.length === run.length) return run
      if (part.length >= minWithoutRoom) smaller = part
    }
    start = end
  }
  return smaller
}

/** Returns the first of the run for which there is room. */
function withRoom<T extends Candidate>(run: readonly T[]): T[] {
  let bytes = 0
  const tooMany = run.findIndex(({ segment }) => {
    bytes += segment.bytes
    return bytes > mergeLimit.roomBytes
  })
  return run.slice(0, tooMany < 0 ? run.length : tooMany)
}

/** Returns whether the run makes a segment too large to be merged again, so that waiting for eight saves nothing. */
function isNearlyFull(run: readonly Candidate[]): boolean {
  const shares = run.map(shareOf)
  return (
    run.length >= minMerged &&
    shares.every((share) => share <= 0.5) &&
    shares.reduce((sum, share) => sum + share, 0) > 0.5
  )
}

/** Returns the end of the segments that are on the level of the largest from `start` on, or lie between such. */
function endOfLevel(segments: readonly Candidate[], start: number): number {
  let highest = 0
  for (let i = start; i < segments.length; i++) highest = Math.max(highest, levelOf(segments[i]!))
  const lowest = highest - levelSpan
  let end = segments.length
  while (levelOf(segments[end - 1]!) < lowest) end--
  return end
}

/**
 * For a force merge into one segment: returns everything, unless there is one segment without deletes already. Where the
 * memory does not suffice for that, the first neighbours that fit into one.
 */
export function chooseForceMerge<T extends Candidate>(segments: readonly T[]): T[] {
  const bytes = segments.reduce((sum, { segment }) => sum + segment.bytes, 0)
  if (bytes <= mergeLimit.maxBytes) return segments.filter(({ live }) => segments.length > 1 || live !== null)
  for (let from = 0; from < segments.length; from++) {
    const run = fitting(segments.slice(from), segments.length)
    if (run.length > 1 || (run.length === 1 && run[0]!.live !== null)) return run
  }
  return []
}

/** Returns eight adjacent buffered segments of one builder and about the same size, to be joined in memory. */
export function chooseUnflushedMerge(parts: readonly ShardSegment[]): UnflushedSegment[] {
  return firstMergeableRun(
    parts.filter(isUnflushed),
    ({ segment: a }, { segment: b }) =>
      a.builder === b.builder && unflushedLevelOf(a.docCount) === unflushedLevelOf(b.docCount),
    maxUnflushedDocs,
  )
}

/** Returns the first run of eight similar neighbours that together are not too large, or an empty list. */
function firstMergeableRun<T extends Candidate>(
  candidates: readonly T[],
  isAlike: (a: T, b: T) => boolean,
  max: number,
): T[] {
  let run: T[] = []
  for (const candidate of candidates) {
    if (run.length > 0 && !isAlike(run[0]!, candidate)) run = []
    run.push(candidate)
    const docs = run.reduce((sum, { segment }) => sum + segment.docCount, 0)
    if (docs > max) run = [candidate]
    else if (run.length === mergeFactor) return run
  }
  return []
}

function unflushedLevelOf(docs: number): number {
  return Math.floor(Math.log(docs) / Math.log(mergeFactor) + 1e-9)
}

function levelOf({ segment }: Candidate): number {
  return Math.max(0, Math.log(segment.docCount / floorDocs) / Math.log(mergeFactor))
}
