/**
 * Merges stored fields. Blocks without deleted documents are copied as they are, like Lucene's bulk merge, and so are
 * the records of other blocks. Documents that are no records, because their segments were too small for a dictionary,
 * become records when together they are enough for one.
 */
import type { RecordEncoder } from '../records/record-encoder.ts'
import { minTrainedBytes, sampleOf, trainedEncoder } from '../records/trained-encoder.ts'
import { FileSections, SectionStream, type WrittenSection } from '../segment-file.ts'
import { type StoredFields, StoredFieldsReader } from '../stored-fields.ts'
import { StoredFieldsWriter } from '../stored-fields-writer.ts'
import { dropped, type MergePart } from './merge-part.ts'

export function* mergedStoredFields(parts: readonly MergePart[]): Iterable<WrittenSection> {
  const encoder = encoderFor(parts)
  const writer = new StoredFieldsWriter(encoder)
  for (const part of parts) {
    yield ['source', new SectionStream(blocksOf(part, writer, encoder !== undefined))]
    yield* writer.fullLengths()
  }
  yield ['source', new SectionStream(pendingBlock(writer))]
  yield* writer.figures()
}

/** Documents `from` to `to` of a segment, with the number of such documents before them. */
interface Stretch {
  readonly source: StoredFields
  readonly from: number
  readonly before: number
}

/** Returns an encoder for the documents that are no records yet, if they are worth one. */
function encoderFor(parts: readonly MergePart[]): RecordEncoder | undefined {
  const stretches: Stretch[] = []
  let [count, total] = [0, 0]
  for (const { segment } of parts) {
    const source = segment.fresh().storedFields
    if (!(source instanceof StoredFieldsReader)) continue
    for (let block = 0; block < source.blockCount; block++) {
      if (!source.isRewritable(block)) continue
      const from = source.firstDoc(block)
      const to = source.firstDoc(block + 1)
      for (const length of source.lengths(from, to)) total += length
      stretches.push({ source, from, before: count })
      count += to - from
    }
  }
  if (total < minTrainedBytes) return undefined
  const entry = (place: number) => {
    let [low, high] = [0, stretches.length]
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (stretches[middle]!.before <= place) low = middle
      else high = middle
    }
    const { source, from, before } = stretches[low]!
    return source.entry(from + place - before)
  }
  const kind = Buffer.from(entry(0).shape?.definition ?? []).toString('latin1')
  const bytesOf = (place: number) => {
    const { bytes } = entry(place)
    return bytes.length === 0 ? undefined : bytes
  }
  return trainedEncoder(kind, sampleOf(count, total, bytesOf))
}

function* blocksOf(
  { segment, docMap }: MergePart,
  writer: StoredFieldsWriter,
  isRewritten: boolean,
): Iterable<Uint8Array> {
  // This reader belongs to the merge, so that what it decodes is freed with it.
  const { sections, storedFields, docCount } = segment.fresh()
  if (!(storedFields instanceof StoredFieldsReader)) {
    yield* written(storedFields, docMap, 0, docCount, writer)
    return
  }
  const { blockCount } = storedFields
  const isCopied = (block: number) => {
    if (isRewritten ? storedFields.isRewritable(block) : storedFields.codec === 'brotli') return false
    return (
      docMap === null || !hasDropped(docMap, storedFields.firstDoc(block), storedFields.firstDoc(block + 1))
    )
  }
  const groups = new Map<number, number>()
  const groupOf = (block: number) => {
    const group = storedFields.groupOf(block)
    if (group < 0) return -1
    let number = groups.get(group)
    if (number === undefined) {
      number = writer.copiedGroup(storedFields.groupTables(group))
      groups.set(group, number)
    }
    return number
  }
  const take = (block: number) => {
    const lengths = storedFields.lengths(storedFields.firstDoc(block), storedFields.firstDoc(block + 1))
    writer.take(storedFields.storedBytes(block), storedFields.crc(block), lengths, groupOf(block))
  }
  if (sections instanceof FileSections && every(blockCount, isCopied)) {
    yield* pendingBlock(writer)
    for (let block = 0; block < blockCount; block++) take(block)
    yield* sections.pieces('source')
  } else {
    for (let block = 0; block < blockCount; block++) {
      const from = storedFields.firstDoc(block)
      const to = storedFields.firstDoc(block + 1)
      if (isCopied(block)) {
        yield* pendingBlock(writer)
        take(block)
        yield storedFields.stored(block)
      } else if (storedFields.groupOf(block) < 0) yield* written(storedFields, docMap, from, to, writer)
      else yield* copiedRecords(storedFields, docMap, block, groupOf(block), writer)
    }
  }
  yield* written(storedFields, docMap, storedFields.firstDoc(blockCount), docCount, writer)
}

function every(count: number, is: (place: number) => boolean): boolean {
  for (let place = 0; place < count; place++) if (!is(place)) return false
  return true
}

/** Copies the records of a block that are not deleted. */
function* copiedRecords(
  source: StoredFieldsReader,
  docMap: Uint32Array | null,
  block: number,
  group: number,
  writer: StoredFieldsWriter,
): Iterable<Uint8Array> {
  for (let doc = source.firstDoc(block); doc < source.firstDoc(block + 1); doc++) {
    if (docMap !== null && docMap[doc] === dropped) continue
    const finished = writer.addRecord(source.record(doc, block), group)
    if (finished !== undefined) yield finished
  }
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
