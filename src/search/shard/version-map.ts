/**
 * The current document of each id, visible to searches or not (Elasticsearch's LiveVersionMap): in the write buffer,
 * or in a segment and not deleted since the last refresh. Deleted ids stay as tombstones for a while.
 * Unlike Elasticsearch it keeps no map of ids; it asks the buffer's id table, then each segment's
 * Bloom filter and, where that says maybe, its ids.
 */
import { hashOfId, type IdHash } from '../segment/id-filter.ts'
import type { SegmentBuilder } from '../segment/writer/segment-builder.ts'
import type { Replaced } from './operation.ts'
import { type FlushedSegment, isUnflushed, type ShardSegment } from './shard-segment.ts'
import type { UnflushedDocuments } from './unflushed-documents.ts'

/** Version and sequence number of a document. */
export interface DocumentState {
  readonly version: number
  readonly seqNo: number
  readonly primaryTerm: number
}

export interface StoredDocument extends DocumentState {
  readonly source: Uint8Array
  readonly routing: string | undefined
}

/** A document in a segment, or in the write buffer where `part` is undefined. */
export interface DocLocation {
  readonly part: ShardSegment | undefined
  readonly doc: number
}

/** The tombstone of an id that was deleted a short while ago. */
interface Tombstone extends DocumentState {
  /** Milliseconds since 1970. */
  readonly deletedAt: number
}

/** The default of `index.gc_deletes`. */
const defaultTombstoneMillis = 60_000

function findFlushed({ segment }: FlushedSegment, id: string, hash: IdHash): number {
  return segment.mayHaveId(hash) ? segment.findId(id) : -1
}

export class VersionMap {
  readonly #parts: () => readonly ShardSegment[]
  readonly #unflushed: UnflushedDocuments
  /** Documents of segments that the next refresh will delete. */
  readonly pendingDeletes = new Map<ShardSegment, Set<number>>()
  readonly #tombstones = new Map<string, Tombstone>()
  readonly #tombstoneMillis: () => number

  constructor(
    parts: () => readonly ShardSegment[],
    unflushed: UnflushedDocuments,
    tombstoneMillis = () => defaultTombstoneMillis,
  ) {
    this.#parts = parts
    this.#unflushed = unflushed
    this.#tombstoneMillis = tombstoneMillis
  }

  /** Returns where the current document of the id is. */
  find(id: string): DocLocation | undefined {
    const pending = this.#unflushed.find(id)
    return pending >= 0 ? { part: undefined, doc: pending } : this.#findInSegments(id)
  }

  #findInSegments(id: string): { part: ShardSegment; doc: number } | undefined {
    const parts = this.#parts()
    let builder: SegmentBuilder | undefined
    let last = -1
    let hash: IdHash | undefined
    for (let i = parts.length - 1; i >= 0; i--) {
      const part = parts[i]!
      let doc: number
      if (isUnflushed(part)) {
        const { range, builder: own } = part.segment
        // One lookup serves all segments of a builder: any earlier document with the id was deleted by the last one.
        if (own !== builder) last = own.findId(id, { from: 0, to: range.to })
        builder = own
        doc = last < range.to ? last - range.from : -1
      } else doc = findFlushed(part as FlushedSegment, id, (hash ??= hashOfId(id)))
      if (doc >= 0 && this.isLive(part, doc)) return { part, doc }
    }
    return undefined
  }

  isLive(part: ShardSegment, doc: number): boolean {
    return part.live?.has(doc) !== false && this.pendingDeletes.get(part)?.has(doc) !== true
  }

  /** Returns the sequence number of the document that an operation replaces, for the write-ahead log. */
  seqNoAt(place: DocLocation | undefined): Replaced {
    if (place === undefined) return null
    const { part, doc } = place
    return part === undefined ? this.#unflushed.builder.seqNo(doc) : part.segment.seqNos[doc]!
  }

  /** Deletes the current document of the id from the next refresh on. */
  markDeleted(id: string, place: DocLocation | undefined): void {
    if (this.#tombstones.size > 0) this.#tombstones.delete(id)
    if (place === undefined) return
    const { part, doc } = place
    if (part === undefined) return this.#unflushed.remove(doc)
    let deletes = this.pendingDeletes.get(part)
    if (deletes === undefined) this.pendingDeletes.set(part, (deletes = new Set()))
    deletes.add(doc)
  }

  /** A deleted id keeps its version for a while, so that a late write with an older version cannot bring it back. */
  addTombstone({ id, seqNo, version, primaryTerm }: DocumentState & { readonly id: string }): void {
    this.#tombstones.set(id, { seqNo, version, primaryTerm, deletedAt: Date.now() })
  }

  pruneTombstones(): void {
    if (this.#tombstones.size === 0) return
    const newest = Date.now() - this.#tombstoneMillis()
    for (const [id, { deletedAt }] of this.#tombstones) if (deletedAt <= newest) this.#tombstones.delete(id)
  }

  state(id: string): (DocumentState & { readonly isDeleted: boolean }) | undefined {
    const deleted = this.#tombstones.get(id)
    if (deleted !== undefined) return { ...deleted, isDeleted: true }
    const place = this.find(id)
    return place && { ...this.#stateAt(place), isDeleted: false }
  }

  #stateAt({ part, doc }: DocLocation): DocumentState {
    if (part === undefined) {
      const { builder } = this.#unflushed
      const [version, seqNo] = [builder.version(doc), builder.seqNo(doc)]
      return { version, seqNo, primaryTerm: builder.primaryTerm(doc) }
    }
    const { versions, seqNos, primaryTerms } = part.segment
    return { version: versions[doc]!, seqNo: seqNos[doc]!, primaryTerm: primaryTerms[doc]! }
  }

  get(id: string): StoredDocument | undefined {
    const place = this.find(id)
    if (place === undefined) return undefined
    const { part, doc } = place
    const { builder } = this.#unflushed
    return {
      ...this.#stateAt(place),
      source: part === undefined ? builder.source(doc) : part.segment.source(doc),
      routing: part === undefined ? builder.routing(doc) : part.segment.routing(doc),
    }
  }
}
