/**
 * The value index: an inverted index in two levels, for a text field with few distinct values. Terms point to
 * values, a column points from documents to values. Only distinct values are analysed, and only their postings are
 * stored; those of documents are expanded through the column when a term is asked for. Lucene has no such structure;
 * it is close to dictionary encoding in column stores.
 */

import type { Steps } from '../../scheduling/steps.ts'
import type { DecodedCache } from '../decoded-cache.ts'
import { BitSet } from '../encoding/bit-set.ts'
import type { Ordinals } from '../encoding/ordinals.ts'
import type { RandomBlocks, TextList } from '../encoding/sections.ts'
import type { PostingPositions, Postings, TermIndex } from '../segment.ts'
import { docsWithAny } from './ordinal-scan.ts'
import { PostingsCache } from './postings-cache.ts'
import { TermDictionary } from './term-dictionary.ts'
import { docsOfEach, readPostings, type StoredPostings } from './term-index.ts'
import { addDocs, areRare, type Transposed, transpose, transposedBytes } from './transpose.ts'

interface ValuePostings {
  /** Postings whose "documents" are values. */
  readonly parts: StoredPostings
  readonly valueCount: number
  /** Document frequencies of the terms. */
  readonly docFreqs: Uint32Array
  readonly totalFreqs: Uint32Array
  /** Indexed by document: its value plus one; 0 for none. */
  readonly column: () => Ordinals
  /** Called with the bytes of the transposed column when it is computed, for the cache that accounts for them. */
  readonly grown?: (bytes: number) => void
}

export class ValueTermIndex extends TermDictionary implements TermIndex {
  readonly #given: ValuePostings
  readonly #kept: PostingsCache
  #transposed: Transposed | undefined

  /** `memory` is the cache that counts expanded postings. */
  constructor(terms: RandomBlocks<TextList>, given: ValuePostings, memory: DecodedCache | null = null) {
    super(terms, memory)
    this.#kept = new PostingsCache(memory)
    this.#given = given
  }

  docFreq(ordinal: number): number {
    return this.#given.docFreqs[ordinal]!
  }

  totalFreq(ordinal: number): number {
    return this.#given.totalFreqs[ordinal]!
  }

  /** Returns the values a term occurs in, as postings. */
  valuePostings(ordinal: number): Postings {
    return readPostings(this.#given.parts, ordinal)
  }

  postings(ordinal: number): Postings {
    return this.#kept.get(ordinal) ?? this.#kept.keep(ordinal, this.expand(ordinal))
  }

  *anyOf(ordinals: readonly number[], docCount: number): Steps<BitSet> {
    const { parts, docFreqs, valueCount } = this.#given
    if (areRare(ordinals, docFreqs, docCount)) {
      const bits = new BitSet(docCount)
      const inverse = this.#transpose()
      yield* docsOfEach(parts, ordinals, (values, count) => {
        for (let i = 0; i < count; i++) addDocs(bits, inverse, values[i]!)
      })
      return bits
    }
    const column = { values: this.#given.column(), starts: null }
    const wanted = new Uint8Array(valueCount + 1)
    yield* docsOfEach(parts, ordinals, (values, count) => {
      for (let i = 0; i < count; i++) wanted[values[i]! + 1] = 1
    })
    return yield* docsWithAny(column, wanted, docCount)
  }

  #transpose(): Transposed {
    if (this.#transposed === undefined) {
      this.#transposed = transpose({ values: this.#given.column(), starts: null }, this.#given.valueCount)
      this.#given.grown?.(transposedBytes(this.#transposed))
    }
    return this.#transposed
  }

  /** Expands the postings of a term without caching them. */
  expand(ordinal: number): Postings {
    const column = this.#given.column()
    const values = this.valuePostings(ordinal)
    const docFreq = this.docFreq(ordinal)
    // Indexed by value plus one: its index among the values of the term, plus one.
    const places = new Uint32Array(this.#given.valueCount + 1)
    for (let i = 0; i < values.docs.length; i++) places[values.docs[i]! + 1] = i + 1
    const docs = areRare([ordinal], this.#given.docFreqs, column.length)
      ? this.#gather(values.docs, docFreq)
      : scan(column, places, docFreq)
    const { freqs: valueFreqs, positions } = values
    let freqs: Uint32Array | null = null
    if (valueFreqs !== null) {
      freqs = new Uint32Array(docFreq)
      for (let i = 0; i < docFreq; i++) freqs[i] = valueFreqs[places[column[docs[i]!]!]! - 1]!
    }
    return {
      docs,
      freqs,
      positions: positions && new ExpandedPositions(docs, column, places, positions, this.totalFreq(ordinal)),
    }
  }

  #gather(values: Uint32Array, docFreq: number): Uint32Array {
    const { docs, ends } = this.#transpose()
    const found = new Uint32Array(docFreq)
    let count = 0
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!
      const part = docs.subarray(value === 0 ? 0 : ends[value - 1]!, ends[value]!)
      found.set(part, count)
      count += part.length
    }
    return values.length > 1 ? found.sort() : found
  }
}

function scan(column: Ordinals, places: Uint32Array, docFreq: number): Uint32Array {
  const docs = new Uint32Array(docFreq)
  let count = 0
  for (let doc = 0; doc < column.length; doc++) if (places[column[doc]!] !== 0) docs[count++] = doc
  return docs
}

/** Positions by document, expanded from those of values when they are first read. */
class ExpandedPositions implements PostingPositions {
  readonly #docs: Uint32Array
  readonly #column: Ordinals
  readonly #places: Uint32Array
  readonly #ofValues: PostingPositions
  readonly #total: number
  #made: { readonly starts: Uint32Array; readonly values: Uint32Array } | undefined

  constructor(
    docs: Uint32Array,
    column: Ordinals,
    places: Uint32Array,
    ofValues: PostingPositions,
    total: number,
  ) {
    this.#docs = docs
    this.#column = column
    this.#places = places
    this.#ofValues = ofValues
    this.#total = total
  }

  get starts(): Uint32Array {
    return this.#make().starts
  }

  get values(): Uint32Array {
    return this.#make().values
  }

  #make(): { readonly starts: Uint32Array; readonly values: Uint32Array } {
    if (this.#made !== undefined) return this.#made
    const { starts: from, values: given } = this.#ofValues
    const starts = new Uint32Array(this.#docs.length + 1)
    const values = new Uint32Array(this.#total)
    let next = 0
    for (let i = 0; i < this.#docs.length; i++) {
      starts[i] = next
      const place = this.#places[this.#column[this.#docs[i]!]!]! - 1
      for (let at = from[place]!; at < from[place + 1]!; at++) values[next++] = given[at]!
    }
    starts[this.#docs.length] = next
    this.#made = { starts, values }
    return this.#made
  }
}
