/**
 * Ranges of a section of bytes. A list of postings is a small part of its section, so only the blocks it lies in are
 * decoded. They are entries of the decoded cache: what many searches read stays, and a section larger than the cache
 * does not evict everything else.
 */
import { CachedValue, type DecodedCache } from './decoded-cache.ts'
import { lowerBound } from './encoding/binary-search.ts'
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
  readonly #blocks: RandomBlocks
  readonly #memory: DecodedCache | null
  readonly #held = new Map<number, CachedValue<Uint8Array>>()

  /** `memory` counts the decoded blocks. */
  constructor(blocks: RandomBlocks, memory: DecodedCache | null = null) {
    this.#blocks = blocks
    this.#memory = memory
  }

  range(from: number, to: number): Uint8Array {
    const { starts } = this.#blocks
    let block = lowerBound(starts, from + 1, 0) - 1
    if (to <= starts[block + 1]!)
      return this.#block(block).subarray(from - starts[block]!, to - starts[block]!)
    const bytes = new Uint8Array(to - from)
    for (let at = from; at < to; block++) {
      const part = this.#block(block).subarray(at - starts[block]!, to - starts[block]!)
      bytes.set(part, at - from)
      at += part.length
    }
    return bytes
  }

  #block(number: number): Uint8Array {
    const known = this.#held.get(number)?.value
    if (known !== undefined) return known
    const bytes = this.#blocks.block(number)
    this.#held.set(number, this.#memory?.hold(bytes, bytes.length) ?? new CachedValue(bytes))
    return bytes
  }
}
