/**
 * Bytes that have arrived and wait to be read. Chunks are joined only when a reader takes more than the first
 * of them holds, so that a long frame in small pieces is copied once.
 */
export class ByteQueue {
  readonly #chunks: Buffer[] = []
  #first = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0) return
    this.#chunks.push(chunk)
    this.#length += chunk.length
  }

  /** The next `count` bytes, which must be there. */
  take(count: number): Buffer {
    if (count > this.#length) throw new RangeError(`${count} of ${this.#length} bytes`)
    this.#length -= count
    const first = this.#chunks[0]
    if (first !== undefined && first.length - this.#first >= count) return this.#takeOfFirst(first, count)
    const parts: Buffer[] = []
    for (let missing = count; missing > 0; ) {
      const chunk = this.#chunks[0]!
      const part = this.#takeOfFirst(chunk, Math.min(missing, chunk.length - this.#first))
      parts.push(part)
      missing -= part.length
    }
    return Buffer.concat(parts, count)
  }

  #takeOfFirst(chunk: Buffer, count: number): Buffer {
    const part = chunk.subarray(this.#first, this.#first + count)
    this.#first += count
    if (this.#first === chunk.length) {
      this.#chunks.shift()
      this.#first = 0
    }
    return part
  }
}
