/** Writes terms and their postings in order; the form is the one `term-index.ts` reads. */
import { ByteWriter } from './byte-writer.ts'
import { GrowingUint32 } from './growing-array.ts'
import type { TermIndexParts } from './term-index.ts'

export class PostingsWriter {
  readonly keeps: 'docs' | 'freqs' | 'positions' | null
  sumDocFreq = 0
  sumTotalFreq = 0
  #text = new ByteWriter()
  #textEnds = new GrowingUint32()
  #docFreqs = new GrowingUint32()
  #totalFreqs = new GrowingUint32()
  #postings = new ByteWriter()
  #postingEnds = new GrowingUint32()
  #positions = new ByteWriter()
  #positionEnds = new GrowingUint32()
  #previous = 0
  #docs = 0
  #total = 0

  constructor(keeps: 'docs' | 'freqs' | 'positions' | null) {
    this.keeps = keeps
  }

  get size(): number {
    return this.#textEnds.length
  }

  /** Terms come in rising order, documents of a term too. */
  begin(term: string): void {
    this.#text.text(term)
    this.#textEnds.push(this.#text.length)
    this.#previous = 0
    this.#docs = 0
    this.#total = 0
  }

  /** Positions from `from` up to, not including, `to`. */
  add(doc: number, freq: number, positions: ArrayLike<number> | null = null, from = 0, to = 0): void {
    const distance = doc - this.#previous
    this.#previous = doc
    this.#docs += 1
    this.#total += this.keeps === 'docs' ? 1 : freq
    if (this.keeps === 'docs') this.#postings.varint(distance)
    else if (freq === 1) this.#postings.varint(distance * 2 + 1)
    else {
      this.#postings.varint(distance * 2)
      this.#postings.varint(freq)
    }
    if (this.keeps !== 'positions' || positions === null) return
    let position = 0
    for (let k = from; k < to; k++) {
      this.#positions.varint(positions[k]! - position)
      position = positions[k]!
    }
  }

  end(): void {
    this.sumDocFreq += this.#docs
    this.sumTotalFreq += this.#total
    this.#docFreqs.push(this.#docs)
    this.#totalFreqs.push(this.#total)
    this.#postingEnds.push(this.#postings.length)
    this.#positionEnds.push(this.#positions.length)
  }

  finish(): TermIndexParts {
    return {
      size: this.size,
      keeps: this.keeps ?? 'docs',
      text: this.#text.finish(),
      textEnds: this.#textEnds.view().slice(),
      docFreqs: this.#docFreqs.view().slice(),
      totalFreqs: this.#totalFreqs.view().slice(),
      postings: this.#postings.finish(),
      postingEnds: this.#postingEnds.view().slice(),
      positions: this.#positions.finish(),
      positionEnds: this.#positionEnds.view().slice(),
    }
  }
}
