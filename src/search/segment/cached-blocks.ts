/**
 * The decoded blocks of a section, as entries of the decoded cache: what many searches read stays, and a section larger
 * than the cache does not evict everything else.
 */
import { CachedValue, type DecodedCache } from './decoded-cache.ts'
import { lowerBound } from './encoding/binary-search.ts'
import { type RandomBlocks, type Section, sectionBytes } from './encoding/sections.ts'

export class CachedBlocks<Block extends Section> {
  readonly starts: Uint32Array
  readonly #blocks: RandomBlocks<Block>
  readonly #memory: DecodedCache | null
  readonly #held = new Map<number, CachedValue<Block>>()

  /** `memory` counts the decoded blocks. */
  constructor(blocks: RandomBlocks<Block>, memory: DecodedCache | null) {
    this.starts = blocks.starts
    this.#blocks = blocks
    this.#memory = memory
  }

  /** The number of the block in which a byte or text lies. */
  numberOf(place: number): number {
    return lowerBound(this.starts, place + 1, 0) - 1
  }

  get(number: number): Block {
    const known = this.#held.get(number)?.value
    if (known !== undefined) return known
    const block = this.#blocks.block(number)
    this.#held.set(number, this.#memory?.hold(block, sectionBytes(block)) ?? new CachedValue(block))
    return block
  }
}
