/**
 * Collects the k documents with the highest scores in a bounded binary heap (Lucene's TopScoreDocCollector).
 * Documents arrive in rising order, and of equal scores the earlier document wins.
 */
import type { ScoredDocs } from '../query.ts'

export class TopDocsHeap {
  /** A min-heap: every parent is no better than its children, so the worst of the top k is the root. */
  readonly #scores: Float32Array
  readonly #docs: Uint32Array
  #count = 0
  /** The score a document must exceed to enter the top k; negative infinity until the heap is full. */
  threshold = Number.NEGATIVE_INFINITY

  constructor(capacity: number) {
    this.#scores = new Float32Array(capacity)
    this.#docs = new Uint32Array(capacity)
  }

  /** `score` must be a float above the threshold. */
  add(doc: number, score: number): void {
    if (this.#count < this.#scores.length) this.#siftUp(this.#count++, doc, score)
    else this.#siftDown(this.#count, doc, score)
    if (this.#count === this.#scores.length) this.threshold = this.#scores[0]!
  }

  #siftUp(from: number, doc: number, score: number): void {
    let at = from
    while (at > 0) {
      const above = (at - 1) >>> 1
      // The later of two documents with one score is the worse.
      if (this.#scores[above]! < score) break
      at = this.#move(above, at)
    }
    this.#put(at, doc, score)
  }

  /** Replaces the root of a heap of `count` documents. */
  #siftDown(count: number, doc: number, score: number): void {
    const scores = this.#scores
    const docs = this.#docs
    let at = 0
    for (;;) {
      let child = at * 2 + 1
      if (child >= count) break
      if (child + 1 < count && this.#isWorse(child + 1, child)) child += 1
      const other = scores[child]!
      if (other > score || (other === score && docs[child]! < doc)) break
      at = this.#move(child, at)
    }
    this.#put(at, doc, score)
  }

  #put(at: number, doc: number, score: number): void {
    this.#scores[at] = score
    this.#docs[at] = doc
  }

  /** Returns the slot that became free. */
  #move(from: number, to: number): number {
    this.#put(to, this.#docs[from]!, this.#scores[from]!)
    return from
  }

  #isWorse(one: number, other: number): boolean {
    const [own, others] = [this.#scores[one]!, this.#scores[other]!]
    return own < others || (own === others && this.#docs[one]! > this.#docs[other]!)
  }

  /** Returns the documents from the best to the worst, and leaves the heap empty: a heapsort. */
  sorted(): ScoredDocs {
    const count = this.#count
    const sorted = { docs: new Uint32Array(count), scores: new Float32Array(count) }
    for (let last = count - 1; last >= 0; last--) {
      sorted.docs[last] = this.#docs[0]!
      sorted.scores[last] = this.#scores[0]!
      this.#siftDown(last, this.#docs[last]!, this.#scores[last]!)
    }
    this.#count = 0
    this.threshold = Number.NEGATIVE_INFINITY
    return sorted
  }
}
