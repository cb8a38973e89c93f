/**
 * Postings of a field that has its terms by document already: turned around on first use, by counting, and kept.
 * One array then holds the documents of all terms, and the postings of a term are a part of it.
 */
import type { Steps } from '../steps.ts'
import { BitSet } from './bit-set.ts'
import { docsWithAny, wantedOf } from './docs-with-any.ts'
import type { TextList } from './sections.ts'
import type { OrdinalColumn, Postings, TermIndex } from './segment.ts'
import { TermDictionary } from './term-dictionary.ts'

export class DerivedTermIndex extends TermDictionary implements TermIndex {
  readonly #docFreqs: Uint32Array
  readonly #column: () => OrdinalColumn
  #inverse: Inverse | undefined

  constructor(terms: TextList, docFreqs: Uint32Array, column: () => OrdinalColumn) {
    super(terms)
    this.#docFreqs = docFreqs
    this.#column = column
  }

  docFreq(ordinal: number): number {
    return this.#docFreqs[ordinal]!
  }

  totalFreq(ordinal: number): number {
    return this.#docFreqs[ordinal]!
  }

  postings(ordinal: number): Postings {
    const { docs, ends } = this.#inverted()
    const from = ordinal === 0 ? 0 : ends[ordinal - 1]!
    return { docs: docs.subarray(from, ends[ordinal]!), freqs: null, positions: null }
  }

  *anyOf(ordinals: readonly number[], docCount: number): Steps<BitSet> {
    if (!areRare(ordinals, this.#docFreqs, docCount))
      return yield* docsWithAny(this.#column(), wantedOf(ordinals, this.size), docCount)
    const bits = new BitSet(docCount)
    const inverse = this.#inverted()
    yield
    for (const ordinal of ordinals) markDocs(inverse, ordinal, bits.words)
    return bits
  }

  #inverted(): Inverse {
    this.#inverse ??= inverseOf(this.#column(), this.size)
    return this.#inverse
  }
}

/** Terms that occur in fewer than one document of this many are looked for by term, others in the column. */
const fewOf = 16

export function areRare(ordinals: readonly number[], docFreqs: Uint32Array, docCount: number): boolean {
  let left = docCount / fewOf
  for (let i = 0; i < ordinals.length && left >= 0; i++) left -= 1 + docFreqs[ordinals[i]!]!
  return left >= 0
}

export interface Inverse {
  /** Documents by term. */
  readonly docs: Uint32Array
  /** Where those of each term end. */
  readonly ends: Uint32Array
}

/** Sets the bits of the documents that have a term, or a value. */
export function markDocs({ docs, ends }: Inverse, ordinal: number, words: Uint32Array): void {
  for (let at = ordinal === 0 ? 0 : ends[ordinal - 1]!; at < ends[ordinal]!; at++)
    words[docs[at]! >>> 5]! |= 1 << (docs[at]! & 31)
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
