/**
 * Collects the terms of one field while documents come in, and turns them into an index at the end. Documents
 * arrive in rising order, so sorting the occurrences by term, keeping their order, is all there is to do.
 */
import { ByteWriter } from './byte-writer.ts'
import type { TokenList } from './document.ts'
import { GrowingUint32 } from './growing-array.ts'
import type { TermIndexParts } from './term-index.ts'
import { utf8Order } from './utf8-order.ts'

export class TermCollector {
  readonly keeps: 'docs' | 'freqs' | 'positions' | null
  sumDocFreq = 0
  sumTotalFreq = 0
  #ids = new Map<string, number>()
  #terms: string[] = []
  /** By term: its latest posting, plus one. */
  #latest = new GrowingUint32()
  /** By posting. */
  #docs = new GrowingUint32()
  #termOf = new GrowingUint32()
  #freqs = new GrowingUint32()
  /** By position. */
  #postingOf = new GrowingUint32()
  #positions = new GrowingUint32()

  constructor(keeps: 'docs' | 'freqs' | 'positions' | null) {
    this.keeps = keeps
  }

  /** Number of a term, in the order in which terms came. */
  idOf(term: string): number {
    let id = this.#ids.get(term)
    if (id === undefined) {
      id = this.#terms.length
      this.#ids.set(term, id)
      this.#terms.push(term)
      this.#latest.push(0)
    }
    return id
  }

  add(doc: number, id: number): void {
    this.#occurrence(doc, id)
  }

  addTokens(doc: number, { terms, positions }: TokenList): void {
    for (let i = 0; i < terms.length; i++) {
      const posting = this.#occurrence(doc, this.idOf(terms[i]!))
      if (this.keeps === 'positions') {
        this.#postingOf.push(posting)
        this.#positions.push(positions[i]!)
      }
    }
  }

  #occurrence(doc: number, id: number): number {
    this.sumTotalFreq += 1
    const latest = this.#latest.at(id)
    if (latest !== 0 && this.#docs.at(latest - 1) === doc) {
      this.#freqs.increment(latest - 1)
      return latest - 1
    }
    this.sumDocFreq += 1
    this.#docs.push(doc)
    this.#termOf.push(id)
    this.#freqs.push(1)
    this.#latest.set(id, this.#docs.length)
    return this.#docs.length - 1
  }

  /** `ordinals[id]`: the place of a term among all, sorted. */
  build(): { parts: TermIndexParts | null; ordinals: Uint32Array; text: Uint8Array; textEnds: Uint32Array } {
    const order = utf8Order(this.#terms)
    const ordinals = new Uint32Array(order.length)
    for (let i = 0; i < order.length; i++) ordinals[order[i]!] = i
    const writer = new ByteWriter()
    const textEnds = new Uint32Array(order.length)
    for (let i = 0; i < order.length; i++) {
      writer.text(this.#terms[order[i]!]!)
      textEnds[i] = writer.length
    }
    const text = writer.finish()
    if (this.keeps === null) return { parts: null, ordinals, text, textEnds }
    return { parts: { text, textEnds, ...this.#postings(ordinals) }, ordinals, text, textEnds }
  }

  #postings(ordinals: Uint32Array): Omit<TermIndexParts, 'text' | 'textEnds'> {
    const size = ordinals.length
    const keeps = this.keeps!
    const docs = this.#docs.view()
    const freqs = this.#freqs.view()
    const termOf = this.#termOf.view()
    const docFreqs = new Uint32Array(size)
    for (let i = 0; i < termOf.length; i++) docFreqs[ordinals[termOf[i]!]!]! += 1
    const sorted = this.#byTerm(docFreqs, ordinals, termOf)
    const totalFreqs = new Uint32Array(size)
    for (let i = 0; i < termOf.length; i++)
      totalFreqs[ordinals[termOf[i]!]!]! += keeps === 'docs' ? 1 : freqs[i]!
    const { starts, order } = this.#positionsByPosting()
    const values = this.#positions.view()
    const postings = new ByteWriter(docs.length * 2 + 16)
    const positions = new ByteWriter(keeps === 'positions' ? values.length * 2 + 16 : 16)
    const postingEnds = new Uint32Array(size)
    const positionEnds = new Uint32Array(size)
    for (let ordinal = 0, at = 0; ordinal < size; ordinal++) {
      let previous = 0
      for (const end = at + docFreqs[ordinal]!; at < end; at++) {
        const posting = sorted[at]!
        const distance = docs[posting]! - previous
        previous = docs[posting]!
        if (keeps === 'docs') postings.varint(distance)
        else if (freqs[posting] === 1) postings.varint(distance * 2 + 1)
        else {
          postings.varint(distance * 2)
          postings.varint(freqs[posting]!)
        }
        if (keeps !== 'positions') continue
        let position = 0
        for (let k = starts[posting]!; k < starts[posting + 1]!; k++) {
          const next = values[order[k]!]!
          positions.varint(next - position)
          position = next
        }
      }
      postingEnds[ordinal] = postings.length
      positionEnds[ordinal] = positions.length
    }
    return {
      size,
      keeps,
      docFreqs,
      totalFreqs,
      postings: postings.finish(),
      postingEnds,
      positions: positions.finish(),
      positionEnds,
    }
  }

  /** Postings in the order of their terms, and within a term as they came. */
  #byTerm(docFreqs: Uint32Array, ordinals: Uint32Array, termOf: Uint32Array): Uint32Array {
    const next = new Uint32Array(docFreqs.length)
    for (let i = 1; i < next.length; i++) next[i] = next[i - 1]! + docFreqs[i - 1]!
    const sorted = new Uint32Array(termOf.length)
    for (let i = 0; i < termOf.length; i++) sorted[next[ordinals[termOf[i]!]!]!++] = i
    return sorted
  }

  #positionsByPosting(): { starts: Uint32Array; order: Uint32Array } {
    const postingOf = this.#postingOf.view()
    const starts = new Uint32Array(this.#docs.length + 1)
    for (let i = 0; i < postingOf.length; i++) starts[postingOf[i]! + 1]! += 1
    for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
    const next = starts.slice()
    const order = new Uint32Array(postingOf.length)
    for (let i = 0; i < postingOf.length; i++) order[next[postingOf[i]!]!++] = i
    return { starts, order }
  }
}
