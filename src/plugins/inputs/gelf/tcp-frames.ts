/** Cuts the bytes of a connection at NUL, which ends a GELF message over TCP; longer messages than allowed end it. */
const maxFrameBytes = 8 * 1024 * 1024

export class NulFrames {
  #parts: Buffer[] = []
  #bytes = 0

  /** Complete messages. Throws when one is too long. */
  push(chunk: Buffer): Buffer[] {
    const frames: Buffer[] = []
    let start = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      frames.push(this.#complete(chunk.subarray(start, end)))
      start = end + 1
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start))
    return frames.filter((frame) => frame.length > 0)
  }

  /** What the sender did not end. */
  end(): Buffer[] {
    const rest = this.#complete(Buffer.alloc(0))
    return rest.length > 0 ? [rest] : []
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length
    if (this.#bytes > maxFrameBytes) throw new Error(`a message is longer than ${maxFrameBytes} bytes`)
    this.#parts.push(part)
  }

  #complete(last: Buffer): Buffer {
    if (this.#parts.length === 0) return last
    this.#keep(last)
    const frame = Buffer.concat(this.#parts, this.#bytes)
    this.#parts = []
    this.#bytes = 0
    return frame
  }
}
