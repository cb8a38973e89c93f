/**
 * The JSON texts of documents, in compressed blocks. A block is decompressed as a whole and the last few are
 * kept, because hits of one page often stand together.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { ByteWriter } from './byte-writer.ts'
import { GrowingFloat64, GrowingUint32 } from './growing-array.ts'
import { bytesOf, type Sections } from './sections.ts'

const blockBytes = 32 * 1024
const keptBlocks = 16
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

export class SourceWriter {
  #block = new ByteWriter(blockBytes * 2)
  #blocks = new ByteWriter(blockBytes)
  /** Where each block ends, compressed and not. */
  #storedEnds = new GrowingFloat64()
  #plainEnds = new GrowingFloat64()
  /** Length of each document's text. */
  #lengths = new GrowingUint32()
  #plain = 0

  add(text: Uint8Array): void {
    this.#lengths.push(text.length)
    this.#block.bytes(text)
    this.#plain += text.length
    if (this.#block.length >= blockBytes) this.#finishBlock()
  }

  #finishBlock(): void {
    if (this.#block.length === 0) return
    this.#blocks.bytes(brotliCompressSync(this.#block.finish(), fast))
    this.#block = new ByteWriter(blockBytes * 2)
    this.#storedEnds.push(this.#blocks.length)
    this.#plainEnds.push(this.#plain)
  }

  finish(sections: Map<string, Uint8Array>): void {
    this.#finishBlock()
    sections.set('source', this.#blocks.finish())
    sections.set('source.stored', bytesOf(this.#storedEnds.view().slice()))
    sections.set('source.plain', bytesOf(this.#plainEnds.view().slice()))
    sections.set('source.lengths', bytesOf(this.#lengths.view().slice()))
  }
}

export class SourceReader {
  #sections: Sections
  #storedEnds: Float64Array
  #plainEnds: Float64Array
  #starts: Float64Array
  #kept = new Map<number, Uint8Array>()

  constructor(
    sections: Sections,
    parts: { storedEnds: Float64Array; plainEnds: Float64Array; lengths: Uint32Array },
  ) {
    this.#sections = sections
    this.#storedEnds = parts.storedEnds
    this.#plainEnds = parts.plainEnds
    this.#starts = new Float64Array(parts.lengths.length + 1)
    for (let i = 0; i < parts.lengths.length; i++) this.#starts[i + 1] = this.#starts[i]! + parts.lengths[i]!
  }

  read(doc: number): Uint8Array {
    const start = this.#starts[doc]!
    const end = this.#starts[doc + 1]!
    if (start === end) return new Uint8Array(0)
    // A text never spans blocks.
    const block = this.#blockAt(start)
    const blockStart = block === 0 ? 0 : this.#plainEnds[block - 1]!
    return this.#plain(block).subarray(start - blockStart, end - blockStart)
  }

  #blockAt(offset: number): number {
    let low = 0
    let high = this.#plainEnds.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#plainEnds[middle]! <= offset) low = middle + 1
      else high = middle
    }
    return low
  }

  #plain(block: number): Uint8Array {
    let plain = this.#kept.get(block)
    if (plain !== undefined) return plain
    const from = block === 0 ? 0 : this.#storedEnds[block - 1]!
    plain = brotliDecompressSync(this.#sections.readRange('source', from, this.#storedEnds[block]!))
    if (this.#kept.size >= keptBlocks) this.#kept.delete(this.#kept.keys().next().value!)
    this.#kept.set(block, plain)
    return plain
  }
}
