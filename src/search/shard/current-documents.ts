/**
 * Which document has an id now, visible or not: one that is being collected, or one of a part that was not deleted since
 * the last refresh. And which ids were deleted a short while ago.
 */
import { hashOfId, type IdHash } from '../segment/id-filter.ts'
import type { SegmentBuilder } from '../segment/writer/segment-builder.ts'
import type { Replaced } from './operation.ts'
import { isLive, type Part, type StoredPart } from './part.ts'
import type { UnflushedDocuments } from './unflushed-documents.ts'

/** The state of a document, visible or not. */
export interface DocumentState {
  readonly version: number
  readonly seqNo: number
  readonly primaryTerm: number
}

export interface StoredDocument extends DocumentState {
  readonly source: Uint8Array
  readonly routing: string | undefined
}

/** A document of a part, or of the builder where it is in no part yet. */
export interface Place {
  readonly part: Part | undefined
  readonly doc: number
}

/** An id that was deleted a short while ago. */
interface Deleted extends DocumentState {
  /** Milliseconds since 1970. */
  readonly deletedAt: number
}

/** Elasticsearch's `index.gc_deletes`. */
const rememberedMillis = 60_000

function findStored({ segment }: StoredPart, id: string, hash: IdHash): number {
  return segment.mayHaveId(hash) ? segment.findId(id) : -1
}

export class CurrentDocuments {
  readonly #parts: () => readonly Part[]
  readonly #unflushed: UnflushedDocuments
  /** Documents of parts that are gone from the next refresh on. */
  readonly hidden = new Map<Part, Set<number>>()
  readonly #deleted = new Map<string, Deleted>()

  constructor(parts: () => readonly Part[], unflushed: UnflushedDocuments) {
    this.#parts = parts
    this.#unflushed = unflushed
  }

  /** Where the document is that has the id now. */
  find(id: string): Place | undefined {
    const pending = this.#unflushed.find(id)
    return pending >= 0 ? { part: undefined, doc: pending } : this.#findInParts(id)
  }

  #findInParts(id: string): { part: Part; doc: number } | undefined {
    const parts = this.#parts()
    let builder: SegmentBuilder | undefined
    let last = -1
    let hash: IdHash | undefined
    for (let i = parts.length - 1; i >= 0; i--) {
      const part = parts[i]!
      let doc: number
      if (isLive(part)) {
        const { stretch, builder: own } = part.segment
        // Once for all parts of a builder: whatever has the id before its last document was deleted by that.
        if (own !== builder) last = own.findId(id, { from: 0, to: stretch.to })
        builder = own
        doc = last < stretch.to ? last - stretch.from : -1
      } else doc = findStored(part as StoredPart, id, (hash ??= hashOfId(id)))
      if (doc >= 0 && this.isThere(part, doc)) return { part, doc }
    }
    return undefined
  }

  isThere(part: Part, doc: number): boolean {
    return part.live?.has(doc) !== false && this.hidden.get(part)?.has(doc) !== true
  }

  /** What the log says of the document in whose place another comes. */
  seqNoAt(place: Place | undefined): Replaced {
    if (place === undefined) return null
    const { part, doc } = place
    return part === undefined ? this.#unflushed.builder.seqNo(doc) : part.segment.seqNos[doc]!
  }

  /** The document that has the id now, and where it is, is gone from the next refresh on. */
  hide(id: string, place: Place | undefined): void {
    if (this.#deleted.size > 0) this.#deleted.delete(id)
    if (place === undefined) return
    const { part, doc } = place
    if (part === undefined) return this.#unflushed.remove(doc)
    let hidden = this.hidden.get(part)
    if (hidden === undefined) this.hidden.set(part, (hidden = new Set()))
    hidden.add(doc)
  }

  /** A deleted id keeps its version for a while, so that a late change cannot bring the document back. */
  rememberDeleted(id: string, state: DocumentState): void {
    this.#deleted.set(id, { ...state, deletedAt: Date.now() })
  }

  forgetDeleted(): void {
    const oldest = Date.now() - rememberedMillis
    for (const [id, { deletedAt }] of this.#deleted) if (deletedAt < oldest) this.#deleted.delete(id)
  }

  state(id: string): (DocumentState & { readonly isDeleted: boolean }) | undefined {
    const deleted = this.#deleted.get(id)
    if (deleted !== undefined) return { ...deleted, isDeleted: true }
    const place = this.find(id)
    return place && { ...this.#stateAt(place), isDeleted: false }
  }

  #stateAt({ part, doc }: Place): DocumentState {
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
