/** Bucket aggregators that return a selection of their buckets and no count of the others, as `significant_terms` does. */
import type { Steps } from '../../scheduling/steps.ts'
import type { AggResult } from '../result.ts'
import { bucketSteps } from './bucket.ts'
import { KeyAggregator, KeyBucket, type KeyBuckets } from './terms.ts'

interface Choice {
  readonly typedName: string
  /** Returns the buckets to show below a bucket of the parent, in their order. */
  choose(owner: number): Steps<Uint32Array>
}

export class SelectedBuckets extends KeyAggregator {
  readonly #choice: Choice

  constructor(buckets: KeyBuckets, choice: Choice) {
    super(buckets)
    this.#choice = choice
  }

  *resultSteps(owner: number): Steps<AggResult> {
    const chosen = yield* this.#choice.choose(owner)
    return {
      typedName: this.#choice.typedName,
      buckets: yield* bucketSteps(
        chosen,
        this.sub,
        (bucket, aggs) => new KeyBucket(this.buckets, bucket, aggs),
      ),
      toJson: () => ({}),
    }
  }
}
