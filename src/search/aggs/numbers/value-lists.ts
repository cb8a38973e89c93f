/** The values of each bucket: all of them up to a limit, then a t-digest. */
import { type Distribution, ExactDistribution, type QuantileMethod } from './distribution.ts'
import { TDigest } from './t-digest.ts'

/** The maximum number of values stored exactly per bucket. */
const maxKept = 4096

class ValueList {
  values = new Float64Array(8)
  length = 0

  push(value: number): void {
    this.#reserve(1)
    this.values[this.length++] = value
  }

  pushAll(values: Float64Array): void {
    this.#reserve(values.length)
    this.values.set(values, this.length)
    this.length += values.length
  }

  #reserve(more: number): void {
    const wanted = this.length + more
    if (wanted <= this.values.length) return
    const longer = new Float64Array(Math.max(wanted, this.length * 2))
    longer.set(this.values)
    this.values = longer
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

  /** Does what `add` does with each of the values. */
  addValues(bucket: number, values: Float64Array, count: number): void {
    let kept = this.#at(bucket)
    let at = 0
    if (!(kept instanceof TDigest)) {
      at = Math.min(count, maxKept - kept.length)
      kept.pushAll(values.subarray(0, at))
      if (at === count) return
      kept = this.#toDigest(bucket, kept)
    }
    kept.addValues(values, at, count)
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
        this.addValues(target, theirs.values, theirs.length)
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
    digest.addValues(values, 0, length)
    return digest
  }
}
