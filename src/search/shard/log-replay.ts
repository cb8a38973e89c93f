/**
 * Replays documents from the write-ahead log into the write buffer. Documents of a shape are logged as values and
 * buffered as values again: only one document per shape and frame is restored to JSON, to learn the reader's shape.
 */
import type { ByteReader } from '../segment/writer/leaf-plan.ts'
import { expandSource, type SourceShape, type SourceValues } from '../segment/writer/source-shape.ts'
import type { UnflushedDocuments } from './unflushed-documents.ts'

export class ReplayedDocuments {
  readonly #unflushed: UnflushedDocuments
  /** Maps the shape in the log to the equal shape of the reader. */
  readonly #known = new WeakMap<SourceShape, { readonly reader: ByteReader; readonly shape: SourceShape }>()

  constructor(unflushed: UnflushedDocuments) {
    this.#unflushed = unflushed
  }

  /** Returns whether the reader can read the document; if so, it has to be added next. */
  read(source: Uint8Array | SourceValues, reader: ByteReader): boolean {
    const unflushed = this.#unflushed
    if (source instanceof Uint8Array) return unflushed.read(source, reader)
    const known = this.#known.get(source.shape)
    if (known?.reader === reader && unflushed.readValues(source, known.shape, reader)) return true
    if (!unflushed.read(expandSource(source), reader)) return false
    const shape = unflushed.builder.readValues?.shape
    if (shape !== undefined && Buffer.compare(shape.definition, source.shape.definition) === 0)
      this.#known.set(source.shape, { reader, shape })
    return true
  }
}
