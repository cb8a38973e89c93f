/** The block of records that was read last in this thread, of whichever segment; the hits of a page are often neighbours. */
import { recordMargin } from './record-decoder.ts'

const usualBytes = 32 * 1024

class RecordBlock {
  #bytes = new Uint8Array(usualBytes)
  view = new DataView(this.#bytes.buffer)
  #reader = -1
  #block = -1

  /** Readers have numbers, so that one that is closed can go. */
  isOf(reader: number, block: number): boolean {
    return reader === this.#reader && block === this.#block
  }

  /** Returns memory to read a block into; what was read before is gone. */
  room(length: number): Uint8Array {
    this.#reader = -1
    const needed = Math.max(length + recordMargin, usualBytes)
    if (needed > this.#bytes.length || this.#bytes.length > needed * 4) {
      this.#bytes = new Uint8Array(needed)
      this.view = new DataView(this.#bytes.buffer)
    }
    return this.#bytes
  }

  /** Takes a block that was read, into that memory or into other memory. */
  set(reader: number, block: number, bytes: Uint8Array): void {
    if (bytes.buffer !== this.#bytes.buffer) this.#bytes.set(bytes)
    this.#reader = reader
    this.#block = block
  }

  bytes(from: number, to: number): Uint8Array {
    return this.#bytes.subarray(from, to)
  }
}

export const recordBlock = new RecordBlock()
