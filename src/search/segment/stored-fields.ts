/**
 * Stored fields: the `_source` of each document, in blocks that are read and checked as a whole. Documents of one shape
 * (`source-shape.ts`) are stored as their values, other documents as JSON. In most blocks every document is a record
 * that is compressed by itself (`records/symbols.ts`): a varint with the number of its shape in the list of the group and a bit that says
 * that it is not compressed, then the values. Small segments, long documents and those that DEFLATE compresses better lie in blocks that are
 * compressed as a whole (`stored-blocks.ts`): a mark, the number of the shape in the block (or its definition, the first
 * time), the values. Such a block is decompressed as far as a document that is wanted, or whole and into a cache when there are more.
 * Sections: `source` (the blocks), `source.stored` (end offset of each block), `source.crcs` (CRC-32 of each block,
 * checked on every read), `source.docs` (the first document behind each block), `source.lengths` (length of each
 * document in its block, decompressed unless it is a record), `source.codec` (how blocks without records are compressed), and those of
 * `records/record-groups.ts`. Lucene's stored fields use LZ4 or DEFLATE blocks and no shapes.
 */
import { crc32 } from 'node:zlib'
import { utf8Text } from '../../text/utf8-text.ts'
import { lowerBound } from './encoding/binary-search.ts'
import { copyBytes } from './encoding/copy-bytes.ts'
import { readNumbers, readWords, type Sections } from './encoding/sections.ts'
import { maxRecentBytes, recentSources } from './records/recent-sources.ts'
import { recordBlock } from './records/record-block.ts'
import { decodedView } from './records/record-decoder.ts'
import { type GroupTables, RecordGroups } from './records/record-groups.ts'
import { maxRecordBytes, rawBit } from './records/symbols.ts'
import { CorruptSegment } from './segment-file.ts'
import {
  type BlockCodec,
  blockBytes,
  CachedBlocks,
  decompressBlocks,
  deflateCode,
  hasReadableStart,
  markBytes,
  numberMark,
  type PlainBlock,
  shapeMark,
  startOfBlock,
  wholeMark,
} from './stored-blocks.ts'
import { documentOf, type SourceEntry, SourceShape } from './writer/source-shape.ts'

/** The most blocks that are decompressed in one call. */
const maxBlocksAhead = 64
/** The longest step from one document to the next of someone who is taken to read all of them. */
const maxSkipped = 4
/** The number of shapes a reader interns, so that one shape in many blocks is one object. */
const maxKnownShapes = 1024
const maxRecentShapes = 4
/** Where the document begins in a block of which nothing else is kept. */
const onlyStart: readonly number[] = [0]

/** Anything that gives access to the sources of documents. */
export interface StoredFields {
  /** Bytes of sources that are in memory. */
  readonly bytes: number
  /** Returns a document as it is stored; equal shapes are mostly the same object. */
  entry(doc: number): SourceEntry
  read(doc: number): Uint8Array
}

let readers = 0

export class StoredFieldsReader implements StoredFields {
  readonly bytes = 0
  readonly #number = readers++
  readonly codec: BlockCodec
  readonly #sections: Sections
  readonly #storedEnds: Float64Array
  readonly #crcs: Uint32Array
  readonly #docEnds: Uint32Array
  readonly #lengths: Uint32Array
  /** Undefined when no document is a record. */
  readonly #groups: RecordGroups | undefined
  /** False when every block is of records, which are read one by one. */
  readonly readsAhead: boolean
  readonly #cached = new CachedBlocks()
  /** The last document that was read without the rest of its block. */
  #last: PlainBlock | undefined
  #lastDoc = -1
  /** Interned shapes, by definition. */
  readonly #shapes = new Map<string, SourceShape>()
  /** The shapes that were found last, which are compared before a definition is looked up. */
  #recent: readonly SourceShape[] = []

  constructor(sections: Sections) {
    this.#sections = sections
    this.codec = codecOf(sections)
    this.#storedEnds = readNumbers(sections, 'source.stored')
    this.#crcs = readWords(sections, 'source.crcs')
    this.#docEnds = readWords(sections, 'source.docs')
    this.#lengths = readWords(sections, 'source.lengths')
    if (sections.has('source.group'))
      this.#groups = new RecordGroups(sections, (bytes, from) => this.#shapeAt(bytes, from))
    // Brotli has no way to put blocks one behind the other.
    this.readsAhead = this.codec !== 'brotli' && this.#groups?.areAllRecords !== true
  }

  /** The memory of what says where documents are. */
  get tableBytes(): number {
    return (
      this.#storedEnds.byteLength +
      this.#crcs.byteLength +
      this.#docEnds.byteLength +
      this.#lengths.byteLength +
      (this.#groups?.bytes ?? 0)
    )
  }

  get blockCount(): number {
    return this.#docEnds.length
  }

  /** Returns the first document of a block; documents without a source may follow the last. */
  firstDoc(block: number): number {
    return block === 0 ? 0 : this.#docEnds[block - 1]!
  }

  lengths(from: number, to: number): Uint32Array {
    return this.#lengths.subarray(from, to)
  }

  /** Returns the compressed bytes of a block; they may be in the memory that is given. */
  stored(block: number, into?: Uint8Array): Uint8Array {
    const end = this.#storedEnds[block]!
    const bytes = this.#sections.readRange('source', end - this.storedBytes(block), end, into)
    if (crc32(bytes) !== this.crc(block)) throw this.#damaged(`block ${block}`)
    return bytes
  }

  crc(block: number): number {
    return this.#crcs[block]!
  }

  storedBytes(block: number): number {
    return this.#storedEnds[block]! - (block === 0 ? 0 : this.#storedEnds[block - 1]!)
  }

  /** Returns the group of the records of a block, or -1 when it has none. */
  groupOf(block: number): number {
    return this.#groups?.ofBlock(block) ?? -1
  }

  /** Returns whether the documents of a block could be records and are not. */
  isRewritable(block: number): boolean {
    if (this.groupOf(block) >= 0) return false
    const lengths = this.lengths(this.firstDoc(block), this.#docEnds[block]!)
    return lengths.some((length) => length > 0 && length <= maxRecordBytes)
  }

  groupTables(group: number): GroupTables {
    return this.#groups!.tables(group)
  }

  read(doc: number): Uint8Array {
    if (this.#lengths[doc] === 0) return nothing
    const number = this.#blockOf(doc)
    const group = this.groupOf(number)
    if (group < 0) return documentOf(this.#blockEntry(doc, number))
    const { bytes, shape } = this.#recordEntry(doc, number, group)
    return shape === undefined ? Buffer.from(bytes) : shape.document(bytes)
  }

  /** Like `read`, as a text; quicker for documents that were read lately. */
  text(doc: number): string {
    if (this.#lengths[doc] === 0) return ''
    const recent = recentSources()
    const known = recent.text(this.#number, doc)
    if (known !== undefined) return known
    const number = this.#blockOf(doc)
    const group = this.groupOf(number)
    if (group < 0) return utf8Text(documentOf(this.#blockEntry(doc, number)))
    const { shape, view, start, end } = this.#recordValues(doc, number, group)
    const bytes = shape === undefined ? end - start : shape.roomFor(end - start)
    if (bytes > maxRecentBytes) return utf8Text(documentOf(entryOf({ shape, view, start, end })))
    const at = recent.room(bytes)
    if (shape === undefined) copyBytes(view, start, end, recent.view, at)
    const length = shape?.write(view, start, end, recent.view, at) ?? bytes
    return recent.add(this.#number, doc, length)
  }

  entry(doc: number): SourceEntry {
    if (this.#lengths[doc] === 0) return { bytes: nothing, shape: undefined }
    const number = this.#blockOf(doc)
    const group = this.groupOf(number)
    if (group < 0) return this.#blockEntry(doc, number)
    const { bytes, shape } = this.#recordEntry(doc, number, group)
    return { bytes: Buffer.from(bytes), shape }
  }

  /** Returns the record of a document as it is stored; the next read overwrites it. */
  record(doc: number, block: number): Uint8Array {
    const start = this.#recordStart(doc, block)
    return recordBlock.bytes(start, start + this.#lengths[doc]!)
  }

  /** Reads the block of a record, unless it was read last; returns where in it the record begins. */
  #recordStart(doc: number, block: number): number {
    if (!recordBlock.isOf(this.#number, block)) {
      const into = recordBlock.room(this.storedBytes(block))
      recordBlock.set(this.#number, block, this.stored(block, into))
    }
    let start = 0
    for (let before = this.firstDoc(block); before < doc; before++) start += this.#lengths[before]!
    return start
  }

  /** The next read overwrites the bytes. */
  #recordEntry(doc: number, block: number, group: number): SourceEntry {
    return entryOf(this.#recordValues(doc, block, group))
  }

  #recordValues(doc: number, block: number, groupNumber: number): RecordValues {
    let start = this.#recordStart(doc, block)
    const end = start + this.#lengths[doc]!
    const { view } = recordBlock
    let head = view.getUint8(start++)
    if (head >= 0x80) head = (head & 0x7f) | (view.getUint8(start++) << 7)
    const group = this.#groups!.get(groupNumber)
    const number = head >> 1
    const shape = number === 0 ? undefined : group.shapes[number - 1]
    if (number > group.shapes.length) throw this.#damaged(`shape of document ${doc}`)
    if ((head & rawBit) !== 0) return { shape, view, start, end }
    try {
      return { shape, view: decodedView, start: 0, end: group.decoder.decode(view, start, end) }
    } catch {
      throw this.#damaged(`document ${doc}`)
    }
  }

  #blockEntry(doc: number, number: number): SourceEntry {
    const length = this.#lengths[doc]!
    const { bytes, firstDoc, starts, shapes } = this.#plain(number, doc)
    let from = starts[doc - firstDoc]!
    const to = from + length
    const mark = bytes[from]!
    let shape: SourceShape | undefined
    if (mark === numberMark) {
      shape = shapes[bytes[from + 1]! | (bytes[from + 2]! << 8)]
      if (shape === undefined) throw this.#damaged(`shape of document ${doc}`)
      from += markBytes
    } else if (mark === shapeMark) {
      shape = this.#shapeAt(bytes, from + 1)
      from += 1 + shape.definition.length
    } else if (mark === wholeMark) from += 1
    return { bytes: bytes.subarray(from, to), shape }
  }

  #damaged(what: string): CorruptSegment {
    return new CorruptSegment(this.#sections.path ?? 'a segment', `is damaged: section source, ${what}`)
  }

  #shapeAt(bytes: Uint8Array, from: number): SourceShape {
    for (const shape of this.#recent) if (shape.isAt(bytes, from)) return shape
    const shape = this.#internedShape(bytes, from)
    this.#recent = [shape, ...this.#recent.slice(0, maxRecentShapes - 1)]
    return shape
  }

  #internedShape(bytes: Uint8Array, from: number): SourceShape {
    const length = SourceShape.definitionEnd(bytes, from) - from
    const key = Buffer.from(bytes.buffer, bytes.byteOffset + from, length).toString('latin1')
    const known = this.#shapes.get(key)
    if (known !== undefined) return known
    const shape = SourceShape.at(bytes, from)
    if (this.#shapes.size === maxKnownShapes) this.#shapes.clear()
    this.#shapes.set(key, shape)
    return shape
  }

  #blockOf(doc: number): number {
    return lowerBound(this.#docEnds, doc + 1, 0)
  }

  /**
   * Decompresses the blocks in which several of these documents lie in one call. The documents are in ascending order.
   * The other blocks are decompressed when their document is read, as far as it.
   */
  readAhead(docs: readonly number[]): void {
    if (!this.readsAhead) return
    const numbers: number[] = []
    let last = -1
    let isTaken = false
    for (const doc of docs) {
      if (this.#lengths[doc] === 0) continue
      const number = this.#blockOf(doc)
      if (number !== last) {
        last = number
        // A block of one large document is read when it is its turn.
        isTaken =
          this.groupOf(number) >= 0 || this.storedBytes(number) > blockBytes || this.#cached.has(number)
      } else if (!isTaken) {
        isTaken = true
        numbers.push(number)
        if (numbers.length === maxBlocksAhead) break
      }
    }
    if (numbers.length > 0) this.#decompress(numbers)
  }

  /** Returns a block with the bytes of a document. */
  #plain(number: number, doc: number): PlainBlock {
    const cached = this.#cached.get(number)
    if (cached !== undefined) return cached
    const ahead = doc - this.#lastDoc
    if (ahead === 0) return this.#last!
    // One that reads a document and soon after it another of the same block will want the rest of the block too.
    const readsOn = ahead > 0 && ahead <= maxSkipped && this.#lastDoc >= this.firstDoc(number)
    return this.codec === 'deflate' && !readsOn ? this.#decompressTo(number, doc) : this.#decompress([number])
  }

  /** Decompresses a block as far as a document and keeps the document alone, until the next one. */
  #decompressTo(number: number, doc: number): PlainBlock {
    let from = 0
    const first = this.firstDoc(number)
    for (let before = first; before < doc; before++) from += this.#lengths[before]!
    const to = from + this.#lengths[doc]!
    if (!hasReadableStart(this.storedBytes(number), to)) return this.#decompress([number])
    const start = startOfBlock()
    const stored = this.stored(number, start.input)
    let bytes: Uint8Array
    try {
      bytes = start.read(stored, to)
    } catch {
      throw this.#damaged(`block ${number}`)
    }
    const shapes: SourceShape[] = []
    for (let before = first, at = 0; before < doc; before++) {
      const length = this.#lengths[before]!
      if (bytes[at] === shapeMark && length !== 0) shapes.push(this.#shapeAt(bytes, at + 1))
      at += length
    }
    // A copy in Node.js's pool of small buffers, which costs less than memory of its own.
    const own = Buffer.from(bytes.subarray(from, to))
    this.#last = { bytes: own, firstDoc: doc, starts: onlyStart, shapes }
    this.#lastDoc = doc
    return this.#last
  }

  /** Decompresses blocks, caches them and returns the first. */
  #decompress(numbers: readonly number[]): PlainBlock {
    const starts = numbers.map((number) => this.#startsOf(number))
    const total = starts.reduce((sum, { length }) => sum + length, 0)
    const stored = numbers.map((number) => this.stored(number))
    let bytes: Uint8Array
    try {
      bytes = decompressBlocks(stored, total, this.codec)
    } catch {
      throw this.#damaged(`block ${numbers[0]}`)
    }
    let first: PlainBlock | undefined
    let at = 0
    for (const [i, number] of numbers.entries()) {
      const { starts: ofDocs, length } = starts[i]!
      // A block of several has bytes of its own: one that stays cached must not keep the others.
      const own = numbers.length === 1 ? bytes : new Uint8Array(bytes.subarray(at, at + length))
      at += length
      const firstDoc = this.firstDoc(number)
      const block = { bytes: own, firstDoc, starts: ofDocs, shapes: this.#shapesOf(number, own, ofDocs) }
      this.#cached.set(number, block)
      first ??= block
    }
    return first!
  }

  #startsOf(number: number): { readonly starts: Uint32Array; readonly length: number } {
    const first = this.firstDoc(number)
    const starts = new Uint32Array(this.#docEnds[number]! - first)
    let length = 0
    for (let i = 0; i < starts.length; i++) {
      starts[i] = length
      length += this.#lengths[first + i]!
    }
    return { starts, length }
  }

  #shapesOf(number: number, bytes: Uint8Array, starts: Uint32Array): SourceShape[] {
    const first = this.firstDoc(number)
    const shapes: SourceShape[] = []
    for (let i = 0; i < starts.length; i++)
      if (bytes[starts[i]!] === shapeMark && this.#lengths[first + i] !== 0)
        shapes.push(this.#shapeAt(bytes, starts[i]! + 1))
    return shapes
  }
}

/** The values of a record, or the whole source when it has no shape; the next read overwrites them. */
interface RecordValues {
  readonly shape: SourceShape | undefined
  readonly view: DataView
  readonly start: number
  readonly end: number
}

function entryOf({ shape, view, start, end }: RecordValues): SourceEntry {
  return { bytes: new Uint8Array(view.buffer, view.byteOffset + start, end - start), shape }
}

function codecOf(sections: Sections): BlockCodec {
  if (!sections.has('source.codec')) return 'brotli'
  const code = readWords(sections, 'source.codec')[0]
  if (code !== deflateCode)
    throw new CorruptSegment(sections.path ?? 'a segment', `is damaged: its sources have codec ${code}`)
  return 'deflate'
}

const nothing = new Uint8Array(0)
