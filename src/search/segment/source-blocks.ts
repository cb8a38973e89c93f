/**
 * The JSON texts of documents in a file, in compressed blocks of whole texts. A block is decompressed as a whole and
 * the last few are kept, because hits of one page often stand together. Sections: `source` (the blocks),
 * `source.stored` (where each ends there), `source.crcs` (CRC-32 of each, checked whenever it is read), `source.docs`
 * (the document each ends in front of), `source.lengths` (of every text).
 */
import { crc32 } from 'node:zlib'
import { compress, decompress } from './compression.ts'
import { GrowingFloat64, GrowingUint32 } from './growing-array.ts'
import { blockValues } from './section-blocks.ts'
import { readNumbers, readWords, type Sections } from './sections.ts'
import { BadSegment, SectionStream, type WrittenSection } from './segment-file.ts'

/** Half of it takes a third longer to compress and an eighth more room; a block of a hit is read in 0.2 ms. */
const blockBytes = 64 * 1024
const keptBlocks = 16

/** Whatever has the texts of documents. */
export interface SourceTexts {
  /** Of those that are in memory. */
  readonly bytes: number
  read(doc: number): Uint8Array
}

/** Makes blocks of texts as they come; the figures of all blocks are there when the pieces have been taken. */
export class SourceWriter {
  #block = new Uint8Array(blockBytes * 2)
  #filled = 0
  #docs = 0
  #stored = 0
  readonly #storedEnds = new GrowingFloat64()
  readonly #crcs = new GrowingUint32()
  readonly #docEnds = new GrowingUint32()
  readonly #lengths = new GrowingUint32()

  /** A finished block, or undefined when the text is waiting for more. */
  add(text: Uint8Array): Uint8Array | undefined {
    this.#lengths.push(text.length)
    this.#docs += 1
    if (this.#filled + text.length > this.#block.length) {
      const larger = new Uint8Array((this.#filled + text.length) * 2)
      larger.set(this.#block.subarray(0, this.#filled))
      this.#block = larger
    }
    this.#block.set(text, this.#filled)
    this.#filled += text.length
    return this.#filled >= blockBytes ? this.finishBlock() : undefined
  }

  /** What is waiting, as a block of its own. */
  finishBlock(): Uint8Array | undefined {
    if (this.#filled === 0) return undefined
    const block = compress(this.#block.subarray(0, this.#filled))
    this.#filled = 0
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
  texts: Pick<SourceTexts, 'read'>,
  docCount: number,
): Iterable<WrittenSection> {
  const writer = new SourceWriter()
  function* blocks(): Iterable<Uint8Array> {
    for (let doc = 0; doc < docCount; doc++) {
      const block = writer.add(texts.read(doc))
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
    if (crc32(bytes) !== this.crc(block)) throw new BadSegment(`block ${block} of section source is damaged`)
    return bytes
  }

  crc(block: number): number {
    return this.#crcs[block]!
  }

  storedBytes(block: number): number {
    return this.#storedEnds[block]! - (block === 0 ? 0 : this.#storedEnds[block - 1]!)
  }

  read(doc: number): Uint8Array {
    const length = this.#lengths[doc]!
    if (length === 0) return nothing
    const number = this.#blockOf(doc)
    const { bytes, starts } = this.#plain(number)
    const start = starts[doc - this.firstDoc(number)]!
    return bytes.subarray(start, start + length)
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
    block = { bytes: decompress(this.stored(number), length), starts }
    if (this.#kept.size >= keptBlocks) this.#kept.delete(this.#kept.keys().next().value!)
    this.#kept.set(number, block)
    return block
  }
}

interface Block {
  readonly bytes: Uint8Array
  /** Of each text in the bytes. */
  readonly starts: Uint32Array
}

const nothing = new Uint8Array(0)
