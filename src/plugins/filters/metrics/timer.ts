/** Durations: a meter of their number, and how they are distributed. */
import { Meter } from './meter.ts'
import { quantile, Reservoir } from './reservoir.ts'

export class Timer extends Meter {
  min = 0
  max = 0
  readonly #sample: Reservoir
  #sum = 0
  #runningMean = 0
  #squares = 0

  constructor(now: number) {
    super(now)
    this.#sample = new Reservoir(now)
  }

  /** Negative durations are none. */
  update(value: number, now: number): void {
    if (!(value >= 0)) return
    this.mark(now)
    this.#sample.add(value, now)
    this.min = this.count === 1 ? value : Math.min(this.min, value)
    this.max = Math.max(this.max, value)
    this.#sum += value
    const distance = value - this.#runningMean
    this.#runningMean += distance / this.count
    this.#squares += distance * (value - this.#runningMean)
  }

  get mean(): number {
    return this.count > 0 ? this.#sum / this.count : 0
  }

  /**
   * The root of the standard deviation: Logstash takes the root of what its library gives, which is the deviation
   * and not the variance any more.
   */
  get stddev(): number {
    return this.count > 1 ? Math.sqrt(Math.sqrt(this.#squares / (this.count - 1))) : 0
  }

  percentiles(parts: readonly number[]): number[] {
    const sorted = this.#sample.sorted()
    return parts.map((part) => quantile(sorted, part / 100))
  }
}
