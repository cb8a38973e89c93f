/**
 * Exact phrase frequency in one document, after Lucene's ExactPhraseMatcher: the place with the fewest positions leads,
 * and the others are advanced to where they would have to be. No place ever goes back.
 */
import { gallop } from '../../../segment/encoding/binary-search.ts'
import type { PhraseMatcher, Place } from './phrase-matcher.ts'

export class ExactPhrase implements PhraseMatcher {
  frequency = 0
  #places: readonly Place[] = []
  /** The index of each place's next position, and where the document's positions end. */
  #cursors = new Uint32Array(0)
  #ends = new Uint32Array(0)
  #lead = 0
  /** The place that is compared next with the leading one. */
  #next = 0

  begin(places: readonly Place[], at: Uint32Array): void {
    this.frequency = 0
    this.#places = places
    this.#next = 0
    if (this.#cursors.length < places.length) {
      this.#cursors = new Uint32Array(places.length)
      this.#ends = new Uint32Array(places.length)
    }
    let min = Number.POSITIVE_INFINITY
    for (let p = 0; p < places.length; p++) {
      const { starts } = places[p]!
      const from = starts[at[p]!]!
      const to = starts[at[p]! + 1]!
      this.#cursors[p] = from
      this.#ends[p] = to
      if (to - from < min) {
        min = to - from
        this.#lead = p
      }
    }
  }

  run(limit: number): boolean {
    const places = this.#places
    const cursors = this.#cursors
    const ends = this.#ends
    const lead = this.#lead
    const { values: leading, offset: leadOffset } = places[lead]!
    const end = ends[lead]!
    let left = limit
    let p = this.#next
    while (cursors[lead]! < end) {
      const start = leading[cursors[lead]!]! - leadOffset
      for (; p < places.length; p++) {
        if (left-- <= 0) {
          this.#next = p
          return false
        }
        if (p === lead) continue
        const { values, offset } = places[p]!
        const wanted = start + offset
        let cursor = cursors[p]!
        if (values[cursor]! < wanted) {
          cursor = gallop(values, wanted, cursor, ends[p]!)
          cursors[p] = cursor
          if (cursor === ends[p]) return true
        }
        if (values[cursor] !== wanted) break
      }
      if (p === places.length) this.frequency += 1
      p = 0
      cursors[lead]! += 1
    }
    return true
  }
}
