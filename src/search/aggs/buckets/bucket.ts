/** Buckets and results in the few shapes most kinds share. */
import type { SubAggregators } from '../aggregator.ts'
import { BucketCounts } from '../batch.ts'
import type { AggBucket, AggResult, AggResults } from '../result.ts'

export interface BucketParts {
  readonly keyText: string
  readonly keyNumber?: number
  readonly docCount: number
  readonly aggs: AggResults
  /** What stands in front of `doc_count`. */
  readonly head?: Readonly<Record<string, unknown>>
  /** What stands behind it. */
  readonly tail?: Readonly<Record<string, unknown>>
}

export function bucketOf({
  keyText,
  keyNumber = Number.NaN,
  docCount,
  aggs,
  head,
  tail,
}: BucketParts): AggBucket {
  return {
    keyText,
    keyNumber,
    docCount,
    aggs,
    toJson: () => ({ ...head, doc_count: docCount, ...tail }),
  }
}

/** Of kinds that put documents into one bucket: its number is that of the bucket above. */
export class SingleBuckets {
  readonly counts = new BucketCounts()
  readonly sub: SubAggregators
  readonly #typedName: string

  constructor(typedName: string, sub: SubAggregators) {
    this.#typedName = typedName
    this.sub = sub
  }

  result(owner: number): AggResult {
    const docCount = this.counts.at(owner)
    const single = bucketOf({ keyText: '', docCount, aggs: this.sub.results(owner) })
    return {
      typedName: this.#typedName,
      single,
      number: (property) => (property === '_count' || property === 'value' ? docCount : undefined),
      toJson: () => ({}),
    }
  }
}
