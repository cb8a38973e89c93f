/** The values of each bucket: all of them up to a limit, then a t-digest. */
import { type Distribution, ExactDistribution, type QuantileMethod } from './distribution.ts'
import { TDigest } from './t-digest.ts'

/** The maximum number of values stored exactly per bucket. */
const maxKept = 4096

class ValueList {
  values = new Float64Array(8)
  length = 0

  push(value: number): void {
    if (this.length === this.values.length) {
      const longer = new Float64Array(this.length * 2)
      longer.set(this.values)
      this.values = longer
    }
    this.values[this.length++] = value
  }
}

export class ValueLists {
  readonly #compression: number
  readonly #quantileMethod: QuantileMethod
  readonly #buckets: (ValueList | TDigest | undefined)[] = []

  constructor(compression = 100, quantileMethod: QuantileMethod = 'nearest') {
    this.#compression = compression
    this.#quantileMethod = quantileMethod
  }

  add(bucket: number, value: number): void {
    const kept = this.#at(bucket)
    if (kept instanceof TDigest) kept.add(value)
    else if (kept.length < maxKept) kept.push(value)
    else this.#toDigest(bucket, kept).add(value)
  }

  merge(other: ValueLists, map: Uint32Array): void {
    const length = Math.min(map.length, other.#buckets.length)
    for (let bucket = 0; bucket < length; bucket++) {
      const theirs = other.#buckets[bucket]
      const target = map[bucket]!
      if (theirs instanceof TDigest) {
        const own = this.#at(target)
        const digest = own instanceof TDigest ? own : this.#toDigest(target, own)
        digest.addAll(theirs)
      } else if (theirs !== undefined) {
        for (let at = 0; at < theirs.length; at++) this.add(target, theirs.values[at]!)
      }
    }
  }

  /** The number of values of a bucket. */
  sizeOf(bucket: number): number {
    const kept = this.#buckets[bucket]
    return kept instanceof TDigest ? kept.count : (kept?.length ?? 0)
  }

  distribution(bucket: number): Distribution {
    const kept = this.#buckets[bucket]
    if (kept instanceof TDigest) return kept
    if (kept !== undefined && this.#quantileMethod === 'nearest') return this.#digestOf(kept)
    const values = kept === undefined ? new Float64Array(0) : kept.values.slice(0, kept.length)
    return new ExactDistribution(values, this.#quantileMethod)
  }

  #at(bucket: number): ValueList | TDigest {
    while (this.#buckets.length <= bucket) this.#buckets.push(undefined)
    return (this.#buckets[bucket] ??= new ValueList())
  }

  #toDigest(bucket: number, list: ValueList): TDigest {
    const digest = this.#digestOf(list)
    this.#buckets[bucket] = digest
    return digest
  }

  #digestOf({ values, length }: ValueList): TDigest {
    const digest = new TDigest(this.#compression)
    for (let at = 0; at < length; at++) digest.add(values[at]!)
    return digest
  }
}
