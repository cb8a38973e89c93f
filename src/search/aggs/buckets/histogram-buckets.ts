/** What histograms of numbers and dates share: buckets by number, gaps filled, bounds, order. */

import type { AggContext, SubAggregators } from '../aggregator.ts'
import { type Batch, BucketCounts, GrowingBatch } from '../batch.ts'
import { BucketIds } from '../bucket-ids.ts'
import { bucketComparator, type OrderKey } from '../bucket-order.ts'
import type { AggBucket, AggResult } from '../result.ts'
import { ValueIds } from '../value-ids.ts'
import { weightsOf } from '../values/doc-weights.ts'
import type { Formatter } from '../values/value-field.ts'
import { bucketOf } from './bucket.ts'

export interface Bounds {
  readonly min: number | undefined
  readonly max: number | undefined
}

export interface HistogramOptions {
  readonly name: string
  readonly typedName: string
  readonly minDocCount: number
  readonly isKeyed: boolean
  readonly order: readonly OrderKey[]
  /** In the numbers intervals have. */
  readonly extended: Bounds | undefined
}

/** Intervals by number: of `histogram` their place from zero, of `date_histogram` their begin. */
export interface Intervals {
  next(interval: number): number
  key(interval: number): number
  text(key: number): string
}

export class HistogramBuckets {
  readonly #options: HistogramOptions
  readonly #intervals: Intervals
  readonly #format: Formatter | undefined
  readonly #context: AggContext
  readonly #sub: SubAggregators
  readonly #values = new ValueIds()
  readonly #ids = new BucketIds()
  readonly #counts = new BucketCounts()
  readonly #out = new GrowingBatch()
  readonly #hasSub: boolean
  #filledCount = 0
  #weights: Float64Array | null = null

  constructor(
    options: HistogramOptions,
    intervals: Intervals,
    format: Formatter | undefined,
    context: AggContext,
    sub: SubAggregators,
  ) {
    this.#options = options
    this.#intervals = intervals
    this.#format = format
    this.#context = context
    this.#sub = sub
    this.#hasSub = !sub.isEmpty
    this.#comparator()
  }

  start({ leaf }: Batch): void {
    this.#out.start(leaf)
    this.#weights = weightsOf(leaf)
  }

  /** Number of an interval, for `add`. */
  intervalId(interval: number): number {
    return this.#values.id(interval)
  }

  add(doc: number, owner: number, intervalId: number): void {
    const bucket = this.#ids.id(owner, intervalId)
    this.#counts.add(bucket, this.#weights === null ? 1 : this.#weights[doc]!)
    if (this.#hasSub) this.#out.push(doc, bucket)
  }

  end(): void {
    this.#sub.collect(this.#out)
  }

  /** Buckets that have documents. */
  profile(): Record<string, unknown> {
    return { total_buckets: this.#filledCount }
  }

  finish(): void {
    this.#filledCount = this.#ids.size
    this.#sub.finish()
  }

  #comparator() {
    const facts = {
      count: (bucket: number) => this.#counts.at(bucket),
      compareKeys: (one: number, other: number) => this.#interval(one) - this.#interval(other),
    }
    return bucketComparator(this.#options.order, facts, this.#sub, this.#options.name)
  }

  #interval(bucket: number): number {
    return this.#values.value(this.#ids.key(bucket))
  }

  result(owner: number): AggResult {
    const { typedName, minDocCount, isKeyed, order } = this.#options
    let buckets = this.#ids.of(owner).slice()
    if (minDocCount > 1) buckets = buckets.filter((bucket) => this.#counts.at(bucket) >= minDocCount)
    this.#context.budget.add(buckets.length)
    buckets.sort((one, other) => this.#interval(one) - this.#interval(other))
    if (minDocCount === 0) buckets = this.#filled(owner, buckets)
    const [first] = order
    if (order.length !== 1 || first!.by !== '_key' || !first!.isAscending) buckets.sort(this.#comparator())
    return {
      typedName,
      isKeyed,
      buckets: Array.from(buckets, (bucket) => this.#bucket(bucket)),
      toJson: () => ({}),
    }
  }

  /** With the intervals in between, and those of `extended_bounds`. */
  #filled(owner: number, sorted: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
    const { extended } = this.#options
    let from = sorted.length === 0 ? Number.POSITIVE_INFINITY : this.#interval(sorted[0]!)
    let to = sorted.length === 0 ? Number.NEGATIVE_INFINITY : this.#interval(sorted.at(-1)!)
    if (extended !== undefined) {
      const { min, max } = extended
      if (sorted.length === 0 && (min === undefined || max === undefined)) return sorted
      if (min !== undefined) from = Math.min(from, min)
      if (max !== undefined) to = Math.max(to, max)
    }
    const filled: number[] = []
    let at = 0
    for (let interval = from; interval <= to; ) {
      if (at < sorted.length && this.#interval(sorted[at]!) <= interval) filled.push(sorted[at++]!)
      else {
        this.#context.budget.add(1)
        filled.push(this.#ids.id(owner, this.#values.id(interval)))
      }
      interval = this.#intervals.next(this.#interval(filled.at(-1)!))
    }
    while (at < sorted.length) filled.push(sorted[at++]!)
    return Uint32Array.from(filled)
  }

  #bucket(bucket: number): AggBucket {
    const key = this.#intervals.key(this.#interval(bucket))
    const shown = this.#format?.(key)
    return bucketOf({
      keyText: shown ?? this.#intervals.text(key),
      keyNumber: key,
      docCount: this.#counts.at(bucket),
      aggs: this.#sub.results(bucket),
      head: shown === undefined ? { key } : { key_as_string: shown, key },
    })
  }
}
