/**
 * A batch of documents of one segment on its way through a tree of aggregations, each with the ordinal of its
 * parent bucket. An aggregator reads a batch, assigns buckets and passes a batch with those ordinals on. The
 * arrays are reused, so they must not be retained.
 */
import type { SearchLeaf } from '../collect/sort/sort-key.ts'

/** The maximum number of documents per batch. */
export const batchSize = 4096

export interface Batch {
  readonly leaf: SearchLeaf
  readonly docs: Uint32Array
  /** The parent bucket of each document. */
  readonly owners: Uint32Array
  readonly length: number
}

/** A batch under construction. */
export class GrowingBatch implements Batch {
  leaf!: SearchLeaf
  docs = new Uint32Array(0)
  owners = new Uint32Array(0)
  length = 0

  start(leaf: SearchLeaf): void {
    this.leaf = leaf
    this.length = 0
  }

  /** Reserves room for this many documents. */
  reserve(size: number): void {
    if (size <= this.docs.length) return
    const capacity = Math.max(size, this.docs.length * 2, batchSize)
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

/** Document counts by bucket ordinal; grows with the buckets. */
export class BucketCounts {
  #counts = new Float64Array(16)

  /** Reserves room for ordinals below `size`. */
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

/** The highest owner of a batch plus one. */
export function ownersOf({ owners, length }: Batch): number {
  let max = -1
  for (let i = 0; i < length; i++) if (owners[i]! > max) max = owners[i]!
  return max + 1
}
