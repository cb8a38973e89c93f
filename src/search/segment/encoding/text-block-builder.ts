/** Collects texts in any order until there are enough for a block of a section. */
import { blockBytes } from './section-blocks.ts'
import type { TextList } from './sections.ts'

export class TextBlockBuilder {
  #bytes = new Uint8Array(blockBytes + 4096)
  #length = 0
  #ends = new Uint32Array(4096)
  #count = 0

  get isFull(): boolean {
    return this.#length >= blockBytes
  }

  add(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start
    if (this.#length + length > this.#bytes.length) {
      const larger = new Uint8Array(this.#length + length + blockBytes)
      larger.set(this.#bytes.subarray(0, this.#length))
      this.#bytes = larger
    }
    if (this.#count === this.#ends.length) {
      const larger = new Uint32Array(this.#count * 2)
      larger.set(this.#ends)
      this.#ends = larger
    }
    const own = this.#bytes
    let at = this.#length
    if (length > 64) own.set(bytes.subarray(start, end), at)
    else for (let i = start; i < end; i++) own[at++] = bytes[i]!
    this.#length += length
    this.#ends[this.#count++] = this.#length
  }

  /** Returns the block; it is valid until the next text is added. */
  take(): TextList {
    const texts = {
      bytes: this.#bytes.subarray(0, this.#length),
      ends: this.#ends.subarray(0, this.#count),
    }
    this.#length = 0
    this.#count = 0
    return texts
  }
}
