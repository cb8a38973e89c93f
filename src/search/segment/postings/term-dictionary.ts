/**
 * The terms dictionary: terms in byte order, found by binary search. Lucene has an FST over blocks on disk; here the
 * whole dictionary is decoded into one array when the field is first searched.
 */
import type { TextList } from '../encoding/sections.ts'
import type { Terms } from '../segment.ts'

const encoder = new TextEncoder()

export class TermDictionary implements Terms {
  readonly size: number
  readonly #texts: TextList
  /** The same bytes as a Buffer, which decodes a slice without creating a view object. */
  readonly #buffer: Buffer

  constructor(texts: TextList) {
    this.size = texts.ends.length
    this.#texts = texts
    const { buffer, byteOffset, length } = texts.bytes
    this.#buffer = Buffer.from(buffer, byteOffset, length)
  }

  term(ordinal: number): string {
    const { ends } = this.#texts
    return this.#buffer.toString('utf8', ordinal === 0 ? 0 : ends[ordinal - 1]!, ends[ordinal]!)
  }

  find(term: string): number {
    const bytes = encoder.encode(term)
    const at = this.#lowerBound(bytes)
    return at < this.size && this.#compare(at, bytes) === 0 ? at : -1
  }

  lowerBound(term: string): number {
    return this.#lowerBound(encoder.encode(term))
  }

  #lowerBound(bytes: Uint8Array): number {
    let low = 0
    let high = this.size
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compare(middle, bytes) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Returns the sign of term minus bytes. */
  #compare(ordinal: number, bytes: Uint8Array): number {
    const { bytes: text, ends } = this.#texts
    const start = ordinal === 0 ? 0 : ends[ordinal - 1]!
    const length = ends[ordinal]! - start
    const shared = Math.min(length, bytes.length)
    for (let i = 0; i < shared; i++) {
      const difference = text[start + i]! - bytes[i]!
      if (difference !== 0) return difference
    }
    return length - bytes.length
  }
}
