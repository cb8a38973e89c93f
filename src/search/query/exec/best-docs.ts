/** The best so far of documents that come in rising order: of equal scores the one that came first is better. */
import type { ScoredDocs } from './query.ts'

export class BestDocs {
  /** A heap: each entry is no better than the two below it, so the worst is on top. */
  readonly #scores: Float32Array
  readonly #docs: Uint32Array
  #count = 0
  /** What a score must be above to count; changes with what is added. */
  least = Number.NEGATIVE_INFINITY

  constructor(most: number) {
    this.#scores = new Float32Array(most)
    this.#docs = new Uint32Array(most)
  }

  /** `score`, a float, is above the least. */
  add(doc: number, score: number): void {
    if (this.#count < this.#scores.length) this.#rise(this.#count++, doc, score)
    else this.#sink(doc, score)
    if (this.#count === this.#scores.length) this.least = this.#scores[0]!
  }

  #rise(from: number, doc: number, score: number): void {
    const scores = this.#scores
    const docs = this.#docs
    let at = from
    while (at > 0) {
      const above = (at - 1) >>> 1
      // A later document is the worse one of two that are equal.
      if (scores[above]! < score) break
      scores[at] = scores[above]!
      docs[at] = docs[above]!
      at = above
    }
    scores[at] = score
    docs[at] = doc
  }

  /** In place of the worst. */
  #sink(doc: number, score: number): void {
    const scores = this.#scores
    const docs = this.#docs
    let at = 0
    for (;;) {
      let child = at * 2 + 1
      if (child >= scores.length) break
      if (child + 1 < scores.length && this.#isWorse(child + 1, child)) child += 1
      if (scores[child]! >= score) break
      scores[at] = scores[child]!
      docs[at] = docs[child]!
      at = child
    }
    scores[at] = score
    docs[at] = doc
  }

  #isWorse(one: number, other: number): boolean {
    const [own, others] = [this.#scores[one]!, this.#scores[other]!]
    return own < others || (own === others && this.#docs[one]! > this.#docs[other]!)
  }

  /** The best first. */
  sorted(): ScoredDocs {
    const scores = this.#scores
    const docs = this.#docs
    const order = Uint32Array.from({ length: this.#count }, (_, i) => i)
    order.sort((a, b) => scores[b]! - scores[a]! || docs[a]! - docs[b]!)
    return { docs: order.map((place) => docs[place]!), scores: Float32Array.from(order, (at) => scores[at]!) }
  }
}
