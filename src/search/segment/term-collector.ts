/**
 * Collects the terms of one field while documents come in, and turns them into an index at the end. Documents
 * arrive in rising order, so sorting the occurrences by term, keeping their order, is all there is to do.
 */
import type { TokenList } from './document.ts'
import { GrowingUint32 } from './growing-array.ts'
import { PostingsWriter } from './postings-writer.ts'
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

  /** `ordinals[id]`: the place of a term among all, sorted. Without an inverted index the parts hold the terms only. */
  build(): { parts: TermIndexParts; ordinals: Uint32Array } {
    const order = utf8Order(this.#terms)
    const ordinals = new Uint32Array(order.length)
    for (let i = 0; i < order.length; i++) ordinals[order[i]!] = i
    const writer = new PostingsWriter(this.keeps)
    const docs = this.#docs.view()
    const freqs = this.#freqs.view()
    const { ends, sorted } = this.#byTerm(ordinals)
    const { starts, order: positionOrder } = this.#positionsByPosting()
    const values = this.#positions.view()
    const positions: number[] = []
    for (let ordinal = 0, at = 0; ordinal < order.length; ordinal++) {
      writer.begin(this.#terms[order[ordinal]!]!)
      for (; at < ends[ordinal]!; at++) {
        const posting = sorted[at]!
        positions.length = 0
        for (let k = starts[posting]!; k < starts[posting + 1]!; k++)
          positions.push(values[positionOrder[k]!]!)
        writer.add(docs[posting]!, freqs[posting]!, positions, 0, positions.length)
      }
      writer.end()
    }
    return { parts: writer.finish(), ordinals }
  }

  /** Postings in the order of their terms, and within a term as they came; where each term's end. */
  #byTerm(ordinals: Uint32Array): { ends: Uint32Array; sorted: Uint32Array } {
    const termOf = this.#termOf.view()
    const ends = new Uint32Array(ordinals.length + 1)
    for (let i = 0; i < termOf.length; i++) ends[ordinals[termOf[i]!]! + 1]! += 1
    for (let i = 1; i < ends.length; i++) ends[i]! += ends[i - 1]!
    const sorted = new Uint32Array(termOf.length)
    // Each start moves to its end while its postings are put in place.
    for (let i = 0; i < termOf.length; i++) sorted[ends[ordinals[termOf[i]!]!]!++] = i
    return { ends, sorted }
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
