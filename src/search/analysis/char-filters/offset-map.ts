/**
 * Maps offsets in a filtered text back to the original (Lucene's correctOffset). It holds the offsets where the
 * difference changes; several filters have a map each, applied from the last to the first.
 */

const firstRoom = 16
/** Room that is kept for the next text. */
const maxKeptRoom = 16 * 1024

export class OffsetMap {
  // Not lists of numbers, which take four times as much while they grow: a text of megabytes may be nothing but tags.
  #places = new Int32Array(firstRoom)
  #differences = new Int32Array(firstRoom)
  #length = 0
  #difference = 0

  clear(): void {
    if (this.#places.length > maxKeptRoom) {
      this.#places = new Int32Array(firstRoom)
      this.#differences = new Int32Array(firstRoom)
    }
    this.#length = 0
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
    let high = this.#length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#places[middle]! <= offset) low = middle + 1
      else high = middle
    }
    return low === 0 ? offset : offset + this.#differences[low - 1]!
  }

  #add(place: number, difference: number): void {
    this.#difference = difference
    const last = this.#length - 1
    if (last >= 0 && this.#places[last] === place) {
      this.#differences[last] = difference
      return
    }
    if (this.#length === this.#places.length) this.#grow()
    this.#places[this.#length] = place
    this.#differences[this.#length++] = difference
  }

  #grow(): void {
    const room = Math.ceil(this.#length * 1.5)
    const wider = (values: Int32Array): Int32Array<ArrayBuffer> => {
      const made = new Int32Array(room)
      made.set(values)
      return made
    }
    this.#places = wider(this.#places)
    this.#differences = wider(this.#differences)
  }
}
