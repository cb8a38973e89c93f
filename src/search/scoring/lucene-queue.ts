/**
 * The bounded binary heap of Lucene (org.apache.lucene.util.PriorityQueue). Which of equal items it drops and in
 * which order it returns them follows from how it moves them, and is visible where OpenSearch has no further order.
 */
export class LuceneQueue<Item> {
  /** The root is at 1. */
  readonly #heap: Item[] = []
  readonly #max: number
  readonly #isLess: (one: Item, other: Item) => boolean
  #size = 0

  constructor(max: number, isLess: (one: Item, other: Item) => boolean) {
    this.#max = max
    this.#isLess = isLess
  }

  /** Adds an item; a full queue drops its least one, or the item itself when that is not above the least. */
  add(item: Item): void {
    if (this.#size < this.#max) {
      this.#rise(++this.#size, item)
    } else if (this.#size > 0 && this.#isLess(this.#heap[1]!, item)) {
      this.#sink(item)
    }
  }

  /** Empties the queue; the greatest item comes first. */
  drained(): Item[] {
    const items: Item[] = []
    while (this.#size > 0) {
      items.push(this.#heap[1]!)
      const last = this.#heap[this.#size--]!
      if (this.#size > 0) this.#sink(last)
    }
    return items.reverse()
  }

  #rise(from: number, item: Item): void {
    let at = from
    for (let parent = at >>> 1; parent > 0 && this.#isLess(item, this.#heap[parent]!); parent >>>= 1) {
      this.#heap[at] = this.#heap[parent]!
      at = parent
    }
    this.#heap[at] = item
  }

  #sink(item: Item): void {
    let at = 1
    for (let child = this.#lesserChild(at); child > 0; child = this.#lesserChild(at)) {
      if (!this.#isLess(this.#heap[child]!, item)) break
      this.#heap[at] = this.#heap[child]!
      at = child
    }
    this.#heap[at] = item
  }

  /** 0 for none. */
  #lesserChild(parent: number): number {
    const left = parent << 1
    if (left > this.#size) return 0
    const right = left + 1
    return right <= this.#size && this.#isLess(this.#heap[right]!, this.#heap[left]!) ? right : left
  }
}
