/** Writes the postings of terms, one term after the other; the form is the one `term-index.ts` reads. */
import { GrowingUint32 } from './growing-array.ts'
import type { PostingsParts } from './term-index.ts'

/** Bytes the largest number takes. */
const longest = 5

export class PostingsWriter {
  readonly keeps: 'docs' | 'freqs' | 'positions'
  sumDocFreq = 0
  sumTotalFreq = 0
  readonly #docFreqs = new GrowingUint32()
  readonly #totalFreqs = new GrowingUint32()
  #postings: Uint8Array = new Uint8Array(256)
  #at = 0
  readonly #postingEnds = new GrowingUint32()
  #positions: Uint8Array = new Uint8Array(256)
  #positionAt = 0
  readonly #positionEnds = new GrowingUint32()
  #previous = 0
  #docs = 0
  #total = 0

  constructor(keeps: 'docs' | 'freqs' | 'positions') {
    this.keeps = keeps
  }

  /** How many terms were ended. */
  get size(): number {
    return this.#docFreqs.length
  }

  /** Occurrences `from` up to, not including, `to`: documents rising, one entry for each position. */
  addOccurrences(docs: Uint32Array, positions: Uint32Array, from: number, to: number): void {
    this.#reserve(to - from, to - from)
    const hasPositions = this.keeps === 'positions'
    for (let i = from; i < to; ) {
      const doc = docs[i]!
      let end = i + 1
      while (end < to && docs[end] === doc) end++
      this.#document(doc, end - i)
      if (hasPositions) this.#positionsOf(positions, i, end)
      i = end
    }
  }

  /** One document; positions from `from` up to, not including, `to`. */
  add(doc: number, freq: number, positions: Uint32Array | null = null, from = 0, to = 0): void {
    this.#reserve(1, to - from)
    this.#document(doc, freq)
    if (this.keeps === 'positions' && positions !== null) this.#positionsOf(positions, from, to)
  }

  /**
   * The postings of a term elsewhere, each document `base` later. Frequencies and positions stay as they are, so only
   * the distance to the first document has to be found anew.
   */
  addMoved(parts: PostingsParts, ordinal: number, base: number): void {
    const count = parts.docFreqs[ordinal]!
    const { postings } = parts
    const from = ordinal === 0 ? 0 : parts.postingEnds[ordinal - 1]!
    const end = parts.postingEnds[ordinal]!
    const hasFreqs = this.keeps !== 'docs'
    let at = from
    let doc = base
    let freq = 1
    for (let i = 0; i < count; i++) {
      let byte = postings[at++]!
      let value = byte & 0x7f
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = postings[at++]!
        value += (byte & 0x7f) * 2 ** shift
      }
      if (hasFreqs) {
        const isSingle = value % 2 === 1
        value = Math.floor(value / 2)
        if (!isSingle) {
          byte = postings[at++]!
          freq = byte & 0x7f
          for (let shift = 7; byte >= 0x80; shift += 7) {
            byte = postings[at++]!
            freq |= (byte & 0x7f) << shift
          }
        } else freq = 1
      }
      doc += value
      if (i > 0) continue
      this.#reserve(1, 0)
      const total = this.#total
      this.#document(doc, freq)
      this.#docs -= 1
      this.#total = total
      this.#appendPostings(postings, at, end)
    }
    this.#previous = doc
    this.#docs += count
    this.#total += hasFreqs ? parts.totalFreqs[ordinal]! : count
    if (this.keeps !== 'positions') return
    this.#appendPositions(
      parts.positions,
      ordinal === 0 ? 0 : parts.positionEnds[ordinal - 1]!,
      parts.positionEnds[ordinal]!,
    )
  }

  #appendPostings(bytes: Uint8Array, from: number, to: number): void {
    const needed = this.#at + to - from
    if (needed > this.#postings.length) this.#postings = larger(this.#postings, needed)
    this.#at = copyBytes(bytes, from, to, this.#postings, this.#at)
  }

  #appendPositions(bytes: Uint8Array, from: number, to: number): void {
    const needed = this.#positionAt + to - from
    if (needed > this.#positions.length) this.#positions = larger(this.#positions, needed)
    this.#positionAt = copyBytes(bytes, from, to, this.#positions, this.#positionAt)
  }

  #reserve(documents: number, positions: number): void {
    const needed = this.#at + documents * 2 * longest
    if (needed > this.#postings.length) this.#postings = larger(this.#postings, needed)
    const more = this.#positionAt + positions * longest
    if (this.keeps === 'positions' && more > this.#positions.length) {
      this.#positions = larger(this.#positions, more)
    }
  }

  #document(doc: number, freq: number): void {
    const bytes = this.#postings
    let at = this.#at
    const distance = doc - this.#previous
    this.#previous = doc
    this.#docs += 1
    let rest = distance
    if (this.keeps === 'docs') this.#total += 1
    else {
      this.#total += freq
      // Doubled, with a mark for the usual case; beyond 31 bits the shift would lose one.
      if (distance < 0x4000_0000) rest = distance * 2 + (freq === 1 ? 1 : 0)
      else {
        const code = distance * 2 + (freq === 1 ? 1 : 0)
        bytes[at++] = (code % 0x80) | 0x80
        rest = Math.floor(code / 0x80)
      }
    }
    while (rest >= 0x80) {
      bytes[at++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    bytes[at++] = rest
    if (this.keeps !== 'docs' && freq !== 1) {
      rest = freq
      while (rest >= 0x80) {
        bytes[at++] = (rest & 0x7f) | 0x80
        rest >>>= 7
      }
      bytes[at++] = rest
    }
    this.#at = at
  }

  #positionsOf(positions: Uint32Array, from: number, to: number): void {
    const bytes = this.#positions
    let at = this.#positionAt
    let previous = 0
    for (let i = from; i < to; i++) {
      let rest = positions[i]! - previous
      previous = positions[i]!
      while (rest >= 0x80) {
        bytes[at++] = (rest & 0x7f) | 0x80
        rest >>>= 7
      }
      bytes[at++] = rest
    }
    this.#positionAt = at
  }

  /** The term is over; the next document belongs to the next one. */
  end(): void {
    this.sumDocFreq += this.#docs
    this.sumTotalFreq += this.#total
    this.#docFreqs.push(this.#docs)
    this.#totalFreqs.push(this.#total)
    this.#postingEnds.push(this.#at)
    this.#positionEnds.push(this.#positionAt)
    this.#previous = 0
    this.#docs = 0
    this.#total = 0
  }

  finish(): PostingsParts {
    return {
      keeps: this.keeps,
      docFreqs: this.#docFreqs.view().slice(),
      totalFreqs: this.#totalFreqs.view().slice(),
      postings: this.#postings.slice(0, this.#at),
      postingEnds: this.#postingEnds.view().slice(),
      positions: this.#positions.slice(0, this.#positionAt),
      positionEnds: this.#positionEnds.view().slice(),
    }
  }
}

function copyBytes(from: Uint8Array, start: number, end: number, to: Uint8Array, place: number): number {
  let at = place
  if (end - start > 48) {
    to.set(from.subarray(start, end), at)
    return at + end - start
  }
  for (let i = start; i < end; i++) to[at++] = from[i]!
  return at
}

function larger(bytes: Uint8Array, needed: number): Uint8Array {
  const grown = new Uint8Array(Math.max(needed, bytes.length * 2))
  grown.set(bytes)
  return grown
}
