/** Bucket ordinals of aggregations with a fixed number of buckets per owner: `owner * width + place`. */
import { BucketCounts } from '../batch.ts'
import { BucketOrdinals } from '../bucket-ordinals.ts'

export class FixedBuckets {
  readonly #width: number
  readonly #ids = new BucketOrdinals()
  readonly #counts = new BucketCounts()

  constructor(width: number) {
    this.#width = width
  }

  /** Counts a document with its weight and returns the bucket ordinal. */
  add(owner: number, place: number, weight: number): number {
    const bucket = this.#ids.id(owner, place)
    this.#counts.add(bucket, weight)
    return bucket
  }

  count(bucket: number): number {
    return this.#counts.at(bucket)
  }

  /** The ordinals of all buckets of an owner. */
  of(owner: number): Uint32Array {
    const numbers = new Uint32Array(this.#width)
    for (let place = 0; place < numbers.length; place++) numbers[place] = this.#ids.id(owner, place)
    return numbers
  }
}
