/**
 * How a shard of OpenSearch chooses the interval of `auto_date_histogram` while it collects: it begins with the
 * smallest and goes on to the next whenever there are too many buckets. A document with several values counts for each
 * interval they are in at that moment, and goes on counting as often when these intervals become one.
 */
import type { Rounding } from '../../rounding.ts'

export interface RoundingStep {
  readonly rounding: Rounding
  /** The rough length of the unit in milliseconds. */
  readonly length: number
  /** The largest number of units in a bucket. */
  readonly maxUnits: number
}

interface Collected {
  /** The step in use. */
  step: number
  min: number
  max: number
  /** How many buckets there are; below many owners an estimate. */
  count: number
  /** The rounded value before, of the same document. */
  previous: number
  keys: Set<number>
}

/** Below many owners, counts are estimates: after this many surplus buckets those of all owners are rounded again. */
const minWasted = 1000

export class AutoDateRounding {
  readonly #steps: readonly RoundingStep[]
  readonly #wanted: number
  readonly #hasOneOwner: boolean
  readonly #owners = new Map<number, Collected>()
  #wasted = 0
  #nextRebucket = minWasted

  constructor(steps: readonly RoundingStep[], wanted: number, hasOneOwner: boolean) {
    this.#steps = steps
    this.#wanted = wanted
    this.#hasOneOwner = hasOneOwner
  }

  /** The step that the buckets of an owner have at last. */
  step(owner: number): number {
    return this.#owners.get(owner)?.step ?? 0
  }

  /** Takes the next value, those of a document in rising order; returns whether it counts. */
  take(owner: number, value: number, isNewDocument: boolean): boolean {
    let of = this.#owners.get(owner)
    if (of === undefined) {
      of = { step: 0, min: Infinity, max: -Infinity, count: 0, previous: Number.NaN, keys: new Set() }
      this.#owners.set(owner, of)
    }
    const rounded = this.#steps[of.step]!.rounding.round(value)
    if (!isNewDocument && rounded === of.previous) return false
    of.previous = rounded
    if (of.keys.has(rounded)) return true
    of.keys.add(rounded)
    of.count += 1
    if (of.step === this.#steps.length - 1) return true
    of.min = Math.min(of.min, rounded)
    of.max = Math.max(of.max, rounded)
    if (!this.#isTooMuch(of.step, of.count, of.max - of.min)) return true
    if (this.#hasOneOwner) this.#coarsenByCount(of)
    else this.#coarsenByEstimate(of)
    return true
  }

  #isTooMuch(step: number, count: number, extent: number): boolean {
    const { length, maxUnits } = this.#steps[step]!
    return count > this.#wanted * maxUnits || extent > this.#wanted * maxUnits * length
  }

  /** Takes the next coarser intervals until the buckets, which are counted, are few enough. */
  #coarsenByCount(of: Collected): void {
    do {
      of.step += 1
      this.#rebucket(of)
    } while (of.step < this.#steps.length - 1 && this.#isTooMuch(of.step, of.count, of.max - of.min))
  }

  /** The same, with the number of buckets estimated from the lengths of the intervals. */
  #coarsenByEstimate(of: Collected): void {
    const { length } = this.#steps[of.step]!
    const before = of.count
    let count = before
    do {
      of.step += 1
      count = Math.ceil(before * (length / this.#steps[of.step]!.length))
    } while (of.step < this.#steps.length - 1 && this.#isTooMuch(of.step, count, of.max - of.min))
    const { rounding } = this.#steps[of.step]!
    of.min = rounding.round(of.min)
    of.max = rounding.round(of.max)
    of.count = count
    this.#wasted += before - count
    if (this.#wasted <= this.#nextRebucket) return
    for (const each of this.#owners.values()) this.#rebucket(each)
    this.#wasted = 0
    this.#nextRebucket *= 2
  }

  #rebucket(of: Collected): void {
    const { rounding } = this.#steps[of.step]!
    const keys = new Set<number>()
    for (const key of of.keys) keys.add(rounding.round(key))
    of.keys = keys
    of.count = keys.size
  }
}
