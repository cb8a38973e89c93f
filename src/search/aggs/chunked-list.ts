/** A list of small numbers that grows without being copied: one of a million takes long to copy. */
const chunkBits = 15
const chunkMask = (1 << chunkBits) - 1

export class ChunkedList {
  /** The first is short, as most lists are. */
  readonly #chunks = [new Uint32Array(64)]
  length = 0

  push(value: number): void {
    const at = this.length++
    const place = at & chunkMask
    let chunk = this.#chunks[at >>> chunkBits]
    if (chunk === undefined) this.#chunks.push((chunk = new Uint32Array(1 << chunkBits)))
    else if (place >= chunk.length) {
      const larger = new Uint32Array(chunk.length * 2)
      larger.set(chunk)
      this.#chunks[0] = chunk = larger
    }
    chunk[place] = value
  }

  at(index: number): number {
    return this.#chunks[index >>> chunkBits]![index & chunkMask]!
  }
}
