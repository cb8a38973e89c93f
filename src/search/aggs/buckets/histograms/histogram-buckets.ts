/** The buckets of numeric and date histograms: gaps are filled, bounds extended, and the order applied. */

import type { Steps } from '../../../scheduling/steps.ts'
import type { AggContext, SubAggregators } from '../../aggregator.ts'
import { type Batch, BucketCounts, GrowingBatch } from '../../batch.ts'
import { type BucketOrder, bucketOrder, firstBuckets, type OrderKey } from '../../bucket-order.ts'
import { BucketOrdinals } from '../../bucket-ordinals.ts'
import type { AggBucket, AggResult, AggResults } from '../../result.ts'
import { filterSteps, sortSteps } from '../../sort-steps.ts'
import { ValueOrdinals } from '../../value-ordinals.ts'
import { weightsOf } from '../../values/doc-weights.ts'
import type { Formatter } from '../../values/value-field.ts'
import { BucketAggregator, bucketOf, bucketSteps } from '../bucket.ts'

export interface Bounds {
  readonly min: number | undefined
  readonly max: number | undefined
}

interface HistogramOptions {
  readonly name: string
  readonly typedName: string
  readonly minDocCount: number
  readonly isKeyed: boolean
  readonly order: readonly OrderKey[]
  /** In interval numbers. */
  readonly extended: Bounds | undefined
}

/**
 * Converts interval numbers: a multiple of the interval for `histogram`, the beginning for `date_histogram`.
 */
interface Intervals {
  next(interval: number): number
  /** The interval of a key. */
  at(key: number): number
  key(interval: number): number
  text(key: number): string
}

/** Intervals checked for gaps per step. */
const stepIntervals = 256

export class HistogramBuckets {
  readonly #options: HistogramOptions
  readonly #intervals: Intervals
  readonly #format: Formatter | undefined
  readonly #context: AggContext
  readonly sub: SubAggregators
  readonly #values = new ValueOrdinals()
  readonly #ids = new BucketOrdinals()
  readonly #counts = new BucketCounts()
  readonly #out = new GrowingBatch()
  readonly #hasSub: boolean
  #filledCount = 0
  #weights: Float64Array | null = null
  /** Owner, interval and bucket of the document that was added last. */
  #lastOwner = -1
  #lastInterval = -1
  #lastBucket = -1
  /** How many documents of that bucket are not counted yet. */
  #run = 0

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
    this.sub = sub
    this.#hasSub = !sub.isEmpty
    this.#order()
  }

  start({ leaf }: Batch): void {
    this.#out.start(leaf)
    this.#weights = weightsOf(leaf)
  }

  /** The id of an interval, for `add`. */
  intervalId(interval: number): number {
    return this.#values.id(interval)
  }

  add(doc: number, owner: number, intervalId: number): void {
    // Documents beside each other are mostly of one interval.
    if (owner !== this.#lastOwner || intervalId !== this.#lastInterval) {
      this.#countRun()
      this.#lastOwner = owner
      this.#lastInterval = intervalId
      this.#lastBucket = this.#ids.id(owner, intervalId)
    }
    if (this.#weights === null) this.#run += 1
    else this.#counts.add(this.#lastBucket, this.#weights[doc]!)
    if (this.#hasSub) this.#out.push(doc, this.#lastBucket)
  }

  #countRun(): void {
    if (this.#run > 0) this.#counts.add(this.#lastBucket, this.#run)
    this.#run = 0
  }

  end(): void {
    this.#countRun()
    this.sub.collect(this.#out)
  }

  /** The number of non-empty buckets. */
  profile(): Record<string, unknown> {
    return { total_buckets: this.#filledCount }
  }

  finish(): Steps<void> {
    this.#filledCount = this.#ids.size
    return this.sub.finish()
  }

  #order(): BucketOrder {
    const facts = {
      count: (bucket: number) => this.#counts.at(bucket),
      compareKeys: this.#compareIntervals,
    }
    return bucketOrder(this.#options.order, facts, this.sub, this.#options.name)
  }

  readonly #compareIntervals = (one: number, other: number): number =>
    this.#interval(one) - this.#interval(other)

  #interval(bucket: number): number {
    return this.#values.value(this.#ids.key(bucket))
  }

  *resultSteps(owner: number): Steps<AggResult> {
    const { typedName, minDocCount, isKeyed, order } = this.#options
    let buckets = yield* this.#ids.ofSteps(owner)
    if (minDocCount > 1) {
      buckets = yield* filterSteps(buckets, (bucket) => this.#counts.at(bucket) >= minDocCount)
    }
    this.#context.budget.add(buckets.length)
    buckets = yield* sortSteps(buckets, this.#compareIntervals)
    if (minDocCount === 0) buckets = yield* this.#filled(owner, buckets)
    const [first] = order
    if (order.length !== 1 || first!.by !== '_key' || !first!.isAscending) {
      buckets = yield* firstBuckets(buckets, buckets.length, this.#order())
    }
    const made = yield* bucketSteps(
      buckets,
      this.sub,
      (bucket, aggs) => this.#bucket(bucket, aggs),
      (bucket) =>
        this.#counts.at(bucket) === 0
          ? this.sub.gapSteps(this.#context, bucket)
          : this.sub.resultSteps(bucket),
    )
    if (minDocCount === 0) yield* this.sub.checkGap(this.#context, this.#ids.size)
    return {
      typedName,
      isKeyed,
      buckets: made,
      following: ({ keyNumber }) => this.#shown(this.#intervals.key(this.#after(keyNumber)), 0, new Map()),
      toJson: () => ({}),
    }
  }

  /** The interval behind that of a key. */
  #after(key: number): number {
    return this.#intervals.next(this.#intervals.at(key))
  }

  /** Adds the empty intervals in between and those of `extended_bounds`. */
  *#filled(owner: number, sorted: Uint32Array<ArrayBuffer>): Steps<Uint32Array<ArrayBuffer>> {
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
      if (filled.length % stepIntervals === stepIntervals - 1) yield
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

  #bucket(bucket: number, aggs: AggResults | undefined): AggBucket {
    return this.#shown(this.#intervals.key(this.#interval(bucket)), this.#counts.at(bucket), aggs)
  }

  #shown(key: number, docCount: number, aggs: AggResults | undefined): AggBucket {
    const shown = this.#format?.(key)
    return bucketOf({
      keyText: shown ?? (() => this.#intervals.text(key)),
      keyNumber: key,
      docCount,
      aggs,
      head: shown === undefined ? { key } : { key_as_string: shown, key },
    })
  }
}

/** The base of both histogram aggregators. */
export abstract class HistogramAggregator extends BucketAggregator {
  readonly buckets: HistogramBuckets

  constructor(buckets: HistogramBuckets) {
    super(buckets.sub)
    this.buckets = buckets
  }

  override finish(): Steps<void> {
    return this.buckets.finish()
  }

  resultSteps(owner: number): Steps<AggResult> {
    return this.buckets.resultSteps(owner)
  }
}
