/** Histograms over a range field: a range is counted in every interval it touches. */
import type { Batch } from '../../batch.ts'
import type { PairSource } from '../../values/pair-source.ts'
import { HistogramAggregator, type HistogramBuckets } from './histogram-buckets.ts'

/**
 * Adds the intervals a range touches and returns the last of them. The ranges of one document count once per
 * interval, so those up to `last`, which an earlier range touched, are passed over.
 */
export type AddIntervals = (from: number, to: number, last: number, add: (interval: number) => void) => number

interface Ranges {
  readonly source: PairSource
  readonly addIntervals: AddIntervals
}

export class RangeHistogram extends HistogramAggregator {
  readonly #ranges: Ranges

  constructor(buckets: HistogramBuckets, ranges: Ranges) {
    super(buckets)
    this.#ranges = ranges
  }

  collect(batch: Batch): void {
    const { buckets } = this
    const { source, addIntervals } = this.#ranges
    buckets.start(batch)
    let lastEntry = -1
    let last = Number.NEGATIVE_INFINITY
    source.read(batch, (doc, owner, from, to, entry) => {
      if (entry !== lastEntry) last = Number.NEGATIVE_INFINITY
      lastEntry = entry
      last = addIntervals(from, to, last, (at) => buckets.add(doc, owner, buckets.intervalId(at)))
    })
    buckets.end()
  }
}
