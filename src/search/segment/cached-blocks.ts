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
  #last: CachedValue<Block> | undefined
  #lastNumber = -1

  /** `memory` counts the decoded blocks. */
  constructor(blocks: RandomBlocks<Block>, memory: DecodedCache | null) {
    this.starts = blocks.starts
    this.#blocks = blocks
    this.#memory = memory
  }

  /** The number of the block in which a byte or text lies. Neighbours mostly lie in the block that was read last. */
  numberOf(place: number): number {
    const last = this.#lastNumber
    if (last >= 0 && place >= this.starts[last]! && place < this.starts[last + 1]!) return last
    return lowerBound(this.starts, place + 1, 0) - 1
  }

  get(number: number): Block {
    const held = number === this.#lastNumber ? this.#last : this.#held.get(number)
    const known = held?.value
    return known === undefined ? this.#read(number) : this.#keep(number, held!, known)
  }

  #read(number: number): Block {
    const block = this.#blocks.block(number)
    const held = this.#memory?.hold(block, sectionBytes(block)) ?? new CachedValue(block)
    this.#held.set(number, held)
    return this.#keep(number, held, block)
  }

  #keep(number: number, held: CachedValue<Block>, block: Block): Block {
    this.#last = held
    this.#lastNumber = number
    return block
  }
}
