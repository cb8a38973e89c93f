/**
 * Appends bytes to memory that grows: varints, texts, whole arrays. The memory may belong to a segment builder, as
 * in `growing-array.ts`.
 */

import { type BuilderMemory, memoryFrom } from './builder-memory.ts'
import { copyText } from './copy-bytes.ts'

export const initialSize = 1024
const maxShortText = 32
const padding = 8
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Encodes short ASCII texts by hand, which is quicker than TextEncoder for ids. It caches the last text, because
 * an id is written to the write-ahead log first and to the segment right after.
 */
class ShortText {
  readonly #bytes = new Uint8Array(maxShortText + padding)
  readonly view = new DataView(this.#bytes.buffer)
  #text = ''

  /** Returns whether the text is short ASCII; if so, its bytes are in the view. */
  is(text: string): boolean {
    if (text.length > maxShortText) return false
    if (text === this.#text) return true
    const bytes = this.#bytes
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code > 127) {
        this.#text = ''
        return false
      }
      bytes[i] = code
    }
    this.#text = text
    return true
  }
}

const lastShort = new ShortText()

export class ByteWriter {
  #bytes: Uint8Array
  #view: DataView
  length = 0

  readonly #memory: BuilderMemory | undefined

  constructor(size = initialSize, memory?: BuilderMemory) {
    this.#memory = memory
    this.#bytes = new Uint8Array(memoryFrom(memory, size))
    this.#view = new DataView(this.#bytes.buffer)
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return
    const room = Math.max(this.length + more, this.#bytes.length * 2)
    const larger = new Uint8Array(memoryFrom(this.#memory, room))
    larger.set(this.#bytes.subarray(0, this.length))
    this.#memory?.drop(this.#bytes.buffer)
    this.#bytes = larger
    this.#view = new DataView(larger.buffer)
  }

  /** Writes a LEB128 varint of up to 2^53: seven bits a byte, low bits first. */
  varint(value: number): void {
    this.#reserve(8)
    const bytes = this.#bytes
    let rest = value
    while (rest >= 0x80) {
      bytes[this.length++] = (rest % 0x80) | 0x80
      rest = rest < 0x8000_0000 ? rest >>> 7 : Math.floor(rest / 0x80)
    }
    bytes[this.length++] = rest
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Copies UTF-8 from another memory, in which a few bytes behind `to` must be readable. */
  copy(view: DataView, from: number, to: number): void {
    this.#reserve(to - from + padding)
    copyText(view, from, to, this.#view, this.length)
    this.length += to - from
  }

  /** Writes UTF-8 without its length. */
  text(text: string): void {
    if (lastShort.is(text)) {
      this.copy(lastShort.view, 0, text.length)
      return
    }
    this.#reserve(text.length * 3)
    this.length += encoder.encodeInto(text, this.#bytes.subarray(this.length)).written
  }

  /** Writes the length in bytes plus `more`, then UTF-8. */
  countedText(text: string, more = 0): void {
    this.varint((lastShort.is(text) ? text.length : Buffer.byteLength(text)) + more)
    this.text(text)
  }

  /** Reads back a text that was written. */
  textAt(from: number, to: number): string {
    return decoder.decode(this.#bytes.subarray(from, to))
  }

  /** Returns what was written; the result shares the memory. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }

  /** Returns a copy of what was written. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.length)
  }
}
