/**
 * The JSON texts of documents in a file, in compressed blocks. A block is decompressed as a whole and the last few are
 * kept, because hits of one page often stand together. Of documents that are alike it has the values: behind a mark and
 * the number of their shape in the block, or the shape itself where it is the first (`source-shape.ts`). Any other text
 * stands there as it is. Sections: `source` (the blocks), `source.stored` (where each ends there), `source.crcs`
 * (CRC-32 of each, checked whenever it is read), `source.docs` (the document each ends in front of), `source.lengths`
 * (of what stands there for every document).
 */
import { crc32 } from 'node:zlib'
import { compress, decompress } from './encoding/compression.ts'
import { GrowingFloat64, GrowingUint32 } from './encoding/growing-array.ts'
import { blockValues } from './encoding/section-blocks.ts'
import { readNumbers, readWords, type Sections } from './encoding/sections.ts'
import { BadSegment, SectionStream, type WrittenSection } from './segment-file.ts'
import { documentOf, type SourceEntry, SourceShape } from './writer/source-shape.ts'

/** Half of it takes a third longer to compress and an eighth more room; a block of a hit is read in 0.2 ms. */
const blockBytes = 64 * 1024
const keptBlocks = 16
/** In front of a text that begins with a mark; no JSON does. */
const wholeMark = 0
const numberMark = 1
const shapeMark = 2
/** Of a mark and the number behind it, which has two bytes: a block has no more entries. */
const markBytes = 3
/** Shapes a reader remembers, so that the same one in many blocks is there once. */
const maxKnownShapes = 1024

/** Whatever has the texts of documents. */
export interface SourceTexts {
  /** Of those that are in memory. */
  readonly bytes: number
  /** As it is kept; shapes that are the same are mostly the same object. */
  entry(doc: number): SourceEntry
  read(doc: number): Uint8Array
}

/** Makes blocks of texts as they come; the figures of all blocks are there when the pieces have been taken. */
export class SourceWriter {
  #block = new Uint8Array(blockBytes * 2)
  #filled = 0
  #docs = 0
  #stored = 0
  /** Those of the block, with their numbers. */
  readonly #shapes = new Map<SourceShape, number>()
  readonly #storedEnds = new GrowingFloat64()
  readonly #crcs = new GrowingUint32()
  readonly #docEnds = new GrowingUint32()
  readonly #lengths = new GrowingUint32()

  /** A text, or the values along a shape. A finished block, or undefined when it is waiting for more. */
  add(bytes: Uint8Array, shape?: SourceShape): Uint8Array | undefined {
    const before = this.#filled
    this.#docs += 1
    if (bytes.length > 0) {
      this.#reserve(bytes.length + markBytes + (shape?.definition.length ?? 0))
      if (shape !== undefined) this.#mark(shape)
      else if (bytes[0]! <= shapeMark) this.#block[this.#filled++] = wholeMark
      this.#block.set(bytes, this.#filled)
      this.#filled += bytes.length
    }
    this.#lengths.push(this.#filled - before)
    return this.#filled >= blockBytes ? this.finishBlock() : undefined
  }

  #reserve(bytes: number): void {
    if (this.#filled + bytes <= this.#block.length) return
    const larger = new Uint8Array((this.#filled + bytes) * 2)
    larger.set(this.#block.subarray(0, this.#filled))
    this.#block = larger
  }

  #mark(shape: SourceShape): void {
    const number = this.#shapes.get(shape)
    if (number === undefined) {
      this.#shapes.set(shape, this.#shapes.size)
      this.#block[this.#filled++] = shapeMark
      this.#block.set(shape.definition, this.#filled)
      this.#filled += shape.definition.length
    } else {
      this.#block[this.#filled++] = numberMark
      this.#block[this.#filled++] = number & 0xff
      this.#block[this.#filled++] = number >>> 8
    }
  }

  /** What is waiting, as a block of its own. */
  finishBlock(): Uint8Array | undefined {
    if (this.#filled === 0) return undefined
    const block = compress(this.#block.subarray(0, this.#filled))
    this.#filled = 0
    this.#shapes.clear()
    this.#ended(block.length, crc32(block))
    return block
  }

  /** A block that is compressed already, and the lengths of its texts. Nothing may be waiting. */
  take(storedBytes: number, crc: number, lengths: Uint32Array): void {
    for (let i = 0; i < lengths.length; i++) this.#lengths.push(lengths[i]!)
    this.#docs += lengths.length
    this.#ended(storedBytes, crc)
  }

  /** Lengths, when there are enough for a block of them. */
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
  }

  *figures(): Iterable<WrittenSection> {
    yield ['source.stored', this.#storedEnds.view()]
    yield ['source.crcs', this.#crcs.view()]
    yield ['source.docs', this.#docEnds.view()]
    yield ['source.lengths', this.#lengths.view()]
  }
}

/** The sections of texts that are in memory. */
export function* sourceSections(
  texts: Pick<SourceTexts, 'entry'>,
  docCount: number,
): Iterable<WrittenSection> {
  const writer = new SourceWriter()
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

export class SourceReader implements SourceTexts {
  readonly bytes = 0
  readonly #sections: Sections
  readonly #storedEnds: Float64Array
  readonly #crcs: Uint32Array
  readonly #docEnds: Uint32Array
  readonly #lengths: Uint32Array
  readonly #kept = new Map<number, Block>()
  /** By their definitions. */
  readonly #shapes = new Map<string, SourceShape>()

  constructor(sections: Sections) {
    this.#sections = sections
    this.#storedEnds = readNumbers(sections, 'source.stored')
    this.#crcs = readWords(sections, 'source.crcs')
    this.#docEnds = readWords(sections, 'source.docs')
    this.#lengths = readWords(sections, 'source.lengths')
  }

  get blockCount(): number {
    return this.#docEnds.length
  }

  /** The first document of a block; documents without a text may stand behind the last. */
  firstDoc(block: number): number {
    return block === 0 ? 0 : this.#docEnds[block - 1]!
  }

  lengths(from: number, to: number): Uint32Array {
    return this.#lengths.subarray(from, to)
  }

  /** Compressed. */
  stored(block: number): Uint8Array {
    const end = this.#storedEnds[block]!
    const bytes = this.#sections.readRange('source', end - this.storedBytes(block), end)
    if (crc32(bytes) !== this.crc(block)) throw this.#damaged(`block ${block}`)
    return bytes
  }

  crc(block: number): number {
    return this.#crcs[block]!
  }

  storedBytes(block: number): number {
    return this.#storedEnds[block]! - (block === 0 ? 0 : this.#storedEnds[block - 1]!)
  }

  read(doc: number): Uint8Array {
    return documentOf(this.entry(doc))
  }

  entry(doc: number): SourceEntry {
    const length = this.#lengths[doc]!
    if (length === 0) return { bytes: nothing, shape: undefined }
    const number = this.#blockOf(doc)
    const { bytes, starts, shapes } = this.#plain(number)
    let from = starts[doc - this.firstDoc(number)]!
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

  #damaged(what: string): BadSegment {
    return new BadSegment(this.#sections.path ?? 'a segment', `is damaged: section source, ${what}`)
  }

  #shapeAt(bytes: Uint8Array, from: number): SourceShape {
    const shape = SourceShape.at(bytes, from)
    const { buffer, byteOffset, length } = shape.definition
    const key = Buffer.from(buffer, byteOffset, length).toString('latin1')
    const known = this.#shapes.get(key)
    if (known !== undefined) return known
    if (this.#shapes.size === maxKnownShapes) this.#shapes.clear()
    this.#shapes.set(key, shape)
    return shape
  }

  #blockOf(doc: number): number {
    let low = 0
    let high = this.#docEnds.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#docEnds[middle]! <= doc) low = middle + 1
      else high = middle
    }
    return low
  }

  #plain(number: number): Block {
    let block = this.#kept.get(number)
    if (block !== undefined) return block
    const first = this.firstDoc(number)
    const starts = new Uint32Array(this.#docEnds[number]! - first)
    let length = 0
    for (let i = 0; i < starts.length; i++) {
      starts[i] = length
      length += this.#lengths[first + i]!
    }
    const bytes = decompress(this.stored(number), length)
    const shapes: SourceShape[] = []
    for (let i = 0; i < starts.length; i++)
      if (bytes[starts[i]!] === shapeMark && this.#lengths[first + i] !== 0)
        shapes.push(this.#shapeAt(bytes, starts[i]! + 1))
    block = { bytes, starts, shapes }
    if (this.#kept.size >= keptBlocks) this.#kept.delete(this.#kept.keys().next().value!)
    this.#kept.set(number, block)
    return block
  }
}

interface Block {
  readonly bytes: Uint8Array
  /** Of what there is for each document in the bytes. */
  readonly starts: Uint32Array
  readonly shapes: readonly SourceShape[]
}

const nothing = new Uint8Array(0)
