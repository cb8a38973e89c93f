/**
 * Merges stored fields. Compressed blocks without deleted documents are copied as they are, like Lucene's bulk
 * merge.
 */

import { FileSections, SectionStream, type WrittenSection } from '../segment-file.ts'
import { type StoredFields, StoredFieldsReader, StoredFieldsWriter } from '../stored-fields.ts'
import { dropped, type MergePart } from './merge-part.ts'

export function* mergedStoredFields(parts: readonly MergePart[]): Iterable<WrittenSection> {
  const writer = new StoredFieldsWriter()
  for (const part of parts) {
    yield ['source', new SectionStream(blocksOf(part, writer))]
    yield* writer.fullLengths()
  }
  yield ['source', new SectionStream(pendingBlock(writer))]
  yield* writer.figures()
}

function* blocksOf({ segment, docMap }: MergePart, writer: StoredFieldsWriter): Iterable<Uint8Array> {
  // This reader belongs to the merge, so that what it decodes is freed with it.
  const { sections, storedFields, docCount } = segment.fresh()
  let from = 0
  // Blocks of an older codec are written anew.
  if (storedFields instanceof StoredFieldsReader && storedFields.codec === 'deflate') {
    if (docMap === null && sections instanceof FileSections) {
      yield* pendingBlock(writer)
      for (let block = 0; block < storedFields.blockCount; block++) from = take(storedFields, block, writer)
      yield* sections.pieces('source')
    } else {
      for (let block = 0; block < storedFields.blockCount; block++) {
        const to = storedFields.firstDoc(block + 1)
        if (docMap !== null && hasDropped(docMap, from, to))
          yield* written(storedFields, docMap, from, to, writer)
        else {
          yield* pendingBlock(writer)
          take(storedFields, block, writer)
          yield storedFields.stored(block)
        }
        from = to
      }
    }
  }
  yield* written(storedFields, docMap, from, docCount, writer)
}

/** Copies a compressed block and returns the first document behind it. */
function take(source: StoredFieldsReader, block: number, writer: StoredFieldsWriter): number {
  const to = source.firstDoc(block + 1)
  writer.take(source.storedBytes(block), source.crc(block), source.lengths(source.firstDoc(block), to))
  return to
}

function* pendingBlock(writer: StoredFieldsWriter): Iterable<Uint8Array> {
  const block = writer.finishBlock()
  if (block !== undefined) yield block
}

function* written(
  source: StoredFields,
  docMap: Uint32Array | null,
  from: number,
  to: number,
  writer: StoredFieldsWriter,
): Iterable<Uint8Array> {
  for (let doc = from; doc < to; doc++) {
    if (docMap !== null && docMap[doc] === dropped) continue
    const { bytes, shape } = source.entry(doc)
    const block = writer.add(bytes, shape)
    if (block !== undefined) yield block
  }
}

function hasDropped(docMap: Uint32Array, from: number, to: number): boolean {
  for (let doc = from; doc < to; doc++) if (docMap[doc] === dropped) return true
  return false
}
