/** The texts of documents into one section. Blocks are copied as they are unless a document in them is gone. */

import { FileSections, SectionStream, type WrittenSection } from '../segment-file.ts'
import { SourceReader, type SourceTexts, SourceWriter } from '../source-blocks.ts'
import { dropped, type MergePart } from './merge-part.ts'

export function* mergedSource(parts: readonly MergePart[]): Iterable<WrittenSection> {
  const writer = new SourceWriter()
  for (const part of parts) {
    yield ['source', new SectionStream(blocksOf(part, writer))]
    yield* writer.fullLengths()
  }
  yield ['source', new SectionStream(waiting(writer))]
  yield* writer.figures()
}

function* blocksOf({ segment, numbers }: MergePart, writer: SourceWriter): Iterable<Uint8Array> {
  // A reader of its own, so that what is decoded goes with it.
  const { sections, sourceTexts, docCount } = segment.fresh()
  let from = 0
  if (sourceTexts instanceof SourceReader) {
    if (numbers === null && sections instanceof FileSections) {
      yield* waiting(writer)
      for (let block = 0; block < sourceTexts.blockCount; block++) from = take(sourceTexts, block, writer)
      yield* sections.pieces('source')
    } else {
      for (let block = 0; block < sourceTexts.blockCount; block++) {
        const to = sourceTexts.firstDoc(block + 1)
        if (numbers !== null && hasDropped(numbers, from, to))
          yield* written(sourceTexts, numbers, from, to, writer)
        else {
          yield* waiting(writer)
          take(sourceTexts, block, writer)
          yield sourceTexts.stored(block)
        }
        from = to
      }
    }
  }
  yield* written(sourceTexts, numbers, from, docCount, writer)
}

/** Returns the document behind the block. */
function take(source: SourceReader, block: number, writer: SourceWriter): number {
  const to = source.firstDoc(block + 1)
  writer.take(source.storedBytes(block), source.crc(block), source.lengths(source.firstDoc(block), to))
  return to
}

function* waiting(writer: SourceWriter): Iterable<Uint8Array> {
  const block = writer.finishBlock()
  if (block !== undefined) yield block
}

function* written(
  source: SourceTexts,
  numbers: Uint32Array | null,
  from: number,
  to: number,
  writer: SourceWriter,
): Iterable<Uint8Array> {
  for (let doc = from; doc < to; doc++) {
    if (numbers !== null && numbers[doc] === dropped) continue
    const { bytes, shape } = source.entry(doc)
    const block = writer.add(bytes, shape)
    if (block !== undefined) yield block
  }
}

function hasDropped(numbers: Uint32Array, from: number, to: number): boolean {
  for (let doc = from; doc < to; doc++) if (numbers[doc] === dropped) return true
  return false
}
