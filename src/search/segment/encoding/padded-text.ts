/**
 * Gives access to texts for readers that load whole words: behind each text at least a word is readable. A text
 * whose memory ends right behind it is copied to padded memory first.
 */
import type { Chunk } from '../writer/source-arena.ts'

const padding = 8
const copiedBytes = 64 * 1024

class PaddedTexts {
  readonly #copies = chunkOf(new ArrayBuffer(copiedBytes + padding))
  /** The memory of the last text; neighbouring texts often share it. */
  #last = this.#copies
  /** Where the last text begins. */
  start = 0

  /**
   * Returns memory in which the text can be read until the next call; undefined for a long text at the end of its
   * memory.
   */
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

  /** Releases the memory of the last text. */
  forget(): void {
    this.#last = this.#copies
  }
}

/** One instance for the thread, because it keeps the memory of the last text alive. */
export const paddedTexts = new PaddedTexts()

function chunkOf(buffer: ArrayBufferLike): Chunk {
  return { bytes: new Uint8Array(buffer), view: new DataView(buffer) }
}
