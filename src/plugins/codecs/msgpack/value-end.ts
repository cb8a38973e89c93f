/**
 * Finds where a MessagePack value ends in a stream that comes in pieces. Looks at each byte once, and jumps over the
 * bytes of texts: what it has to remember is how many values are still to come, and where in a head it is.
 */

/** What the number after the first byte of a head counts. */
type Counted = 'bytes' | 'items' | 'pairs' | 'extension'

/** Heads that are followed by a number: how many bytes it has, and what it counts. */
const counts: ReadonlyMap<number, readonly [number, Counted]> = new Map<number, readonly [number, Counted]>([
  [0xc4, [1, 'bytes']],
  [0xc5, [2, 'bytes']],
  [0xc6, [4, 'bytes']],
  [0xc7, [1, 'extension']],
  [0xc8, [2, 'extension']],
  [0xc9, [4, 'extension']],
  [0xd9, [1, 'bytes']],
  [0xda, [2, 'bytes']],
  [0xdb, [4, 'bytes']],
  [0xdc, [2, 'items']],
  [0xdd, [4, 'items']],
  [0xde, [2, 'pairs']],
  [0xdf, [4, 'pairs']],
])

/** Bytes that follow heads of a fixed size: floats and integers of 4, 8, 1, 2 … bytes. */
const fixed: ReadonlyMap<number, number> = new Map([
  [0xca, 4],
  [0xcb, 8],
  ...[1, 2, 4, 8].map((bytes, n): [number, number] => [0xcc + n, bytes]),
  ...[1, 2, 4, 8].map((bytes, n): [number, number] => [0xd0 + n, bytes]),
  ...[1, 2, 4, 8, 16].map((bytes, n): [number, number] => [0xd4 + n, 1 + bytes]),
])

export class ValueEnd {
  /** Values that are still to come, those within lists and maps that have begun among them. */
  #values = 1
  /** Bytes that belong to the value and say nothing about where it ends. */
  #skipped = 0
  #numberBytes = 0
  #number = 0
  #counted: Counted = 'bytes'

  /** The offset behind the value, or undefined when these bytes, which follow those before, are all within it. */
  find(bytes: Uint8Array, from: number): number | undefined {
    let at = from
    while (at < bytes.length) {
      if (this.#skipped > 0) {
        const passed = Math.min(this.#skipped, bytes.length - at)
        this.#skipped -= passed
        at += passed
      } else if (this.#numberBytes > 0) this.#digit(bytes[at++]!)
      else this.#head(bytes[at++]!)
      if (this.#values === 0 && this.#skipped === 0 && this.#numberBytes === 0) {
        this.#values = 1
        return at
      }
    }
    return undefined
  }

  #head(code: number): void {
    this.#values -= 1
    if (code <= 0x7f || code >= 0xe0) return
    if (code <= 0x8f) this.#values += 2 * (code & 15)
    else if (code <= 0x9f) this.#values += code & 15
    else if (code <= 0xbf) this.#skipped = code & 31
    else if (code === 0xc1) throw new TypeError('the byte c1 begins no value')
    else {
      const [length, counted] = counts.get(code) ?? [0, 'bytes' as const]
      this.#numberBytes = length
      this.#number = 0
      this.#counted = counted
      this.#skipped = fixed.get(code) ?? 0
    }
  }

  #digit(byte: number): void {
    this.#number = this.#number * 256 + byte
    this.#numberBytes -= 1
    if (this.#numberBytes > 0) return
    if (this.#counted === 'items') this.#values += this.#number
    else if (this.#counted === 'pairs') this.#values += 2 * this.#number
    else this.#skipped = this.#number + (this.#counted === 'extension' ? 1 : 0)
  }
}
