/**
 * The accumulator of `cardinality`: nearly exact up to `precision_threshold`, then HyperLogLog++. Values arrive as
 * hashes (value-hash.ts).
 */

import { type MetricResult, type NumberAccumulator, singleValue } from './accumulator.ts'
import { DistinctSet, precisionOf } from './distinct-set.ts'

export class CardinalityAccumulator implements NumberAccumulator {
  readonly #sets: (DistinctSet | undefined)[] = []
  readonly #precision: number

  /** The threshold of 3,000 unless there is another. */
  constructor(threshold?: number) {
    this.#precision = precisionOf(threshold)
  }

  add(bucket: number, hash: number): void {
    this.#setOf(bucket).add(hash)
  }

  merge(other: CardinalityAccumulator, map: Uint32Array): void {
    const length = Math.min(map.length, other.#sets.length)
    for (let bucket = 0; bucket < length; bucket++) {
      const set = other.#sets[bucket]
      if (set !== undefined) this.#setOf(map[bucket]!).addAll(set)
    }
  }

  result(bucket: number): MetricResult & { readonly distinct: DistinctSet } {
    const distinct = this.#sets[bucket] ?? new DistinctSet(this.#precision)
    return { ...singleValue(distinct.count, undefined), distinct }
  }

  #setOf(bucket: number): DistinctSet {
    while (this.#sets.length <= bucket) this.#sets.push(undefined)
    let set = this.#sets[bucket]
    if (set === undefined) this.#sets[bucket] = set = new DistinctSet(this.#precision)
    return set
  }
}
