/** Histograms over a range field: a range is counted in every interval it touches. */
import type { Batch } from '../batch.ts'
import type { PairSource } from '../values/pair-source.ts'
import { HistogramAggregator, type HistogramBuckets } from './histogram-buckets.ts'

/**
 * Adds the intervals a range touches and returns the last of them. The ranges of one document count once per
 * interval, so those up to `last`, which an earlier range touched, are passed over.
 */
export type AddIntervals = (from: number, to: number, last: number, add: (interval: number) => void) => number

export class RangeHistogram extends HistogramAggregator {
  readonly #source: PairSource
  readonly #addIntervals: AddIntervals

  constructor(source: PairSource, buckets: HistogramBuckets, addIntervals: AddIntervals) {
    super(buckets)
    this.#source = source
    this.#addIntervals = addIntervals
  }

  collect(batch: Batch): void {
    const { buckets } = this
    buckets.start(batch)
    let lastEntry = -1
    let last = Number.NEGATIVE_INFINITY
    this.#source.read(batch, (doc, owner, from, to, entry) => {
      if (entry !== lastEntry) last = Number.NEGATIVE_INFINITY
      lastEntry = entry
      last = this.#addIntervals(from, to, last, (at) => buckets.add(doc, owner, buckets.intervalId(at)))
    })
    buckets.end()
  }
}
