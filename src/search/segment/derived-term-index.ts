/**
 * Postings of a field that has its terms by document already: turned around on first use, by counting, and kept.
 * One array then holds the documents of all terms, and the postings of a term are a part of it.
 */
import type { TextList } from './sections.ts'
import type { OrdinalColumn, Postings, TermIndex } from './segment.ts'
import { TermDictionary } from './term-dictionary.ts'

export class DerivedTermIndex implements TermIndex {
  readonly size: number
  readonly #dictionary: TermDictionary
  readonly #docFreqs: Uint32Array
  readonly #column: () => OrdinalColumn
  #inverse: Inverse | undefined

  constructor(terms: TextList, docFreqs: Uint32Array, column: () => OrdinalColumn) {
    this.#dictionary = new TermDictionary(terms)
    this.size = this.#dictionary.size
    this.#docFreqs = docFreqs
    this.#column = column
  }

  term(ordinal: number): string {
    return this.#dictionary.term(ordinal)
  }

  find(term: string): number {
    return this.#dictionary.find(term)
  }

  lowerBound(term: string): number {
    return this.#dictionary.lowerBound(term)
  }

  docFreq(ordinal: number): number {
    return this.#docFreqs[ordinal]!
  }

  totalFreq(ordinal: number): number {
    return this.#docFreqs[ordinal]!
  }

  postings(ordinal: number): Postings {
    this.#inverse ??= inverseOf(this.#column(), this.size)
    const { docs, ends } = this.#inverse
    const from = ordinal === 0 ? 0 : ends[ordinal - 1]!
    return { docs: docs.subarray(from, ends[ordinal]!), freqs: null, positions: null }
  }
}

export interface Inverse {
  /** Documents by term. */
  readonly docs: Uint32Array
  /** Where those of each term end. */
  readonly ends: Uint32Array
}

export function inverseOf({ values, starts }: OrdinalColumn, size: number): Inverse {
  // One entry more than terms: 0 stands for no value.
  const ends = new Uint32Array(size + 2)
  for (let i = 0; i < values.length; i++) ends[values[i]! + 1]! += 1
  ends[1] = 0
  for (let i = 2; i < ends.length; i++) ends[i]! += ends[i - 1]!
  const docs = new Uint32Array(ends[size + 1]!)
  if (starts === null) {
    for (let doc = 0; doc < values.length; doc++) {
      const value = values[doc]!
      if (value !== 0) docs[ends[value]!++] = doc
    }
  } else {
    for (let doc = 0; doc + 1 < starts.length; doc++) {
      for (let at = starts[doc]!; at < starts[doc + 1]!; at++) docs[ends[values[at]!]!++] = doc
    }
  }
  // Each place has moved on to the end of its term.
  return { docs, ends: ends.subarray(1, size + 1) }
}
