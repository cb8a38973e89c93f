/**
 * A sample of the values seen lately: every value gets a priority that grows with time and has chance in it, and
 * the 1028 values of the highest priority are kept. With fewer values it is all of them.
 */
const size = 1028
const growth = 0.015
const rescaleSeconds = 3600

interface Kept {
  readonly value: number
  priority: number
}

export class Reservoir {
  #kept: Kept[] = []
  #start: number
  readonly #random: () => number

  constructor(now: number, random: () => number = Math.random) {
    this.#start = now
    this.#random = random
  }

  add(value: number, now: number): void {
    if (now - this.#start > rescaleSeconds) this.#rescale(now)
    const chance = this.#random() || Number.MIN_VALUE
    const entry = { value, priority: Math.exp(growth * (now - this.#start)) / chance }
    if (this.#kept.length < size) {
      this.#kept.push(entry)
      this.#siftUp(this.#kept.length - 1)
    } else if (entry.priority > this.#kept[0]!.priority) {
      this.#kept[0] = entry
      this.#siftDown(0)
    }
  }

  /** Priorities would outgrow numbers otherwise. */
  #rescale(now: number): void {
    const factor = Math.exp(-growth * (now - this.#start))
    for (const entry of this.#kept) entry.priority *= factor
    this.#start = now
  }

  #siftUp(from: number): void {
    for (let i = from; i > 0; ) {
      const parent = (i - 1) >> 1
      if (this.#kept[parent]!.priority <= this.#kept[i]!.priority) return
      this.#swap(i, parent)
      i = parent
    }
  }

  #siftDown(from: number): void {
    for (let i = from; ; ) {
      const left = 2 * i + 1
      if (left >= this.#kept.length) return
      const right = left + 1
      const smaller =
        right < this.#kept.length && this.#kept[right]!.priority < this.#kept[left]!.priority ? right : left
      if (this.#kept[i]!.priority <= this.#kept[smaller]!.priority) return
      this.#swap(i, smaller)
      i = smaller
    }
  }

  #swap(a: number, b: number): void {
    const kept = this.#kept
    const other = kept[a]!
    kept[a] = kept[b]!
    kept[b] = other
  }

  sorted(): number[] {
    return this.#kept.map(({ value }) => value).sort((a, b) => a - b)
  }
}

/** The value below which the given part (0 to 1) of the sorted values lies, between two of them in proportion. */
export function quantile(sorted: readonly number[], part: number): number {
  if (sorted.length === 0) return 0
  const position = part * (sorted.length + 1)
  if (position < 1) return sorted[0]!
  if (position >= sorted.length) return sorted[sorted.length - 1]!
  const index = Math.floor(position)
  const lower = sorted[index - 1]!
  return lower + (position - index) * (sorted[index]! - lower)
}
