/**
 * Documents held back until all are known: for kinds that decide on buckets, or on which documents count, only
 * when they have seen everything.
 */
import type { SearchLeaf } from '../collect/sort-key.ts'
import { GrowingFloat64, GrowingUint32 } from '../segment/growing-array.ts'
import { type Batch, batchSize, GrowingBatch } from './batch.ts'

interface LeafEntries {
  readonly leaf: SearchLeaf
  readonly docs: GrowingUint32
  readonly owners: GrowingUint32
  readonly values: GrowingFloat64
}

export class Deferred {
  readonly #leaves: LeafEntries[] = []

  /** `value` goes with the document, whatever it means. */
  add(leaf: SearchLeaf, doc: number, owner: number, value: number): void {
    let last = this.#leaves.at(-1)
    if (last === undefined || last.leaf !== leaf) {
      last = { leaf, docs: new GrowingUint32(), owners: new GrowingUint32(), values: new GrowingFloat64() }
      this.#leaves.push(last)
    }
    last.docs.push(doc)
    last.owners.push(owner)
    last.values.push(value)
  }

  /** Calls with everything again, in the order it came. */
  each(take: (leaf: SearchLeaf, doc: number, owner: number, value: number) => void): void {
    for (const { leaf, docs, owners, values } of this.#leaves) {
      const [docList, ownerList, valueList] = [docs.view(), owners.view(), values.view()]
      for (let i = 0; i < docList.length; i++) take(leaf, docList[i]!, ownerList[i]!, valueList[i]!)
    }
  }

  /** Hands documents on in batches, each with the bucket that `bucketOf` says; -1 leaves one out. */
  replay(
    collect: (batch: Batch) => void,
    bucketOf: (owner: number, value: number, doc: number, leaf: SearchLeaf) => number,
  ): void {
    const out = new GrowingBatch()
    let current: SearchLeaf | undefined
    this.each((leaf, doc, owner, value) => {
      if (leaf !== current || out.length === batchSize) {
        if (current !== undefined && out.length > 0) collect(out)
        current = leaf
        out.start(leaf)
      }
      const bucket = bucketOf(owner, value, doc, leaf)
      if (bucket !== -1) out.push(doc, bucket)
    })
    if (current !== undefined && out.length > 0) collect(out)
  }
}
