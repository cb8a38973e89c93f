/**
 * Documents that come back out of the log. Of those that are alike the log has the values, and these are what is kept
 * in memory again: only one document of a shape in a frame is put together, to find out what the reader makes of it.
 */
import type { ByteReader } from '../segment/writer/leaf-plan.ts'
import { type SourceShape, type SourceValues, wholeSource } from '../segment/writer/source-shape.ts'
import type { UnflushedDocuments } from './unflushed-documents.ts'

export class LoggedDocuments {
  readonly #unflushed: UnflushedDocuments
  /** By shape of the log: the same of a reader. */
  readonly #known = new WeakMap<SourceShape, { readonly reader: ByteReader; readonly shape: SourceShape }>()

  constructor(unflushed: UnflushedDocuments) {
    this.#unflushed = unflushed
  }

  /** Whether the reader can read the document; then it has to be added next. */
  read(source: Uint8Array | SourceValues, reader: ByteReader): boolean {
    const unflushed = this.#unflushed
    if (source instanceof Uint8Array) return unflushed.read(source, reader)
    const known = this.#known.get(source.shape)
    if (known?.reader === reader && unflushed.readValues(source, known.shape, reader)) return true
    if (!unflushed.read(wholeSource(source), reader)) return false
    const shape = unflushed.builder.readValues?.shape
    if (shape !== undefined && Buffer.compare(shape.definition, source.shape.definition) === 0)
      this.#known.set(source.shape, { reader, shape })
    return true
  }
}
