/** One of the lists that scores are summed of: what it holds of a window, and what it adds there. */
import { noNorm } from '../../../scoring/bm25.ts'
import { ones } from '../../../segment/encoding/bit-set.ts'
import type { PostingScores } from '../query.ts'
import { type PostingWindows, windowSize } from './posting-windows.ts'

export class ListWindows {
  readonly words: Uint32Array
  readonly repeated: Uint32Array | null
  readonly norms: Uint8Array | null
  readonly #freqs: Uint32Array | null
  readonly #scores: PostingScores
  readonly #windows: PostingWindows
  /** Where in the list the word stands that is being scored. */
  #place = 0

  constructor(scores: PostingScores, windows: PostingWindows) {
    this.#scores = scores
    this.#windows = windows
    this.words = windows.words
    this.repeated = windows.repeated
    this.norms = scores.norms
    this.#freqs = scores.freqs
  }

  /** The most it adds to a document of a window that holds its term once, or more than once. */
  bound(window: number, isRepeated: boolean): number {
    const { starts, lowestNorms } = this.#windows
    if (starts[window] === starts[window + 1]) return Number.NEGATIVE_INFINITY
    return this.boundAt(window, lowestNorms[window]!, isRepeated)
  }

  /** The most it adds to a text of this length. */
  boundAt(window: number, norm: number, isRepeated: boolean): number {
    return this.#score(isRepeated ? this.#windows.highestFrequencies[window]! : 1, norm)
  }

  begin(window: number): void {
    this.#place = this.#windows.starts[window]!
  }

  pass(word: number): void {
    if (this.#freqs !== null) this.#place += ones(this.words[word]!)
  }

  countIn(window: number): number {
    const { starts } = this.#windows
    return starts[window + 1]! - starts[window]!
  }

  /** Adds what it adds to each document of a window. */
  addTo(sums: Float64Array, window: number): void {
    const { docs, freqs, norms, table } = this.#scores
    const { starts } = this.#windows
    const { scores, end } = table
    const base = window * windowSize
    const to = starts[window + 1]!
    for (let at = starts[window]!; at < to; at++) {
      const doc = docs[at]!
      const norm = norms === null ? noNorm : norms[doc]!
      const freq = freqs === null ? 1 : freqs[at]!
      sums[doc - base]! += freq < end ? scores[((freq << 8) | norm) >>> 0]! : table.compute(freq, norm)
    }
  }

  repeatedIn(word: number): number {
    return this.repeated === null ? 0 : this.repeated[word]! | 0
  }

  /** What it adds to a document, whose bit of a word is given; nothing when it does not hold it. */
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
