/**
 * The terms of a field and where they occur, as bytes. Terms stand in one block in the order of their bytes;
 * a look-up is a binary search. Postings are numbers of variable length, decoded term by term when asked for:
 * per document the distance to the one before, doubled, plus one when the term occurs just once; otherwise
 * its frequency follows. Positions lie apart, as distances within their document.
 */
import type { Postings, TermIndex } from './segment.ts'

export interface TermIndexParts {
  readonly size: number
  /** `docs` has neither frequencies nor positions. */
  readonly keeps: 'docs' | 'freqs' | 'positions'
  readonly text: Uint8Array
  readonly textEnds: Uint32Array
  readonly docFreqs: Uint32Array
  readonly totalFreqs: Uint32Array
  readonly postings: Uint8Array
  readonly postingEnds: Uint32Array
  readonly positions: Uint8Array
  readonly positionEnds: Uint32Array
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()
/** Decoded postings that are kept, in numbers. */
const mostKept = 4_000_000

export class StoredTermIndex implements TermIndex {
  readonly size: number
  #parts: TermIndexParts
  #kept = new Map<number, Postings>()
  #keptNumbers = 0

  constructor(parts: TermIndexParts) {
    this.size = parts.size
    this.#parts = parts
  }

  term(ordinal: number): string {
    const { text, textEnds } = this.#parts
    return decoder.decode(text.subarray(ordinal === 0 ? 0 : textEnds[ordinal - 1]!, textEnds[ordinal]!))
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

  /** Sign of term minus bytes. */
  #compare(ordinal: number, bytes: Uint8Array): number {
    const { text, textEnds } = this.#parts
    const start = ordinal === 0 ? 0 : textEnds[ordinal - 1]!
    const length = textEnds[ordinal]! - start
    const shared = Math.min(length, bytes.length)
    for (let i = 0; i < shared; i++) {
      const difference = text[start + i]! - bytes[i]!
      if (difference !== 0) return difference
    }
    return length - bytes.length
  }

  docFreq(ordinal: number): number {
    return this.#parts.docFreqs[ordinal]!
  }

  totalFreq(ordinal: number): number {
    return this.#parts.totalFreqs[ordinal]!
  }

  postings(ordinal: number): Postings {
    let postings = this.#kept.get(ordinal)
    if (postings !== undefined) return postings
    postings = this.#decode(ordinal)
    const numbers = postings.docs.length * 2 + (postings.positions?.values.length ?? 0)
    if (this.#keptNumbers + numbers > mostKept) {
      this.#kept.clear()
      this.#keptNumbers = 0
    }
    this.#kept.set(ordinal, postings)
    this.#keptNumbers += numbers
    return postings
  }

  #decode(ordinal: number): Postings {
    const { keeps, postings, postingEnds, docFreqs, totalFreqs } = this.#parts
    const count = docFreqs[ordinal]!
    const docs = new Uint32Array(count)
    let at = ordinal === 0 ? 0 : postingEnds[ordinal - 1]!
    const read = (): number => {
      let byte = postings[at++]!
      if (byte < 0x80) return byte
      let value = byte & 0x7f
      for (let factor = 0x80; ; factor *= 0x80) {
        byte = postings[at++]!
        value += (byte & 0x7f) * factor
        if (byte < 0x80) return value
      }
    }
    let doc = 0
    if (keeps === 'docs' || totalFreqs[ordinal] === count) {
      const doubled = keeps !== 'docs'
      for (let i = 0; i < count; i++) {
        const distance = read()
        doc += doubled ? Math.floor(distance / 2) : distance
        docs[i] = doc
      }
      return { docs, freqs: null, positions: this.#positions(ordinal, docs, null) }
    }
    const freqs = new Uint32Array(count)
    for (let i = 0; i < count; i++) {
      const code = read()
      doc += Math.floor(code / 2)
      docs[i] = doc
      freqs[i] = code % 2 === 1 ? 1 : read()
    }
    return { docs, freqs, positions: this.#positions(ordinal, docs, freqs) }
  }

  #positions(ordinal: number, docs: Uint32Array, freqs: Uint32Array | null): Postings['positions'] {
    const { keeps, positions, positionEnds, totalFreqs } = this.#parts
    if (keeps !== 'positions') return null
    const from = ordinal === 0 ? 0 : positionEnds[ordinal - 1]!
    const total = totalFreqs[ordinal]!
    let decoded: { starts: Uint32Array; values: Uint32Array } | undefined
    const decode = () => {
      const starts = new Uint32Array(docs.length + 1)
      const values = new Uint32Array(total)
      let at = from
      let next = 0
      for (let i = 0; i < docs.length; i++) {
        starts[i] = next
        let position = 0
        for (let k = freqs === null ? 1 : freqs[i]!; k > 0; k--) {
          let byte = positions[at++]!
          let value = byte & 0x7f
          for (let factor = 0x80; byte >= 0x80; factor *= 0x80) {
            byte = positions[at++]!
            value += (byte & 0x7f) * factor
          }
          position += value
          values[next++] = position
        }
      }
      starts[docs.length] = next
      return { starts, values }
    }
    // Most searches ask for documents only.
    return {
      get starts() {
        decoded ??= decode()
        return decoded.starts
      },
      get values() {
        decoded ??= decode()
        return decoded.values
      },
    }
  }
}
