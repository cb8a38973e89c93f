/** The best so far of documents that come in rising order: of equal scores the one that came first is better. */
import type { ScoredDocs } from '../query.ts'

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
    let at = from
    while (at > 0) {
      const above = (at - 1) >>> 1
      // A later document is the worse one of two that are equal.
      if (this.#scores[above]! < score) break
      at = this.#move(above, at)
    }
    this.#put(at, doc, score)
  }

  /** In place of the worst. */
  #sink(doc: number, score: number): void {
    const scores = this.#scores
    let at = 0
    for (;;) {
      let child = at * 2 + 1
      if (child >= scores.length) break
      if (child + 1 < scores.length && this.#isWorse(child + 1, child)) child += 1
      if (scores[child]! >= score) break
      at = this.#move(child, at)
    }
    this.#put(at, doc, score)
  }

  #put(at: number, doc: number, score: number): void {
    this.#scores[at] = score
    this.#docs[at] = doc
  }

  /** Returns the place that is free then. */
  #move(from: number, to: number): number {
    this.#put(to, this.#docs[from]!, this.#scores[from]!)
    return from
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
