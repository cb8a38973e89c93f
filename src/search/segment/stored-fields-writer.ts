/**
 * Writes stored fields (`stored-fields.ts`): fills blocks with documents as they come, as records when there is an
 * encoder for them, otherwise to be compressed by DEFLATE; and keeps the statistics of all blocks.
 */
import { crc32 } from 'node:zlib'
import { GrowingFloat64, GrowingUint32 } from './encoding/growing-array.ts'
import { blockValues } from './encoding/section-blocks.ts'
import { type RecordEncoder, recordRoom } from './records/record-encoder.ts'
import { type GroupTables, GroupWriter, ShapeList } from './records/record-groups.ts'
import { maxRecordBytes, rawBit } from './records/symbols.ts'
import { SectionStream, type WrittenSection } from './segment-file.ts'
import {
  blockBytes,
  compressBlock,
  deflateCode,
  markBytes,
  numberMark,
  recordBlockBytes,
  shapeMark,
  wholeMark,
} from './stored-blocks.ts'
import type { StoredFields } from './stored-fields.ts'
import { documentOf, type SourceShape } from './writer/source-shape.ts'

/** What `source.group` says of blocks that are not records. */
const deflated = 0
/** Bytes of the head of a record: a varint of the number of its shape, and whether it is raw. */
const headBytes = 2

/** The statistics of all blocks are complete when all pieces were taken. */
export class StoredFieldsWriter {
  #block = new Uint8Array(blockBytes * 2)
  #view = new DataView(this.#block.buffer)
  #filled = 0
  /** What `source.group` says of the current block. */
  #group = deflated
  #docs = 0
  #stored = 0
  /** The shapes of the current block, with their numbers. */
  readonly #shapes = new Map<SourceShape, number>()
  readonly #encoder: RecordEncoder | undefined
  readonly #recordShapes = new ShapeList()
  #ownGroup: number | undefined
  readonly #groups = new GroupWriter()
  readonly #storedEnds = new GrowingFloat64()
  readonly #crcs = new GrowingUint32()
  readonly #docEnds = new GrowingUint32()
  readonly #groupOf = new GrowingUint32()
  readonly #lengths = new GrowingUint32()

  /** Documents are written as records when there is an encoder, unless they are too long for that. */
  constructor(encoder?: RecordEncoder) {
    this.#encoder = encoder
  }

  /** Adds a source, or its values with their shape. Returns the block before when one is finished. */
  add(bytes: Uint8Array, shape?: SourceShape): Uint8Array | undefined {
    if (bytes.length === 0) {
      this.#added(this.#filled)
      return undefined
    }
    const encoder = bytes.length <= maxRecordBytes ? this.#encoder : undefined
    if (encoder !== undefined) {
      this.#ownGroup ??= this.#groups.open()
      const finished = this.#begin(this.#ownGroup + 1)
      const before = this.#filled
      this.#encode(encoder, bytes, shape)
      this.#added(before)
      return finished
    }
    const finished = this.#begin(deflated)
    const before = this.#filled
    this.#reserve(bytes.length + markBytes + (shape?.definition.length ?? 0))
    if (shape !== undefined) this.#mark(shape)
    else if (bytes[0]! <= shapeMark) this.#block[this.#filled++] = wholeMark
    this.#append(bytes)
    this.#added(before)
    return finished
  }

  /** Adds a record of a group that `copiedGroup` returned. Returns the block before when one is finished. */
  addRecord(record: Uint8Array, group: number): Uint8Array | undefined {
    const finished = record.length > 0 ? this.#begin(group + 1) : undefined
    const before = this.#filled
    this.#reserve(record.length)
    this.#append(record)
    this.#added(before)
    return finished
  }

  /** Finishes the current block when it is full or the next document does not belong to it. */
  #begin(group: number): Uint8Array | undefined {
    const maxFilled = this.#group === deflated ? blockBytes : recordBlockBytes
    const isFinished = this.#filled > 0 && (this.#filled >= maxFilled || this.#group !== group)
    const finished = isFinished ? this.finishBlock() : undefined
    this.#group = group
    return finished
  }

  #added(before: number): void {
    this.#docs += 1
    this.#lengths.push(this.#filled - before)
  }

  #append(bytes: Uint8Array): void {
    this.#block.set(bytes, this.#filled)
    this.#filled += bytes.length
  }

  #reserve(bytes: number): void {
    if (this.#filled + bytes <= this.#block.length) return
    const larger = new Uint8Array((this.#filled + bytes) * 2)
    larger.set(this.#block.subarray(0, this.#filled))
    this.#block = larger
    this.#view = new DataView(larger.buffer)
  }

  #encode(encoder: RecordEncoder, bytes: Uint8Array, shape: SourceShape | undefined): void {
    const number = shape === undefined ? 0 : this.#recordShapes.number(shape)
    // A document whose shape has no number is stored whole, even if it is longer than records mostly are.
    const source = number === 0 && shape !== undefined ? documentOf({ bytes, shape }) : bytes
    this.#reserve(headBytes + recordRoom(source.length))
    const head = this.#filled
    this.#head(number << 1)
    const start = this.#filled
    if (source.length <= maxRecordBytes) this.#filled = encoder.encode(source, this.#view, start)
    if (source.length <= maxRecordBytes && this.#filled - start < source.length) return
    this.#filled = head
    this.#head((number << 1) | rawBit)
    this.#append(source)
  }

  #head(value: number): void {
    if (value < 0x80) this.#block[this.#filled++] = value
    else {
      this.#block[this.#filled++] = (value & 0x7f) | 0x80
      this.#block[this.#filled++] = value >>> 7
    }
  }

  #mark(shape: SourceShape): void {
    const number = this.#shapes.get(shape)
    if (number === undefined) {
      this.#shapes.set(shape, this.#shapes.size)
      this.#block[this.#filled++] = shapeMark
      this.#append(shape.definition)
    } else {
      this.#block[this.#filled++] = numberMark
      this.#block[this.#filled++] = number & 0xff
      this.#block[this.#filled++] = number >>> 8
    }
  }

  /** Finishes the current block. */
  finishBlock(): Uint8Array | undefined {
    if (this.#filled === 0) return undefined
    const plain = this.#block.subarray(0, this.#filled)
    const block = this.#group === deflated ? compressBlock(plain) : plain.slice()
    this.#filled = 0
    this.#shapes.clear()
    this.#ended(block.length, crc32(block))
    return block
  }

  /** Returns the number that a group of another segment has in this one. */
  copiedGroup(tables: GroupTables): number {
    return this.#groups.add(tables)
  }

  /**
   * Adds a block that is compressed already, with the stored lengths of its documents and the number of its group, if it
   * has one. No block may be pending.
   */
  take(storedBytes: number, crc: number, lengths: Uint32Array, group = -1): void {
    for (let i = 0; i < lengths.length; i++) this.#lengths.push(lengths[i]!)
    this.#docs += lengths.length
    this.#group = group + 1
    this.#ended(storedBytes, crc)
  }

  /** Yields the lengths when there are enough for a block of them. */
  *fullLengths(): Iterable<WrittenSection> {
    if (this.#lengths.length < blockValues) return
    yield ['source.lengths', this.#lengths.view()]
    this.#lengths.length = 0
  }

  #ended(bytes: number, crc: number): void {
    this.#crcs.push(crc)
    this.#stored += bytes
    this.#storedEnds.push(this.#stored)
    this.#docEnds.push(this.#docs)
    this.#groupOf.push(this.#group)
  }

  *figures(): Iterable<WrittenSection> {
    yield ['source.codec', Uint32Array.of(deflateCode)]
    yield ['source.stored', this.#storedEnds.view()]
    yield ['source.crcs', this.#crcs.view()]
    yield ['source.docs', this.#docEnds.view()]
    yield ['source.lengths', this.#lengths.view()]
    if (this.#ownGroup !== undefined)
      this.#groups.close(this.#ownGroup, this.#recordShapes.tables(this.#encoder!))
    yield* this.#groups.sections(this.#groupOf.view())
  }
}

/** Yields the sections of sources that are in memory. */
export function* storedFieldsSections(
  texts: Pick<StoredFields, 'entry'>,
  docCount: number,
  encoder?: RecordEncoder,
): Iterable<WrittenSection> {
  const writer = new StoredFieldsWriter(encoder)
  function* blocks(): Iterable<Uint8Array> {
    for (let doc = 0; doc < docCount; doc++) {
      const { bytes, shape } = texts.entry(doc)
      const block = writer.add(bytes, shape)
      if (block !== undefined) yield block
    }
    const last = writer.finishBlock()
    if (last !== undefined) yield last
  }
  yield ['source', new SectionStream(blocks())]
  yield* writer.figures()
}
