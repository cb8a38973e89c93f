/**
 * The write buffer of a shard: which buffered documents are in a buffered segment already, which arrived since the
 * last refresh, and which of those were deleted again. `seal` cuts the latter into buffered segments and hands them
 * over.
 */
import type { IndexedDocument } from '../segment/document.ts'
import { BitSet } from '../segment/encoding/bit-set.ts'
import { BufferedSegment } from '../segment/writer/buffered-segment.ts'
import type { ByteReader } from '../segment/writer/leaf-plan.ts'
import { type DocumentHead, SegmentBuilder } from '../segment/writer/segment-builder.ts'
import type { SourceShape, SourceValues } from '../segment/writer/source-shape.ts'
import { maxUnflushedDocs } from './merge-policy.ts'
import { removeDocument, shardSegment, type UnflushedSegment } from './shard-segment.ts'

const nothing = new Uint8Array(0)
const noFields: IndexedDocument['fields'] = new Map()

export class UnflushedDocuments {
  builder = new SegmentBuilder('')
  readonly #newName: () => string
  readonly #take: (part: UnflushedSegment) => void
  /** The number of documents of the builder that are in a segment. */
  #sealed = 0
  /** Unsealed documents that were replaced or deleted again. */
  readonly #deletedUnflushed = new Set<number>()

  constructor(newName: () => string, take: (part: UnflushedSegment) => void) {
    this.#newName = newName
    this.#take = take
  }

  /** The number of unsealed documents. */
  get pending(): number {
    return this.builder.docCount - this.#sealed
  }

  /** Returns whether the reader can read the document; if so, it has to be added next. */
  read(source: Uint8Array, reader: ByteReader): boolean {
    this.#prepare(reader)
    return this.builder.read(source, reader)
  }

  /** Like `read`, for the values of a document of a shape that the reader knows. */
  readValues(values: SourceValues, shape: SourceShape, reader: ByteReader): boolean {
    this.#prepare(reader)
    return this.builder.readFromValues(values, shape, reader)
  }

  #prepare(reader: ByteReader): void {
    if (!this.builder.fits(reader)) this.change()
    else if (this.pending > 0) this.builder.readLastAgain(reader)
  }

  /** Returns the unsealed document with the id, or -1. */
  find(id: string): number {
    if (this.pending === 0) return -1
    const doc = this.builder.findId(id, { from: this.#sealed, to: this.builder.docCount })
    return this.#deletedUnflushed.has(doc) ? -1 : doc
  }

  /** Deletes an unsealed document. */
  remove(doc: number): void {
    this.#deletedUnflushed.add(doc)
  }

  /**
   * A deletion takes the place of a document that is deleted from the beginning, as in Lucene: it has a number in the
   * order of documents and counts as deleted until a merge drops it.
   */
  addDeletion({ id, seqNo, version, primaryTerm }: DocumentHead): void {
    const head = { id, routing: undefined, seqNo, version, primaryTerm }
    this.remove(this.builder.add({ ...head, source: nothing, fields: noFields, nested: [] }))
  }

  /** Makes buffered segments of the unsealed documents. */
  seal(): void {
    const { docCount } = this.builder
    while (this.#sealed < docCount) {
      const from = this.#sealed
      let to = Math.min(docCount, from + maxUnflushedDocs)
      // Nested documents stay with their root, which follows them.
      while (!this.builder.isRoot(to - 1)) to++
      const segment = new BufferedSegment(this.#newName(), this.builder, { from, to })
      this.#take(shardSegment(segment, this.#liveOf(segment)))
      this.#sealed = to
    }
    this.#deletedUnflushed.clear()
  }

  /** Starts a new builder. */
  change(): void {
    this.seal()
    if (this.builder.docCount === 0) return
    this.builder = new SegmentBuilder('', this.builder)
    this.#sealed = 0
  }

  /** Returns the live docs of a segment that was just sealed. */
  #liveOf(segment: BufferedSegment): BitSet | null {
    const { from, to } = segment.range
    let live: BitSet | null = null
    for (const doc of this.#deletedUnflushed) {
      if (doc < from || doc >= to) continue
      live ??= BitSet.full(segment.docCount)
      removeDocument(live, segment, doc - from)
    }
    return live
  }
}
