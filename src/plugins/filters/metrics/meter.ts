/**
 * Rates as Logstash's metrics filter gives them: events per second, as exponentially weighted averages over one,
 * five and fifteen minutes that are brought up to date every five seconds.
 */
const tickSeconds = 5

class Average {
  readonly #weight: number
  #uncounted = 0
  #rate: number | undefined

  constructor(minutes: number) {
    this.#weight = 1 - Math.exp(-tickSeconds / 60 / minutes)
  }

  add(count: number): void {
    this.#uncounted += count
  }

  tick(): void {
    const now = this.#uncounted / tickSeconds
    this.#uncounted = 0
    this.#rate = this.#rate === undefined ? now : this.#rate + this.#weight * (now - this.#rate)
  }

  get rate(): number {
    return this.#rate ?? 0
  }
}

/** After a silence of this many ticks nothing is left of a rate. */
const maxTicks = 10_000

export class Meter {
  count = 0
  readonly #averages: ReadonlyMap<number, Average> = new Map([1, 5, 15].map((m) => [m, new Average(m)]))
  #lastTick: number

  /** Times are in seconds, from any start. */
  constructor(now: number) {
    this.#lastTick = now
  }

  mark(now: number): void {
    this.#catchUp(now)
    this.count += 1
    for (const average of this.#averages.values()) average.add(1)
  }

  /** Events per second, averaged over 1, 5 or 15 minutes. */
  rate(minutes: number, now: number): number {
    this.#catchUp(now)
    return this.#averages.get(minutes)?.rate ?? 0
  }

  #catchUp(now: number): void {
    const ticks = Math.floor((now - this.#lastTick) / tickSeconds)
    if (ticks <= 0) return
    this.#lastTick += ticks * tickSeconds
    for (const average of this.#averages.values()) {
      for (let i = 0; i < Math.min(ticks, maxTicks); i++) average.tick()
    }
  }
}
