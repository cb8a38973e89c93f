/**
 * Scores the postings of one term within a block, and bounds its scores there. A posting is found by rank:
 * the popcount of the term's bits before the document gives its index in the list.
 */
import { noNorm } from '../../../scoring/bm25.ts'
import { ones } from '../../../segment/encoding/bit-set.ts'
import type { PostingScores } from '../query.ts'
import { type BlockMaxPostings, blockSize } from './block-max-postings.ts'

export class TermBlockScorer {
  readonly words: Uint32Array
  readonly repeated: Uint32Array | null
  readonly norms: Uint8Array | null
  readonly #freqs: Uint32Array | null
  readonly #scores: PostingScores
  readonly #blocks: BlockMaxPostings
  /** The index in the postings of the first document of the current word. */
  #place = 0

  constructor(scores: PostingScores, blocks: BlockMaxPostings) {
    this.#scores = scores
    this.#blocks = blocks
    this.words = blocks.words
    this.repeated = blocks.repeated
    this.norms = scores.norms
    this.#freqs = scores.freqs
  }

  /** The upper bound of the score in a block, for documents with the term once or for all. */
  upperBound(block: number, isRepeated: boolean): number {
    const { starts, minNorms } = this.#blocks
    if (starts[block] === starts[block + 1]) return Number.NEGATIVE_INFINITY
    return this.upperBoundAt(block, minNorms[block]!, isRepeated)
  }

  /** The upper bound for documents with this norm. */
  upperBoundAt(block: number, norm: number, isRepeated: boolean): number {
    return this.#score(isRepeated ? this.#blocks.maxFrequencies[block]! : 1, norm)
  }

  begin(block: number): void {
    this.#place = this.#blocks.starts[block]!
  }

  pass(word: number): void {
    if (this.#freqs !== null) this.#place += ones(this.words[word]!)
  }

  postingsIn(block: number): number {
    const { starts } = this.#blocks
    return starts[block + 1]! - starts[block]!
  }

  /** Accumulates the scores of all postings of a block. */
  accumulate(sums: Float64Array, block: number): void {
    const { docs, freqs, norms, table } = this.#scores
    const { starts } = this.#blocks
    const { scores, end } = table
    const base = block * blockSize
    const to = starts[block + 1]!
    for (let at = starts[block]!; at < to; at++) {
      const doc = docs[at]!
      const norm = norms === null ? noNorm : norms[doc]!
      const freq = freqs === null ? 1 : freqs[at]!
      sums[doc - base]! += freq < end ? scores[((freq << 8) | norm) >>> 0]! : table.compute(freq, norm)
    }
  }

  repeatedIn(word: number): number {
    return this.repeated === null ? 0 : this.repeated[word]! | 0
  }

  /** The score of a document, given by its word and its bit in it; 0 when the term is not in it. */
  scoreOf(doc: number, word: number, bit: number): number {
    const own = this.words[word]! | 0
    if ((own & bit) === 0) return 0
    const frequency = this.#freqs === null ? 1 : this.#freqs[this.#place + ones(own & (bit - 1))]!
    return this.#score(frequency, this.norms === null ? noNorm : this.norms[doc]!)
  }

  #score(frequency: number, norm: number): number {
    const { table } = this.#scores
    return frequency < table.end ? table.scores[frequency * 256 + norm]! : table.compute(frequency, norm)
  }
}
