/**
 * How documents go through a tree of aggregations: in batches of a segment, each document with the number of the
 * bucket it was put into one level up. A level reads a batch, decides on buckets of its own and hands on a batch
 * with those. Arrays are used again for the next batch, so nobody keeps them.
 */
import type { SearchLeaf } from '../collect/sort/sort-key.ts'

/** Documents that go through the tree at a time. */
export const batchSize = 4096

export interface Batch {
  readonly leaf: SearchLeaf
  readonly docs: Uint32Array
  /** Bucket of the level above, by the same place. */
  readonly owners: Uint32Array
  readonly length: number
}

/** A batch that is being filled. */
export class GrowingBatch implements Batch {
  leaf!: SearchLeaf
  docs = new Uint32Array(batchSize)
  owners = new Uint32Array(batchSize)
  length = 0

  start(leaf: SearchLeaf): void {
    this.leaf = leaf
    this.length = 0
  }

  /** Room for this many in all. */
  reserve(size: number): void {
    if (size <= this.docs.length) return
    const capacity = Math.max(size, this.docs.length * 2)
    this.docs = grown(this.docs, capacity)
    this.owners = grown(this.owners, capacity)
  }

  push(doc: number, owner: number): void {
    if (this.length === this.docs.length) this.reserve(this.length + 1)
    this.docs[this.length] = doc
    this.owners[this.length++] = owner
  }
}

function grown(array: Uint32Array, capacity: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(capacity)
  larger.set(array)
  return larger
}

/** Documents by bucket; grows with the buckets there are. */
export class BucketCounts {
  #counts = new Float64Array(16)

  /** Makes room for buckets below `size`. */
  reserve(size: number): Float64Array {
    if (size > this.#counts.length) {
      const larger = new Float64Array(Math.max(size, this.#counts.length * 2))
      larger.set(this.#counts)
      this.#counts = larger
    }
    return this.#counts
  }

  at(bucket: number): number {
    return bucket < this.#counts.length ? this.#counts[bucket]! : 0
  }

  add(bucket: number, count: number): void {
    this.reserve(bucket + 1)[bucket]! += count
  }
}

/** The highest owner of a batch, plus one. */
export function ownersOf({ owners, length }: Batch): number {
  let most = -1
  for (let i = 0; i < length; i++) if (owners[i]! > most) most = owners[i]!
  return most + 1
}
