/**
 * The documents of a shard that are being collected: which of them are in a part already, which came since, and which
 * of those are gone again. Parts are cut when somebody asks, and handed over.
 */
import { BitSet } from '../segment/encoding/bit-set.ts'
import type { ByteReader } from '../segment/writer/leaf-plan.ts'
import { LiveSegment } from '../segment/writer/live-segment.ts'
import { SegmentBuilder } from '../segment/writer/segment-builder.ts'
import type { SourceShape, SourceValues } from '../segment/writer/source-shape.ts'
import { maxStretch } from './merge-policy.ts'
import { type LivePart, newPart, removeDocument } from './part.ts'

export class UnflushedDocuments {
  builder = new SegmentBuilder('')
  readonly #newName: () => string
  readonly #take: (part: LivePart) => void
  /** How many documents of the builder are in a part. */
  #sealed = 0
  /** Documents behind those that were replaced or deleted again. */
  readonly #deletedUnflushed = new Set<number>()

  constructor(newName: () => string, take: (part: LivePart) => void) {
    this.#newName = newName
    this.#take = take
  }

  /** Documents that are in no part. */
  get pending(): number {
    return this.builder.docCount - this.#sealed
  }

  /** Whether the reader can read the document; then it has to be added next. */
  read(source: Uint8Array, reader: ByteReader): boolean {
    this.#prepare(reader)
    return this.builder.read(source, reader)
  }

  /** The same for the values of a document along a shape that the reader knows. */
  readValues(values: SourceValues, shape: SourceShape, reader: ByteReader): boolean {
    this.#prepare(reader)
    return this.builder.readFromValues(values, shape, reader)
  }

  #prepare(reader: ByteReader): void {
    if (!this.builder.fits(reader)) this.change()
    else if (this.pending > 0) this.builder.readLastAgain(reader)
  }

  /** The document of an id among those in no part, or -1. */
  find(id: string): number {
    if (this.pending === 0) return -1
    const doc = this.builder.findId(id, { from: this.#sealed, to: this.builder.docCount })
    return this.#deletedUnflushed.has(doc) ? -1 : doc
  }

  /** A document in no part is no more. */
  remove(doc: number): void {
    this.#deletedUnflushed.add(doc)
  }

  /** The documents that came since make parts. */
  seal(): void {
    const { docCount } = this.builder
    while (this.#sealed < docCount) {
      const from = this.#sealed
      let to = Math.min(docCount, from + maxStretch)
      // Nested objects stay with the document behind them.
      while (!this.builder.isRoot(to - 1)) to++
      const segment = new LiveSegment(this.#newName(), this.builder, { from, to })
      this.#take(newPart(segment, this.#liveOf(segment)))
      this.#sealed = to
    }
    this.#deletedUnflushed.clear()
  }

  /** What comes from now on is collected elsewhere. */
  change(): void {
    this.seal()
    if (this.builder.docCount === 0) return
    this.builder = new SegmentBuilder('', this.builder)
    this.#sealed = 0
  }

  /** What is left of a stretch that is new. */
  #liveOf(segment: LiveSegment): BitSet | null {
    const { from, to } = segment.stretch
    let live: BitSet | null = null
    for (const doc of this.#deletedUnflushed) {
      if (doc < from || doc >= to) continue
      live ??= BitSet.full(segment.docCount)
      removeDocument(live, segment, doc - from)
    }
    return live
  }
}
