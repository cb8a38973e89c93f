/**
 * Maps offsets in a filtered text back to the original (Lucene's correctOffset). It holds the offsets where the
 * difference changes; several filters have a map each, applied from the last to the first.
 */
export class OffsetMap {
  readonly #places: number[] = []
  readonly #differences: number[] = []
  #difference = 0

  clear(): void {
    this.#places.length = 0
    this.#differences.length = 0
    this.#difference = 0
  }

  /** Records that `before` characters became `after` characters, which start at `place` of the new text. */
  replaced(place: number, before: number, after: number): void {
    if (after < before) this.#add(place + after, this.#difference + before - after)
    // Each surplus character maps to the end of the replaced text.
    else for (let extra = before; extra < after; extra++) this.#add(place + extra, this.#difference - 1)
  }

  original(offset: number): number {
    let low = 0
    let high = this.#places.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#places[middle]! <= offset) low = middle + 1
      else high = middle
    }
    return low === 0 ? offset : offset + this.#differences[low - 1]!
  }

  #add(place: number, difference: number): void {
    this.#difference = difference
    const last = this.#places.length - 1
    if (last >= 0 && this.#places[last] === place) this.#differences[last] = difference
    else {
      this.#places.push(place)
      this.#differences.push(difference)
    }
  }
}
