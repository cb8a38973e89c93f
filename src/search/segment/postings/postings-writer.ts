/**
 * Encodes postings term by term, in the form that `term-index.ts` reads. The result is taken as a whole at the end,
 * or block by block by a merge that streams.
 */
import { GrowingUint32 } from '../encoding/growing-array.ts'
import { blockBytes, blockValues } from '../encoding/section-blocks.ts'
import type { Section } from '../encoding/sections.ts'
import type { PostingsParts } from './term-index.ts'

/** The encoded postings of one term in another segment. */
export interface EncodedPostings {
  readonly docFreq: number
  readonly totalFreq: number
  /** The bytes `[start, end)`. */
  readonly postings: { readonly bytes: Uint8Array; readonly start: number; readonly end: number }
  readonly positions: { readonly bytes: Uint8Array; readonly start: number; readonly end: number }
}

/** The largest number takes this many bytes. */
const maxVarintBytes = 5

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
  /** Bytes that were already taken. */
  #taken = 0
  #positionsTaken = 0
  readonly #positionEnds = new GrowingUint32()
  #previous = 0
  #docs = 0
  #total = 0

  constructor(keeps: 'docs' | 'freqs' | 'positions') {
    this.keeps = keeps
  }

  /** The number of finished terms. */
  get size(): number {
    return this.#docFreqs.length
  }

  /** Adds occurrences `[from, to)`: one entry per position, documents ascending. */
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

  /** Adds one document with its positions `[from, to)`. */
  add(doc: number, freq: number, positions: Uint32Array | null = null, from = 0, to = 0): void {
    this.#reserve(1, to - from)
    this.#document(doc, freq)
    if (this.keeps === 'positions' && positions !== null) this.#positionsOf(positions, from, to)
  }

  /**
   * Appends the encoded postings of a term from another segment, with all documents moved by `base`. Deltas,
   * frequencies and positions stay valid, so only the first delta is encoded again.
   */
  addMoved({ docFreq, totalFreq, postings, positions }: EncodedPostings, base: number): void {
    const { bytes, start, end } = postings
    const hasFreqs = this.keeps !== 'docs'
    const isMarked = hasFreqs ? 1 : 0
    let at = start
    let byte = bytes[at++]!
    let distance = (byte & 0x7f) >>> isMarked
    for (let shift = 7 - isMarked; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!
      distance |= (byte & 0x7f) << shift
    }
    const first = (distance >>> 0) + base
    const isSingle = !hasFreqs || (bytes[start]! & 1) === 1
    // The frequency that may follow is copied with the rest.
    this.#reserve(1, 0)
    this.#distance(first - this.#previous, isSingle)
    this.#appendPostings(bytes, at, end)
    if (!isSingle) at = skipNumber(bytes, at)
    const between =
      docFreq === 1
        ? 0
        : !hasFreqs || totalFreq === docFreq
          ? sumOfDistances(bytes, at, end, isMarked)
          : sumOfCounted(bytes, at, end)
    this.#previous = first + between
    this.#docs += docFreq
    this.#total += hasFreqs ? totalFreq : docFreq
    if (this.keeps === 'positions') this.#appendPositions(positions.bytes, positions.start, positions.end)
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
    const needed = this.#at + documents * 2 * maxVarintBytes
    if (needed > this.#postings.length) this.#postings = larger(this.#postings, needed)
    const more = this.#positionAt + positions * maxVarintBytes
    if (this.keeps === 'positions' && more > this.#positions.length) {
      this.#positions = larger(this.#positions, more)
    }
  }

  #document(doc: number, freq: number): void {
    const distance = doc - this.#previous
    this.#previous = doc
    this.#docs += 1
    if (this.keeps === 'docs') {
      this.#total += 1
      this.#distance(distance, true)
      return
    }
    this.#total += freq
    this.#distance(distance, freq === 1)
    if (freq === 1) return
    const bytes = this.#postings
    let at = this.#at
    let rest = freq
    while (rest >= 0x80) {
      bytes[at++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    bytes[at++] = rest
    this.#at = at
  }

  #distance(distance: number, isSingle: boolean): void {
    const bytes = this.#postings
    let at = this.#at
    let rest = distance
    if (this.keeps !== 'docs') {
      // The delta is doubled, with a flag for frequency one; beyond 31 bits a shift would overflow.
      const code = distance * 2 + (isSingle ? 1 : 0)
      if (distance < 0x4000_0000) rest = code
      else {
        bytes[at++] = (code % 0x80) | 0x80
        rest = Math.floor(code / 0x80)
      }
    }
    while (rest >= 0x80) {
      bytes[at++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    bytes[at++] = rest
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

  /** Finishes the term; the next document belongs to the next term. */
  end(): void {
    this.sumDocFreq += this.#docs
    this.sumTotalFreq += this.#total
    this.#docFreqs.push(this.#docs)
    this.#totalFreqs.push(this.#total)
    this.#postingEnds.push(this.#taken + this.#at)
    this.#positionEnds.push(this.#positionsTaken + this.#positionAt)
    this.#previous = 0
    this.#docs = 0
    this.#total = 0
  }

  /** Whether some section has enough for a block. */
  get isFull(): boolean {
    return this.#docFreqs.length >= blockValues || this.#at >= blockBytes || this.#positionAt >= blockBytes
  }

  /** Takes what fills a block, or everything at the end; valid until the next document is added. */
  *take(isEnd: boolean): Iterable<readonly [string, Section]> {
    const lists: readonly (readonly [string, GrowingUint32, boolean])[] = [
      ['doc.freqs', this.#docFreqs, true],
      ['total.freqs', this.#totalFreqs, this.keeps !== 'docs'],
      ['postings.ends', this.#postingEnds, true],
      ['positions.ends', this.#positionEnds, this.keeps === 'positions'],
    ]
    if (isEnd || this.#docFreqs.length >= blockValues) {
      for (const [part, list, isKept] of lists) {
        if (isKept) yield [part, list.view()]
        list.length = 0
      }
    }
    if (isEnd || this.#at >= blockBytes) {
      yield ['postings', this.#postings.subarray(0, this.#at)]
      this.#taken += this.#at
      this.#at = 0
    }
    if (this.keeps === 'positions' && (isEnd || this.#positionAt >= blockBytes)) {
      yield ['positions', this.#positions.subarray(0, this.#positionAt)]
      this.#positionsTaken += this.#positionAt
      this.#positionAt = 0
    }
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

function skipNumber(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at++]! >= 0x80);
  return at
}

/** Sums varints that are only deltas; `mark` tells whether the lowest bit is a flag. */
function sumOfDistances(bytes: Uint8Array, from: number, to: number, mark: number): number {
  let sum = 0
  for (let at = from; at < to; ) {
    let byte = bytes[at++]!
    let distance = (byte & 0x7f) >>> mark
    for (let shift = 7 - mark; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!
      distance |= (byte & 0x7f) << shift
    }
    sum += distance >>> 0
  }
  return sum
}

/** Sums deltas where a frequency follows each delta without the flag. */
function sumOfCounted(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; ) {
    let byte = bytes[at++]!
    const isSingle = (byte & 1) === 1
    let distance = (byte & 0x7f) >>> 1
    for (let shift = 6; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!
      distance |= (byte & 0x7f) << shift
    }
    sum += distance >>> 0
    if (!isSingle) while (bytes[at++]! >= 0x80);
  }
  return sum
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
