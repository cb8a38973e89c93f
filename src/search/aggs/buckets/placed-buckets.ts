/** Buckets of kinds that have equally many under every owner, by their places; those with documents are counted. */
import { BucketCounts } from '../batch.ts'
import { BucketIds } from '../bucket-ids.ts'

export class PlacedBuckets {
  readonly #width: number
  readonly #ids = new BucketIds()
  readonly #counts = new BucketCounts()

  constructor(width: number) {
    this.#width = width
  }

  /** Puts a document that counts `weight` into a bucket and says its number. */
  add(owner: number, place: number, weight: number): number {
    const bucket = this.#ids.id(owner, place)
    this.#counts.add(bucket, weight)
    return bucket
  }

  count(bucket: number): number {
    return this.#counts.at(bucket)
  }

  /** Numbers of all buckets of an owner, by place. */
  of(owner: number): Uint32Array {
    const numbers = new Uint32Array(this.#width)
    for (let place = 0; place < numbers.length; place++) numbers[place] = this.#ids.id(owner, place)
    return numbers
  }
}
