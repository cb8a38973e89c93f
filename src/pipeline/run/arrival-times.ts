/**
 * Since when the oldest of what waits has been waiting: times of arrival with a count each, in order. When there are too
 * many, they are kept half as exactly, so that a queue that fills for days costs no more than one that fills for minutes.
 */
interface Arrival {
  /** Epoch milliseconds of the first of them. */
  readonly at: number
  count: number
}

const minResolutionMillis = 100
const maxArrivals = 4096

export class ArrivalTimes {
  #arrivals: Arrival[] = []
  #first = 0
  /** What comes within so many milliseconds shares an entry. */
  #resolution = minResolutionMillis

  add(at: number, count: number): void {
    if (count === 0) return
    this.#append({ at, count })
    while (this.#arrivals.length - this.#first > maxArrivals) this.#coarsen()
  }

  /** The oldest have left. */
  remove(count: number): void {
    for (let left = count; left > 0; ) {
      const oldest = this.#arrivals[this.#first]
      if (oldest === undefined) return
      const taken = Math.min(left, oldest.count)
      oldest.count -= taken
      left -= taken
      if (oldest.count === 0) this.#first += 1
    }
    if (this.#first === this.#arrivals.length) this.#resolution = minResolutionMillis
    if (this.#first > maxArrivals || this.#first === this.#arrivals.length) {
      this.#arrivals = this.#arrivals.slice(this.#first)
      this.#first = 0
    }
  }

  /** Epoch milliseconds; 0 when nothing waits. */
  get oldest(): number {
    return this.#arrivals[this.#first]?.at ?? 0
  }

  #append({ at, count }: Arrival): void {
    const last = this.#arrivals.at(-1)
    if (last !== undefined && last.count > 0 && at - last.at < this.#resolution) last.count += count
    else this.#arrivals.push({ at, count })
  }

  #coarsen(): void {
    const before = this.#arrivals.slice(this.#first)
    this.#arrivals = []
    this.#first = 0
    this.#resolution *= 2
    for (const arrival of before) this.#append({ ...arrival })
  }
}
