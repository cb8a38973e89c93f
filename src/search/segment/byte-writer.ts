/** Bytes written one after the other into memory that grows: numbers of variable length, texts, whole arrays. */
const firstSize = 1024
const encoder = new TextEncoder()

export class ByteWriter {
  #bytes: Uint8Array
  length = 0

  constructor(size = firstSize) {
    this.#bytes = new Uint8Array(size)
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.length + more, this.#bytes.length * 2))
    larger.set(this.#bytes.subarray(0, this.length))
    this.#bytes = larger
  }

  /** Seven bits a byte, low ones first; up to 2^53. */
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

  /** UTF-8, without its length. */
  text(text: string): void {
    this.#reserve(text.length * 3)
    this.length += encoder.encodeInto(text, this.#bytes.subarray(this.length)).written
  }

  /** What was written, in memory of its own. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.length)
  }
}
