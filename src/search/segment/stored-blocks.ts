/**
 * Blocks of stored fields: their codec, and an LRU cache of decompressed ones. A block ends with a full
 * flush and no end mark, so any number of them, one behind the other, are one DEFLATE stream: the blocks of a page
 * are decompressed in one call, which would otherwise cost more than the work it does. A block of which one document
 * is wanted is decompressed as far as that document (`encoding/inflate.ts`).
 */
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import { decompress } from './encoding/compression.ts'
import { Inflater, inputMargin, outputMargin } from './encoding/inflate.ts'
import type { SourceShape } from './writer/source-shape.ts'

/**
 * The plain bytes of a block. `docs/decisions/0029-small-blocks-of-deflate.md` has the sizes and codecs that were
 * measured.
 */
export const blockBytes = 12 * 1024
/** The stored bytes of a block of records: what a read of the file should be worth. */
export const recordBlockBytes = 4 * 1024
/** Escapes a text that begins with a mark; JSON never does. */
export const wholeMark = 0
export const numberMark = 1
export const shapeMark = 2
/** Bytes of a mark and the number behind it; two bytes suffice, because a block has fewer entries. */
export const markBytes = 3
/** The smallest chunk size that zlib accepts. */
const minChunk = 64
const maxCachedBytes = 4 * 1024 * 1024
/** Blocks whose documents take more than this are decompressed whole. */
const maxStartBytes = 4 * blockBytes

/** How the blocks of a segment are compressed: `brotli` up to format 6, `deflate` since. */
export type BlockCodec = 'brotli' | 'deflate'

/** What the section `source.codec` says of DEFLATE; segments without the section have brotli. */
export const deflateCode = 1

/** Level 1: higher levels take a third longer and save two percent. */
export function compressBlock(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes, { level: 1, finishFlush: constants.Z_FULL_FLUSH })
}

/** Decompresses blocks that lie one behind the other, to `length` bytes together. */
export function decompressBlocks(
  stored: readonly Uint8Array[],
  length: number,
  codec: BlockCodec,
): Uint8Array {
  if (codec === 'brotli') {
    if (stored.length !== 1) throw new RangeError('brotli blocks are decompressed one by one')
    return decompress(stored[0]!, length)
  }
  const bytes = inflateRawSync(stored.length === 1 ? stored[0]! : Buffer.concat(stored), {
    finishFlush: constants.Z_SYNC_FLUSH,
    chunkSize: Math.max(minChunk, length),
  })
  if (bytes.length !== length) throw new RangeError(`blocks of ${length} bytes have ${bytes.length}`)
  return bytes
}

/** Decompresses the start of blocks, in memory that is reused. */
class StartOfBlock {
  readonly #inflater = new Inflater()
  readonly #input = new Uint8Array(blockBytes + inputMargin)
  readonly #output = new Uint8Array(maxStartBytes + outputMargin)

  /** Memory that a block may be read into. */
  get input(): Uint8Array {
    return this.#input
  }

  /** Returns at least `length` bytes; the next call overwrites them. */
  read(stored: Uint8Array, length: number): Uint8Array {
    if (stored.buffer !== this.#input.buffer) this.#input.set(stored)
    this.#inflater.inflate(this.#input.subarray(0, stored.length + inputMargin), this.#output, length)
    return this.#output
  }
}

let start: StartOfBlock | undefined

/** Made when a thread first reads a source. */
export function startOfBlock(): StartOfBlock {
  start ??= new StartOfBlock()
  return start
}

/** Returns whether a block of this size, whose first `length` plain bytes are wanted, can be decompressed in part. */
export function hasReadableStart(stored: number, length: number): boolean {
  return stored <= blockBytes && length <= maxStartBytes
}

/** A decompressed block, or one document of it. */
export interface PlainBlock {
  readonly bytes: Uint8Array
  /** The first document of the bytes. */
  readonly firstDoc: number
  /** The start of each document in the bytes. */
  readonly starts: ArrayLike<number>
  readonly shapes: readonly SourceShape[]
}

/** The decompressed blocks of one segment that are cached. */
export class CachedBlocks {
  readonly #blocks = new Map<number, PlainBlock>()

  get(number: number): PlainBlock | undefined {
    const block = this.#blocks.get(number)
    if (block !== undefined) cache.touch(block)
    return block
  }

  has(number: number): boolean {
    return this.#blocks.has(number)
  }

  set(number: number, block: PlainBlock): void {
    this.#blocks.set(number, block)
    cache.add(block, () => this.#blocks.delete(number))
  }
}

/** An LRU cache of the blocks of all segments in this thread; the newest block stays however large it is. */
class BlockCache {
  #bytes = 0
  readonly #evictions = new Map<PlainBlock, () => void>()

  touch(block: PlainBlock): void {
    const evict = this.#evictions.get(block)
    if (evict === undefined) return
    this.#evictions.delete(block)
    this.#evictions.set(block, evict)
  }

  add(block: PlainBlock, evict: () => void): void {
    this.#evictions.set(block, evict)
    this.#bytes += block.bytes.length
    for (const [oldest, evictOldest] of this.#evictions) {
      if (this.#bytes <= maxCachedBytes || oldest === block) break
      this.#evictions.delete(oldest)
      this.#bytes -= oldest.bytes.length
      evictOldest()
    }
  }
}

const cache = new BlockCache()
