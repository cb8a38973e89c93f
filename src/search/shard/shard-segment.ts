/**
 * A segment of a shard with its live docs (Lucene's SegmentCommitInfo). Documents that are not flushed are buffered
 * segments; those of one builder are neighbours and become one segment when they are flushed.
 */
import { BitSet } from '../segment/encoding/bit-set.ts'
import type { Segment } from '../segment/segment.ts'
import type { SegmentReader } from '../segment/segment-reader.ts'
import { BufferedSegment } from '../segment/writer/buffered-segment.ts'
import type { SegmentBuilder } from '../segment/writer/segment-builder.ts'
import type { SegmentRecord } from './manifest.ts'

export interface ShardSegment<S extends BufferedSegment | SegmentReader = BufferedSegment | SegmentReader> {
  readonly segment: S
  /** Live docs; null when nothing is deleted. Copied on write, because searches hold it too. */
  live: BitSet | null
  /** The live-docs file, as in the manifest. */
  liveFile: SegmentRecord['live']
  hasNewDeletions: boolean
}

export type UnflushedSegment = ShardSegment<BufferedSegment>
export type FlushedSegment = ShardSegment<SegmentReader>

export function shardSegment<S extends BufferedSegment | SegmentReader>(
  segment: S,
  live: BitSet | null = null,
): ShardSegment<S> {
  return { segment, live, liveFile: undefined, hasNewDeletions: live !== null }
}

export function isUnflushed(part: ShardSegment): part is UnflushedSegment {
  return part.segment instanceof BufferedSegment
}

export function isFlushed(part: ShardSegment): part is FlushedSegment {
  return !isUnflushed(part)
}

/** Returns the builders whose documents are not flushed, oldest first. */
export function buildersOf(parts: readonly ShardSegment[]): SegmentBuilder[] {
  return [...new Set(parts.filter(isUnflushed).map(({ segment }) => segment.builder))]
}

/** Concatenates the live docs of neighbours; null when nothing is deleted. */
export function joinedLiveDocs(parts: readonly { segment: Segment; live: BitSet | null }[]): BitSet | null {
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

/** Deletes a root document with its nested documents, which stand in front of it. */
export function removeDocument(live: BitSet, { roots }: Segment, doc: number): void {
  const first = roots === null ? doc : roots.previous(doc - 1) + 1
  for (let i = first; i <= doc; i++) live.remove(i)
}

/** Counts the root documents that are not deleted. */
export function liveRoots({ docCount, roots }: Segment, live: BitSet | null): number {
  if (roots === null) return live?.count ?? docCount
  return live === null ? roots.count : roots.clone().and(live).count
}
