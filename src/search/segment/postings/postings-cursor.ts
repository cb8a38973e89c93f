/** Iterates over the written postings of a field term by term, with one block in memory. */

import { WholeBytes } from '../byte-ranges.ts'
import { ByteCursor, WordCursor } from '../encoding/section-cursor.ts'
import type { FieldReader } from '../field-reader.ts'
import type { Postings } from '../segment.ts'
import type { EncodedPostings } from './postings-writer.ts'
import { readPostings } from './term-index.ts'

const nothing = { bytes: new Uint8Array(0), start: 0, end: 0 }

export class PostingsCursor implements EncodedPostings {
  readonly keeps: 'docs' | 'freqs' | 'positions'
  docFreq = 0
  totalFreq = 0
  readonly postings: ByteCursor
  readonly positions: ByteCursor | typeof nothing
  /** The ordinal of the current term. */
  #ordinal = -1
  readonly #docFreqs: WordCursor
  readonly #totalFreqs: WordCursor | undefined
  readonly #postingEnds: WordCursor
  readonly #positionEnds: WordCursor | undefined
  #postingsEnd = 0
  #positionsEnd = 0

  constructor({ keeps, sections, prefix }: FieldReader) {
    this.keeps = keeps ?? 'docs'
    this.#docFreqs = new WordCursor(sections, `${prefix}.doc.freqs`)
    if (keeps !== 'docs') this.#totalFreqs = new WordCursor(sections, `${prefix}.total.freqs`)
    this.postings = new ByteCursor(sections, `${prefix}.postings`)
    this.#postingEnds = new WordCursor(sections, `${prefix}.postings.ends`)
    if (keeps === 'positions') this.#positionEnds = new WordCursor(sections, `${prefix}.positions.ends`)
    this.positions = keeps === 'positions' ? new ByteCursor(sections, `${prefix}.positions`) : nothing
  }

  /** Moves forward to a term; each term may be visited once, in ascending order. */
  moveTo(ordinal: number): void {
    if (ordinal !== this.#ordinal + 1) throw new Error('terms are read one after the other')
    this.#ordinal = ordinal
    this.docFreq = this.#docFreqs.next()
    this.totalFreq = this.#totalFreqs?.next() ?? this.docFreq
    const end = this.#postingEnds.next()
    this.postings.take(end - this.#postingsEnd)
    this.#postingsEnd = end
    if (this.#positionEnds === undefined || !(this.positions instanceof ByteCursor)) return
    const positionsEnd = this.#positionEnds.next()
    this.positions.take(positionsEnd - this.#positionsEnd)
    this.#positionsEnd = positionsEnd
  }

  /** Decodes the postings of the current term. */
  read(): Postings {
    const { keeps, docFreq, totalFreq, postings, positions } = this
    return readPostings(
      {
        keeps,
        docFreqs: Uint32Array.of(docFreq),
        totalFreqs: Uint32Array.of(totalFreq),
        postings: new WholeBytes(postings.bytes.subarray(postings.start, postings.end)),
        postingEnds: Uint32Array.of(postings.end - postings.start),
        positions: new WholeBytes(positions.bytes.subarray(positions.start, positions.end)),
        positionEnds: Uint32Array.of(positions.end - positions.start),
      },
      0,
    )
  }
}
