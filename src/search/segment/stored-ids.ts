/** The `_id`s of a segment by document. A page needs few of them, so only their blocks are decoded. */
import { CachedBlocks } from './cached-blocks.ts'
import type { DecodedCache } from './decoded-cache.ts'
import { type RandomBlocks, type TextList, textAt } from './encoding/sections.ts'

export class StoredIds {
  readonly #blocks: CachedBlocks<TextList>

  constructor(ids: RandomBlocks<TextList>, memory: DecodedCache | null) {
    this.#blocks = new CachedBlocks(ids, memory)
  }

  id(doc: number): string {
    const block = this.#blocks.numberOf(doc)
    return textAt(this.#blocks.get(block), doc - this.#blocks.starts[block]!)
  }
}
