/**
 * Collects the k documents with the highest scores in a bounded binary heap (Lucene's TopScoreDocCollector).
 * Documents arrive in rising order, and of equal scores the earlier document wins.
 */
import type { ScoredDocs } from '../query.ts'

export class TopDocsHeap {
  readonly #capacity: number
  /**
   * A min-heap: every parent is no better than its children, so the worst of the top k is the root. A place behind it is
   * for a document that comes.
   */
  readonly #scores: Float32Array
  readonly #docs: Uint32Array
  #count = 0
  /** The score a document must exceed to enter the top k; negative infinity until the heap is full. */
  threshold = Number.NEGATIVE_INFINITY

  constructor(capacity: number) {
    this.#capacity = capacity
    this.#scores = new Float32Array(capacity + 1)
    this.#docs = new Uint32Array(capacity + 1)
  }

  /** `score` must be a float above the threshold. */
  add(doc: number, score: number): void {
    const isFull = this.#count === this.#capacity
    const place = isFull ? this.#capacity : this.#count++
    this.#scores[place] = score
    this.#docs[place] = doc
    if (isFull) this.#siftDown(place)
    else this.#siftUp(place)
    if (this.#count === this.#capacity) this.threshold = this.#scores[0]!
  }

  /** Adds those of some documents that are above the threshold; there may be more scores than documents. */
  addAll(docs: Uint32Array, scores: Float32Array): void {
    let { threshold } = this
    for (let i = 0; i < docs.length; i++) {
      if (scores[i]! <= threshold) continue
      // Read once more, as a variable would be put into an object for each document.
      this.add(docs[i]!, scores[i]!)
      threshold = this.threshold
    }
  }

  /** Moves the document at a place up until the one above is worse. */
  #siftUp(place: number): void {
    const scores = this.#scores
    const docs = this.#docs
    const doc = docs[place]!
    const score = scores[place]!
    let at = place
    while (at > 0) {
      const above = (at - 1) >>> 1
      // The later of two documents with one score is the worse.
      if (scores[above]! < score) break
      scores[at] = scores[above]!
      docs[at] = docs[above]!
      at = above
    }
    scores[at] = score
    docs[at] = doc
  }

  /** Replaces the root by the document at a place behind the heap. */
  #siftDown(place: number): void {
    const scores = this.#scores
    const docs = this.#docs
    const doc = docs[place]!
    const score = scores[place]!
    let at = 0
    for (;;) {
      let child = at * 2 + 1
      if (child >= place) break
      const right = child + 1
      if (
        right < place &&
        (scores[right]! < scores[child]! ||
          (scores[right]! === scores[child]! && docs[right]! > docs[child]!))
      )
        child = right
      if (scores[child]! > score || (scores[child]! === score && docs[child]! < doc)) break
      scores[at] = scores[child]!
      docs[at] = docs[child]!
      at = child
    }
    scores[at] = score
    docs[at] = doc
  }

  /** Returns the documents from the best to the worst, and leaves the heap empty: a heapsort. */
  sorted(): ScoredDocs {
    const count = this.#count
    const sorted = { docs: new Uint32Array(count), scores: new Float32Array(count) }
    for (let last = count - 1; last >= 0; last--) {
      sorted.docs[last] = this.#docs[0]!
      sorted.scores[last] = this.#scores[0]!
      this.#siftDown(last)
    }
    this.#count = 0
    this.threshold = Number.NEGATIVE_INFINITY
    return sorted
  }
}
