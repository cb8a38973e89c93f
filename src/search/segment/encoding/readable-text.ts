/** Texts where they are, for readers that look at whole words: there is room for one behind each. */
import type { Chunk } from '../writer/source-arena.ts'

const padding = 8
const copiedBytes = 64 * 1024

class ReadableTexts {
  readonly #copies = chunkOf(new ArrayBuffer(copiedBytes + padding))
  /** The memory of the last text; many come out of the same. */
  #last = this.#copies
  /** Where the last text begins. */
  start = 0

  /** Where the text can be read until the next one is asked for; undefined for a long one at the end of its memory. */
  at(text: Uint8Array): Chunk | undefined {
    const { buffer, byteOffset, length } = text
    if (byteOffset + length + padding <= buffer.byteLength) {
      this.start = byteOffset
      if (this.#last.bytes.buffer !== buffer) this.#last = chunkOf(buffer)
      return this.#last
    }
    if (length > copiedBytes) return undefined
    this.#copies.bytes.set(text)
    this.start = 0
    return this.#copies
  }

  /** Lets go of the memory of the last text. */
  forget(): void {
    this.#last = this.#copies
  }
}

/** One for all, because the memory of the last text lives as long as it is known here. */
export const readableTexts = new ReadableTexts()

function chunkOf(buffer: ArrayBufferLike): Chunk {
  return { bytes: new Uint8Array(buffer), view: new DataView(buffer) }
}
