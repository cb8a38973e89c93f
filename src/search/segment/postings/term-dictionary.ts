/**
 * The terms dictionary: terms in byte order, found by binary search, first among the first terms of the blocks, then in
 * one block. Lucene has an FST over blocks on disk; here the blocks that a search meets are decoded and cached, and their
 * first terms are kept in memory.
 */
import { CachedBlocks } from '../cached-blocks.ts'
import type { DecodedCache } from '../decoded-cache.ts'
import { type RandomBlocks, type TextList, textAt } from '../encoding/sections.ts'
import type { Terms } from '../segment.ts'

const encoder = new TextEncoder()

export class TermDictionary implements Terms {
  readonly size: number
  readonly #blocks: CachedBlocks<TextList>
  /** The first term of each block that was read. */
  readonly #firsts: (Uint8Array | undefined)[] = []

  constructor(terms: RandomBlocks<TextList>, memory: DecodedCache | null) {
    this.size = terms.starts[terms.starts.length - 1]!
    this.#blocks = new CachedBlocks(terms, memory)
  }

  term(ordinal: number): string {
    const block = this.#blocks.numberOf(ordinal)
    return textAt(this.#blocks.get(block), ordinal - this.#blocks.starts[block]!)
  }

  find(term: string): number {
    const bytes = encoder.encode(term)
    const at = this.#lowerBound(bytes)
    if (at === this.size) return -1
    const block = this.#blocks.numberOf(at)
    return compare(this.#blocks.get(block), at - this.#blocks.starts[block]!, bytes) === 0 ? at : -1
  }

  lowerBound(term: string): number {
    return this.#lowerBound(encoder.encode(term))
  }

  #lowerBound(bytes: Uint8Array): number {
    if (this.size === 0) return 0
    const { starts } = this.#blocks
    // The last block whose first term is below: the term is in it or begins the next one.
    let block = 0
    for (let low = 1, high = starts.length - 2; low <= high; ) {
      const middle = (low + high) >>> 1
      if (Buffer.compare(this.#first(middle), bytes) < 0) {
        block = middle
        low = middle + 1
      } else high = middle - 1
    }
    const texts = this.#blocks.get(block)
    let low = 0
    let high = texts.ends.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compare(texts, middle, bytes) < 0) low = middle + 1
      else high = middle
    }
    return starts[block]! + low
  }

  #first(block: number): Uint8Array {
    const known = this.#firsts[block]
    if (known !== undefined) return known
    const { bytes, ends } = this.#blocks.get(block)
    const first = bytes.slice(0, ends[0]!)
    this.#firsts[block] = first
    return first
  }
}

/** Returns the sign of term minus bytes. */
function compare({ bytes: text, ends }: TextList, place: number, bytes: Uint8Array): number {
  const start = place === 0 ? 0 : ends[place - 1]!
  const length = ends[place]! - start
  const shared = Math.min(length, bytes.length)
  for (let i = 0; i < shared; i++) {
    const difference = text[start + i]! - bytes[i]!
    if (difference !== 0) return difference
  }
  return length - bytes.length
}
