/**
 * Since when the oldest of what waits has been waiting: times of arrival with a count each, in order. Neighbours share
 * one entry when there are too many, so that a queue that fills for days costs no more than one that fills for minutes.
 */
interface Arrival {
  /** Epoch milliseconds of the first of them. */
  readonly at: number
  count: number
}

const resolutionMillis = 100
const maxArrivals = 4096

export class ArrivalTimes {
  #arrivals: Arrival[] = []
  #first = 0

  add(at: number, count: number): void {
    if (count === 0) return
    const last = this.#arrivals.at(-1)
    if (last !== undefined && this.#arrivals.length > this.#first && at - last.at < resolutionMillis)
      last.count += count
    else this.#arrivals.push({ at, count })
    if (this.#arrivals.length - this.#first > maxArrivals) this.#join()
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
    if (this.#first > maxArrivals || this.#first === this.#arrivals.length) {
      this.#arrivals = this.#arrivals.slice(this.#first)
      this.#first = 0
    }
  }

  /** Epoch milliseconds; 0 when nothing waits. */
  get oldest(): number {
    return this.#arrivals[this.#first]?.at ?? 0
  }

  /** Two by two, each pair as old as its elder. */
  #join(): void {
    const joined: Arrival[] = []
    for (let i = this.#first; i < this.#arrivals.length; i += 2) {
      const { at, count } = this.#arrivals[i]!
      joined.push({ at, count: count + (this.#arrivals[i + 1]?.count ?? 0) })
    }
    this.#arrivals = joined
    this.#first = 0
  }
}
