/**
 * One segment of a shard with its deletions. Documents that are not on the disk yet are stretches of what is being
 * collected; those of one builder stand next to each other, and become one segment when they are written.
 */
import { BitSet } from '../segment/encoding/bit-set.ts'
import type { Segment } from '../segment/segment.ts'
import type { StoredSegment } from '../segment/stored-segment.ts'
import { LiveSegment } from '../segment/writer/live-segment.ts'
import type { SegmentBuilder } from '../segment/writer/segment-builder.ts'
import type { SegmentRecord } from './manifest.ts'

export interface Part<S extends LiveSegment | StoredSegment = LiveSegment | StoredSegment> {
  readonly segment: S
  /** Documents that are not deleted; null when none is. Replaced, never changed: searches have it too. */
  live: BitSet | null
  /** File of the deletions, as the manifest knows it. */
  liveFile: SegmentRecord['live']
  hasNewDeletions: boolean
}

export type LivePart = Part<LiveSegment>
export type StoredPart = Part<StoredSegment>

export function newPart<S extends LiveSegment | StoredSegment>(
  segment: S,
  live: BitSet | null = null,
): Part<S> {
  return { segment, live, liveFile: undefined, hasNewDeletions: live !== null }
}

export function isLive(part: Part): part is LivePart {
  return part.segment instanceof LiveSegment
}

export function isStored(part: Part): part is StoredPart {
  return !isLive(part)
}

/** What is being collected or waits to be written, oldest first. */
export function buildersOf(parts: readonly Part[]): SegmentBuilder[] {
  return [...new Set(parts.filter(isLive).map(({ segment }) => segment.builder))]
}

/** The deletions of neighbours as one; null when there are none. */
export function joinedLive(parts: readonly { segment: Segment; live: BitSet | null }[]): BitSet | null {
  if (parts.every(({ live }) => live === null)) return null
  const joined = new BitSet(parts.reduce((sum, { segment }) => sum + segment.docCount, 0))
  let base = 0
  for (const { segment, live } of parts) {
    if (live === null) joined.addRange(base, base + segment.docCount)
    else for (let doc = 0; doc < segment.docCount; doc++) if (live.has(doc)) joined.add(base + doc)
    base += segment.docCount
  }
  return joined
}

/** With its nested objects, which stand in front of it. */
export function removeDocument(live: BitSet, { roots }: Segment, doc: number): void {
  const first = roots === null ? doc : roots.previous(doc - 1) + 1
  for (let i = first; i <= doc; i++) live.remove(i)
}

/** Documents proper that are not deleted. */
export function liveRoots({ docCount, roots }: Segment, live: BitSet | null): number {
  if (roots === null) return live?.count ?? docCount
  return live === null ? roots.count : roots.clone().and(live).count
}
