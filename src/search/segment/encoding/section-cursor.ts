/** Reads the numbers or bytes of a section sequentially, one block in memory at a time. */
import { byteBlocks, type Sections, wordBlocks } from './sections.ts'

const noWords: Uint32Array = new Uint32Array(0)
const noBytes: Uint8Array = new Uint8Array(0)

export class WordCursor {
  readonly #blocks: () => Uint32Array | undefined
  #block = noWords
  #at = 0

  constructor(sections: Sections, name: string) {
    this.#blocks = wordBlocks(sections, name)
  }

  next(): number {
    while (this.#at >= this.#block.length) {
      const block = this.#blocks()
      if (block === undefined) throw new Error('the section has no more numbers')
      this.#block = block
      this.#at = 0
    }
    return this.#block[this.#at++]!
  }
}

export class ByteCursor {
  /** The bytes taken last are `bytes[start, end)`. */
  bytes = noBytes
  start = 0
  end = 0
  readonly #blocks: () => Uint8Array | undefined
  #block = noBytes
  #at = 0

  constructor(sections: Sections, name: string) {
    this.#blocks = byteBlocks(sections, name)
  }

  take(length: number): void {
    if (this.#at + length <= this.#block.length) {
      this.bytes = this.#block
      this.start = this.#at
      this.#at += length
      this.end = this.#at
      return
    }
    const bytes = new Uint8Array(length)
    for (let filled = 0; filled < length; ) {
      if (this.#at >= this.#block.length) {
        const block = this.#blocks()
        if (block === undefined) throw new Error('the section has no more bytes')
        this.#block = block
        this.#at = 0
      }
      const more = Math.min(length - filled, this.#block.length - this.#at)
      bytes.set(this.#block.subarray(this.#at, this.#at + more), filled)
      this.#at += more
      filled += more
    }
    this.bytes = bytes
    this.start = 0
    this.end = length
  }
}
