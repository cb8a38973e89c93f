/** Buckets of keys of which some are chosen, and nothing is said about the others. */
import type { Steps } from '../../scheduling/steps.ts'
import type { AggResult } from '../result.ts'
import { bucketSteps } from './bucket.ts'
import { KeyAggregator, KeyBucket, type KeyBuckets } from './terms.ts'

/** Returns the buckets to show below a bucket of the parent, in their order. */
type Choose = (owner: number) => Steps<Uint32Array>

export class ChosenKeys extends KeyAggregator {
  readonly #typedName: string
  readonly #choose: Choose

  constructor(typedName: string, buckets: KeyBuckets, choose: Choose) {
    super(buckets)
    this.#typedName = typedName
    this.#choose = choose
  }

  *resultSteps(owner: number): Steps<AggResult> {
    const chosen = yield* this.#choose(owner)
    return {
      typedName: this.#typedName,
      buckets: yield* bucketSteps(
        chosen,
        this.sub,
        (bucket, aggs) => new KeyBucket(this.buckets, bucket, aggs),
      ),
      toJson: () => ({}),
    }
  }
}
