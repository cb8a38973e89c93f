/** A seeded source of choices: the same seed gives the same requests on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = (seed * 0x9e37_79b1) >>> 0 || 1
  }

  /** Mulberry32: a number of [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b_79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }

  /** A whole number of [low, high]. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.next() * from.length)]!
  }

  /** `count` values, each chosen anew. */
  times<T>(count: number, make: () => T): T[] {
    return Array.from({ length: count }, make)
  }

  /** Different values, at least one. */
  some<T>(from: readonly T[], max: number): T[] {
    const rest = [...from]
    const chosen: T[] = []
    const count = this.int(1, Math.min(max, rest.length))
    while (chosen.length < count) chosen.push(...rest.splice(Math.floor(this.next() * rest.length), 1))
    return chosen
  }

  /** The object with each of its optional keys present or not. */
  options<T extends object>(share: number, all: T): Partial<T> {
    return Object.fromEntries(Object.entries(all).filter(() => this.chance(share))) as Partial<T>
  }
}
