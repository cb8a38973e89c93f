/**
 * Collects the tokens of one analysed field, and turns them into an inverted index at the end. Tokens come from two
 * sides: ready, with their positions, document by document; and as values of a leaf that are analysed at the end, each
 * distinct one once. When few are distinct the index is one of values (`value-term-index.ts`).
 */
import { hashBytes } from '../analysis/standard-bytes.ts'
import { encodeLength } from '../scoring/length-norm.ts'
import { ByteDictionary, sortedTexts } from './byte-dictionary.ts'
import type { TokenList } from './document.ts'
import { GrowingUint32 } from './growing-array.ts'
import { PostingsWriter } from './postings-writer.ts'
import type { TextList } from './sections.ts'
import type { PostingsParts } from './term-index.ts'
import { TermScratch } from './term-scratch.ts'
import { type ByteAnalyzer, type LaidOut, type TextLeaf, type TokenSink, textsInOrder } from './text-leaf.ts'

/** A field has an index of values when at most this share of its documents have a value no other has before. */
const distinctShare = 0.125

export interface TextSource {
  readonly leaf: TextLeaf
  readonly analyzer: ByteAnalyzer
  /** Positions between two values of one document. */
  readonly positionGap: number
}

export interface TextIndex {
  readonly texts: TextList
  readonly parts: PostingsParts
  readonly sumDocFreq: number
  readonly sumTotalFreq: number
  /** By document, or by value in an index of values. */
  readonly norms: Uint8Array | null
  /** Of an index of values. */
  readonly values?: {
    readonly laidOut: LaidOut
    readonly docFreqs: Uint32Array
    readonly totalFreqs: Uint32Array
  }
}

export class TokenCollector implements TokenSink {
  readonly #keeps: 'docs' | 'freqs' | 'positions'
  readonly #hasNorms: boolean
  readonly #terms = new ByteDictionary()
  readonly #scratch = new TermScratch()
  // Tokens that came ready, one entry each.
  readonly #docs = new GrowingUint32()
  readonly #ids = new GrowingUint32()
  readonly #positions = new GrowingUint32()
  // Documents they are of.
  readonly #lengthDocs = new GrowingUint32()
  readonly #lengths = new GrowingUint32()
  /** Tokens of values while these are analysed. */
  #run = new GrowingUint32()

  constructor(keeps: 'docs' | 'freqs' | 'positions', hasNorms: boolean) {
    this.#keeps = keeps
    this.#hasNorms = hasNorms
  }

  add(doc: number, { terms, positions, length }: TokenList): void {
    for (let i = 0; i < terms.length; i++) {
      this.#docs.push(doc)
      this.#ids.push(this.#idOf(terms[i]!))
      this.#positions.push(positions[i]!)
    }
    this.#lengthDocs.push(doc)
    this.#lengths.push(length)
  }

  #idOf(term: string): number {
    const scratch = this.#scratch
    const length = scratch.write(term)
    const hash = hashBytes(scratch.bytes, 0, length)
    return this.#terms.idOf(scratch.bytes, scratch.view, 0, length, hash)
  }

  token(bytes: Uint8Array, view: DataView, from: number, to: number, hash: number): void {
    this.#run.push(this.#terms.idOf(bytes, view, from, to, hash))
  }

  build(docCount: number, source: TextSource | undefined): TextIndex {
    if (source === undefined || source.leaf.docs.length === 0) return this.#ofDocuments(docCount, undefined)
    const { leaf } = source
    if (this.#lengthDocs.length === 0 && !leaf.isMultiple) {
      const laidOut = leaf.laidOut(docCount)
      if (laidOut.order.length <= leaf.docs.length * distinctShare) return this.#ofValues(laidOut, source)
    }
    return this.#ofDocuments(docCount, source)
  }

  #ofValues(laidOut: LaidOut, { leaf, analyzer }: TextSource): TextIndex {
    const { order, counts } = laidOut
    const { dictionary } = leaf
    const ends = new Uint32Array(order.length)
    for (let i = 0; i < order.length; i++) {
      analyzer.analyze(dictionary.bytes, dictionary.startOf(order[i]!), dictionary.ends[order[i]!]!, this)
      ends[i] = this.#run.length
    }
    const terms = this.#run.view()
    const places = new Uint32Array(terms.length)
    const positions = new Uint32Array(terms.length)
    const norms = new Uint8Array(order.length)
    for (let value = 0, at = 0; value < order.length; value++) {
      const start = at
      for (; at < ends[value]!; at++) {
        places[at] = value
        positions[at] = at - start
      }
      norms[value] = encodeLength(at - start)
    }
    const sorted = this.#byTerm(terms, places, positions)
    const parts = this.#write(sorted)
    const docFreqs = new Uint32Array(sorted.ends.length)
    const totalFreqs = new Uint32Array(sorted.ends.length)
    let sumDocFreq = 0
    let sumTotalFreq = 0
    for (let term = 0, at = 0; term < docFreqs.length; term++) {
      let docFreq = 0
      let totalFreq = 0
      for (let last = -1; at < sorted.ends[term]!; at++) {
        const value = sorted.docs[at]!
        totalFreq += counts[value]!
        if (value !== last) docFreq += counts[value]!
        last = value
      }
      docFreqs[term] = docFreq
      totalFreqs[term] = this.#keeps === 'docs' ? docFreq : totalFreq
      sumDocFreq += docFreq
      sumTotalFreq += totalFreqs[term]!
    }
    return {
      texts: sorted.texts,
      parts: parts.finish(),
      sumDocFreq,
      sumTotalFreq,
      norms: this.#hasNorms ? norms : null,
      values: { laidOut, docFreqs, totalFreqs },
    }
  }

  #ofDocuments(docCount: number, source: TextSource | undefined): TextIndex {
    const norms = this.#hasNorms ? new Uint8Array(docCount) : null
    if (norms !== null) {
      for (let i = 0; i < this.#lengths.length; i++) {
        norms[this.#lengthDocs.at(i)] = encodeLength(this.#lengths.at(i))
      }
    }
    const all = source === undefined ? this.#ready() : this.#withLeaf(source, norms)
    const sorted = this.#byTerm(all.terms, all.docs, all.positions)
    const writer = this.#write(sorted)
    return {
      texts: sorted.texts,
      parts: writer.finish(),
      sumDocFreq: writer.sumDocFreq,
      sumTotalFreq: writer.sumTotalFreq,
      norms,
    }
  }

  #ready(): Occurrences {
    return { terms: this.#ids.view(), docs: this.#docs.view(), positions: this.#positions.view() }
  }

  /** All occurrences in the order of documents, of which each has either ready tokens or values. */
  #withLeaf({ leaf, analyzer, positionGap }: TextSource, norms: Uint8Array | null): Occurrences {
    const { dictionary } = leaf
    // The tokens of a value begin at `starts[id]`; plus one, as 0 is for values not analysed yet.
    const starts = new Uint32Array(dictionary.size)
    const ends = new Uint32Array(dictionary.size)
    const leafDocs = leaf.docs.view()
    const ids = leaf.ids.view()
    let total = this.#ids.length
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i]!
      if (starts[id] === 0) {
        starts[id] = this.#run.length + 1
        analyzer.analyze(dictionary.bytes, dictionary.startOf(id), dictionary.ends[id]!, this)
        ends[id] = this.#run.length
      }
      total += ends[id]! - starts[id]! + 1
    }
    const run = this.#run.view()
    const ready = this.#ready()
    const docs = new Uint32Array(total)
    const terms = new Uint32Array(total)
    const positions = new Uint32Array(total)
    let at = 0
    let next = 0
    for (let i = 0; i < ids.length; ) {
      const doc = leafDocs[i]!
      for (; next < ready.docs.length && ready.docs[next]! < doc; next++, at++) {
        docs[at] = ready.docs[next]!
        terms[at] = ready.terms[next]!
        positions[at] = ready.positions[next]!
      }
      let position = 0
      let length = 0
      for (const first = i; i < ids.length && leafDocs[i] === doc; i++) {
        if (i > first) position += positionGap
        const end = ends[ids[i]!]!
        for (let k = starts[ids[i]!]! - 1; k < end; k++) {
          docs[at] = doc
          terms[at] = run[k]!
          positions[at++] = position++
          length++
        }
      }
      if (norms !== null) norms[doc] = encodeLength(length)
    }
    for (; next < ready.docs.length; next++, at++) {
      docs[at] = ready.docs[next]!
      terms[at] = ready.terms[next]!
      positions[at] = ready.positions[next]!
    }
    return { docs, terms, positions }
  }

  /** By counting, so that the order of documents and positions within a term stays. */
  #byTerm(terms: Uint32Array, docs: Uint32Array, positions: Uint32Array): SortedOccurrences {
    const order = sortedTexts(this.#terms, this.#terms.size)
    const places = new Uint32Array(order.length)
    for (let i = 0; i < order.length; i++) places[order[i]!] = i
    const ends = new Uint32Array(order.length + 1)
    for (let i = 0; i < terms.length; i++) ends[places[terms[i]!]! + 1]! += 1
    for (let i = 1; i < ends.length; i++) ends[i]! += ends[i - 1]!
    const sortedDocs = new Uint32Array(terms.length)
    const sortedPositions = new Uint32Array(terms.length)
    // Each start moves to its end while its occurrences are put in place.
    for (let i = 0; i < terms.length; i++) {
      const at = ends[places[terms[i]!]!]!++
      sortedDocs[at] = docs[i]!
      sortedPositions[at] = positions[i]!
    }
    return {
      texts: textsInOrder(this.#terms, order),
      docs: sortedDocs,
      positions: sortedPositions,
      ends: ends.subarray(0, order.length),
    }
  }

  #write({ docs, positions, ends }: SortedOccurrences): PostingsWriter {
    const writer = new PostingsWriter(this.#keeps)
    for (let term = 0, at = 0; term < ends.length; term++) {
      writer.addOccurrences(docs, positions, at, ends[term]!)
      writer.end()
      at = ends[term]!
    }
    return writer
  }
}

interface Occurrences {
  readonly docs: Uint32Array
  readonly terms: Uint32Array
  readonly positions: Uint32Array
}

interface SortedOccurrences {
  readonly texts: TextList
  readonly docs: Uint32Array
  readonly positions: Uint32Array
  /** Where the occurrences of each term end. */
  readonly ends: Uint32Array
}
