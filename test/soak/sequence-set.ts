/** Sets of sequence numbers from 0, a bit each: which events were acknowledged, which were found. */
export class SequenceSet {
  #bits = new Uint8Array(1 << 16)
  /** How many different numbers it has. */
  size = 0

  /** False when it was there already. */
  add(number: number): boolean {
    const at = number >>> 3
    if (at >= this.#bits.length) {
      const grown = new Uint8Array(Math.max(at + 1, this.#bits.length * 2))
      grown.set(this.#bits)
      this.#bits = grown
    }
    const bit = 1 << (number & 7)
    const byte = this.#bits[at]!
    if ((byte & bit) !== 0) return false
    this.#bits[at] = byte | bit
    this.size += 1
    return true
  }

  addRange(from: number, count: number): void {
    for (let number = from; number < from + count; number++) this.add(number)
  }

  has(number: number): boolean {
    return ((this.#bits[number >>> 3] ?? 0) & (1 << (number & 7))) !== 0
  }

  /** The numbers that the other set lacks: how many, and the first of them. */
  missingIn(other: SequenceSet, maxShown = 5): { count: number; first: number[] } {
    let count = 0
    const first: number[] = []
    for (let at = 0; at < this.#bits.length; at++) {
      if (this.#bits[at] === 0) continue
      for (let number = at * 8; number < at * 8 + 8; number++) {
        if (!this.has(number) || other.has(number)) continue
        count += 1
        if (first.length < maxShown) first.push(number)
      }
    }
    return { count, first }
  }
}
