/**
 * A set of sequence numbers as sorted, disjoint ranges `[from, to)`. Numbers are mostly added in order, so that there
 * are as many ranges as there are batches on their way, not as many as there are events.
 */
export type Interval = readonly [from: number, to: number]

export class IntervalSet {
  #froms: number[] = []
  #tos: number[] = []

  static of(intervals: Iterable<Interval>): IntervalSet {
    const set = new IntervalSet()
    for (const [from, to] of intervals) set.add(from, to)
    return set
  }

  get size(): number {
    return this.#froms.length
  }

  /** The end of the first range; everything below it was added when the set began at its first number. */
  get firstEnd(): number | undefined {
    return this.#tos[0]
  }

  get last(): number | undefined {
    return this.#tos.at(-1)
  }

  /** Answers how many numbers are new. */
  add(from: number, to: number): number {
    if (to <= from) return 0
    const [froms, tos] = [this.#froms, this.#tos]
    let start = from
    let end = to
    const first = this.#firstEndingAt(from)
    let after = first
    let known = 0
    while (after < froms.length && froms[after]! <= to) {
      known += Math.max(0, Math.min(to, tos[after]!) - Math.max(from, froms[after]!))
      start = Math.min(start, froms[after]!)
      end = Math.max(end, tos[after]!)
      after += 1
    }
    if (after - first === 1) {
      froms[first] = start
      tos[first] = end
    } else {
      froms.splice(first, after - first, start)
      tos.splice(first, after - first, end)
    }
    return to - from - known
  }

  /** The parts of `[from, to)` that are not in the set, in order. */
  missing(from: number, to: number): Interval[] {
    const found: Interval[] = []
    let at = from
    for (let i = this.#firstEndingAt(from); i < this.#froms.length && this.#froms[i]! < to; i++) {
      if (this.#froms[i]! > at) found.push([at, this.#froms[i]!])
      at = Math.max(at, this.#tos[i]!)
    }
    if (at < to) found.push([at, to])
    return found
  }

  countMissing(from: number, to: number): number {
    let count = 0
    for (const [start, end] of this.missing(from, to)) count += end - start
    return count
  }

  *[Symbol.iterator](): IterableIterator<Interval> {
    for (let i = 0; i < this.#froms.length; i++) yield [this.#froms[i]!, this.#tos[i]!]
  }

  /** The first range that ends at `value` or after it. */
  #firstEndingAt(value: number): number {
    let low = 0
    let high = this.#tos.length
    if (high > 0 && this.#tos[high - 1]! < value) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#tos[middle]! < value) low = middle + 1
      else high = middle
    }
    return low
  }
}
