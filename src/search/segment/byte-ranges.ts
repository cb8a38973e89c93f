/**
 * Ranges of a section of bytes. A list of postings is a small part of its section, so only the blocks it lies in are
 * decoded.
 */
import { CachedBlocks } from './cached-blocks.ts'
import type { DecodedCache } from './decoded-cache.ts'
import type { RandomBlocks } from './encoding/sections.ts'

export interface ByteRanges {
  /** Returns the bytes from one offset up to another; they must not be written to. */
  range(from: number, to: number): Uint8Array
}

/** Bytes that are in memory anyway. */
export class WholeBytes implements ByteRanges {
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  range(from: number, to: number): Uint8Array {
    return this.#bytes.subarray(from, to)
  }
}

export const noBytes = new WholeBytes(new Uint8Array(0))

export class BlockRanges implements ByteRanges {
  readonly #blocks: CachedBlocks<Uint8Array>

  constructor(blocks: RandomBlocks<Uint8Array>, memory: DecodedCache | null = null) {
    this.#blocks = new CachedBlocks(blocks, memory)
  }

  range(from: number, to: number): Uint8Array {
    const { starts } = this.#blocks
    let block = this.#blocks.numberOf(from)
    if (to <= starts[block + 1]!)
      return this.#blocks.get(block).subarray(from - starts[block]!, to - starts[block]!)
    const bytes = new Uint8Array(to - from)
    for (let at = from; at < to; block++) {
      const part = this.#blocks.get(block).subarray(at - starts[block]!, to - starts[block]!)
      bytes.set(part, at - from)
      at += part.length
    }
    return bytes
  }
}
