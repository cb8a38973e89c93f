/** A fingerprint of 96 bits for the token list of each document or value: equal fingerprints mean equal tokens. */
import type { Postings } from '../segment.ts'

export class TokenFingerprints {
  readonly #one: Uint32Array
  readonly #two: Uint32Array
  readonly #three: Uint32Array

  /** The norms are hashed too, where they are given. */
  constructor(count: number, norms: Uint8Array | null = null) {
    this.#one = new Uint32Array(count)
    this.#two = new Uint32Array(count)
    this.#three = new Uint32Array(count)
    if (norms !== null) for (let i = 0; i < count; i++) this.#mix(i, norms[i]! + 1)
  }

  /** Adds a term with its postings; terms must come in the same order for everything that is compared. */
  add(term: number, { docs, freqs, positions }: Postings): void {
    for (let i = 0; i < docs.length; i++) {
      this.#mix(docs[i]!, term)
      this.#mix(docs[i]!, freqs?.[i] ?? 1)
      if (positions === null) continue
      const end = positions.starts[i + 1]!
      for (let at = positions.starts[i]!; at < end; at++) this.#mix(docs[i]!, positions.values[at]!)
    }
  }

  #mix(at: number, value: number): void {
    const one = Math.imul(this.#one[at]! ^ value, 0x9e37_79b1) + 0x3c6e_f372
    this.#one[at] = one ^ (one >>> 15)
    const two = Math.imul(this.#two[at]! + value + 0x7f4a_7c15, 0x85eb_ca6b)
    this.#two[at] = two ^ (two >>> 13)
    const three = Math.imul(((this.#three[at]! << 9) | (this.#three[at]! >>> 23)) ^ value, 0xc2b2_ae35)
    this.#three[at] = three ^ (three >>> 16) ^ 0x2545_f491
  }

  areSame(left: number, right: number): boolean {
    return (
      this.#one[left] === this.#one[right] &&
      this.#two[left] === this.#two[right] &&
      this.#three[left] === this.#three[right]
    )
  }

  /** Copies the other's fingerprint when there is none yet; false when the two differ. */
  agree(at: number, other: TokenFingerprints, place: number): boolean {
    // The lowest bit is set to distinguish a fingerprint from none.
    const [one, two, three] = [(other.#one[place]! | 1) >>> 0, other.#two[place]!, other.#three[place]!]
    if (this.#one[at] === 0) {
      this.#one[at] = one
      this.#two[at] = two
      this.#three[at] = three
      return true
    }
    return this.#one[at] === one && this.#two[at] === two && this.#three[at] === three
  }
}
