/**
 * Postings of a field that has doc values: the ordinal column transposed on first use by a counting sort, and
 * cached. One array holds the documents of all terms; the postings of a term are a slice of it. Such postings take
 * no room on disk.
 */
import type { Steps } from '../../scheduling/steps.ts'
import type { DecodedCache } from '../decoded-cache.ts'
import { BitSet } from '../encoding/bit-set.ts'
import type { RandomBlocks, TextList } from '../encoding/sections.ts'
import type { OrdinalColumn, Postings, TermIndex } from '../segment.ts'
import { docsWithAny, wantedOf } from './ordinal-scan.ts'
import { TermDictionary } from './term-dictionary.ts'
import { addDocs, areRare, type Transposed, transpose, transposedBytes } from './transpose.ts'

export class DerivedTermIndex extends TermDictionary implements TermIndex {
  readonly #docFreqs: Uint32Array
  readonly #column: () => OrdinalColumn
  readonly #grown: (bytes: number) => void
  #transposed: Transposed | undefined

  /** `grown` is called with the bytes of the transposed column when it is computed. */
  constructor(
    terms: RandomBlocks<TextList>,
    docFreqs: Uint32Array,
    column: () => OrdinalColumn,
    memory: DecodedCache | null = null,
    grown: (bytes: number) => void = () => {},
  ) {
    super(terms, memory)
    this.#docFreqs = docFreqs
    this.#column = column
    this.#grown = grown
  }

  docFreq(ordinal: number): number {
    return this.#docFreqs[ordinal]!
  }

  totalFreq(ordinal: number): number {
    return this.#docFreqs[ordinal]!
  }

  postings(ordinal: number): Postings {
    const { docs, ends } = this.#transpose()
    const from = ordinal === 0 ? 0 : ends[ordinal - 1]!
    return { docs: docs.subarray(from, ends[ordinal]!), freqs: null, positions: null }
  }

  *anyOf(ordinals: readonly number[], docCount: number): Steps<BitSet> {
    if (!areRare(ordinals, this.#docFreqs, docCount))
      return yield* docsWithAny(this.#column(), wantedOf(ordinals, this.size), docCount)
    const bits = new BitSet(docCount)
    const inverse = this.#transpose()
    yield
    for (const ordinal of ordinals) addDocs(bits, inverse, ordinal)
    return bits
  }

  #transpose(): Transposed {
    if (this.#transposed === undefined) {
      this.#transposed = transpose(this.#column(), this.size)
      this.#grown(transposedBytes(this.#transposed))
    }
    return this.#transposed
  }
}
