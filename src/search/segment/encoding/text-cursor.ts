/**
 * Iterates over a list of texts, in memory or block by block from a file, and tells how many bytes each text shares
 * with the one before.
 */
import { copyBytes } from './copy-bytes.ts'
import { FrontCoded } from './front-coded.ts'
import type { Sections } from './sections.ts'

const none = new FrontCoded(new Uint32Array(0), new Uint32Array(0), new Uint8Array(0))

export class TextCursor {
  /** The number of texts. */
  readonly size: number
  /** The current text is the first `length` bytes; they are overwritten when the cursor moves. */
  bytes: Uint8Array = new Uint8Array(256)
  view = new DataView(this.bytes.buffer)
  length = 0
  /** The ordinal of the current text; -1 before the first. */
  ordinal = -1
  /** How many bytes the text shares with the one before. */
  shared = 0
  readonly #blocks: () => FrontCoded | undefined
  #block = none
  #suffixView = new DataView(none.suffixes.buffer)
  #place = -1
  #from = 0

  constructor(sections: Sections, name: string) {
    this.size = sections.countOf(name)
    this.#blocks = sections.textBlocks(name)
  }

  /** Moves to the next text; false at the end. */
  next(): boolean {
    this.#place += 1
    if (this.#place >= this.#block.shared.length && !this.#open()) return false
    this.ordinal += 1
    const { shared, rest, suffixes } = this.#block
    let at = shared[this.#place]!
    const length = at + rest[this.#place]!
    if (length > this.bytes.length) this.#grow(length)
    const { bytes } = this
    let from = this.#from
    // The first text of a block is stored whole; compute what it shares with the last text of the block before.
    if (this.#place === 0) {
      const max = Math.min(length, this.length)
      while (at < max && bytes[at] === suffixes[from]) {
        at++
        from++
      }
    }
    this.shared = at
    this.#from = from + length - at
    copyBytes(this.#suffixView, from, this.#from, this.view, at)
    this.length = length
    return true
  }

  #open(): boolean {
    const block = this.#blocks()
    // An empty list is one block without texts.
    if (block === undefined || block.shared.length === 0) return false
    this.#block = block
    const { buffer, byteOffset, byteLength } = block.suffixes
    this.#suffixView = new DataView(buffer, byteOffset, byteLength)
    this.#place = 0
    this.#from = 0
    return true
  }

  #grow(length: number): void {
    const larger = new Uint8Array(length * 2)
    larger.set(this.bytes.subarray(0, this.length))
    this.bytes = larger
    this.view = new DataView(larger.buffer)
  }
}
