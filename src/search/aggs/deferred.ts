/**
 * Deferred collection: documents are recorded and replayed once everything was seen, for aggregations that
 * decide on buckets or samples last (Elasticsearch's DeferringBucketCollector).
 */
import type { SearchLeaf } from '../collect/sort/sort-key.ts'
import type { Steps } from '../scheduling/steps.ts'
import { GrowingFloat64, GrowingUint32 } from '../segment/encoding/growing-array.ts'
import type { AggContext, SubAggregators } from './aggregator.ts'
import { type Batch, GrowingBatch } from './batch.ts'
import { BatchSize } from './batch-size.ts'

interface LeafEntries {
  readonly leaf: SearchLeaf
  /** The number of entries of earlier segments. */
  readonly first: number
  readonly docs: GrowingUint32
  readonly owners: GrowingUint32
  readonly values: GrowingFloat64
}

/** Entries processed per step. */
const stepEntries = 4096

/** Entries are numbered in order of arrival. */
type TakeEntry = (leaf: SearchLeaf, doc: number, owner: number, value: number, entry: number) => void

type BucketOfEntry = (owner: number, value: number, doc: number, leaf: SearchLeaf, entry: number) => number

export class Deferred {
  readonly #context: AggContext
  readonly #leaves: LeafEntries[] = []
  #length = 0

  constructor(context: AggContext) {
    this.#context = context
  }

  /** The number of entries. */
  get length(): number {
    return this.#length
  }

  /** `value` is recorded with the document; its meaning is up to the aggregation. */
  add(leaf: SearchLeaf, doc: number, owner: number, value: number): void {
    let last = this.#leaves.at(-1)
    if (last === undefined || last.leaf !== leaf) {
      last = {
        leaf,
        first: this.#length,
        docs: new GrowingUint32(),
        owners: new GrowingUint32(),
        values: new GrowingFloat64(),
      }
      this.#leaves.push(last)
    }
    last.docs.push(doc)
    last.owners.push(owner)
    last.values.push(value)
    this.#length += 1
  }

  /** Calls back with every entry in order. */
  *each(take: TakeEntry): Steps<void> {
    for (const { leaf, first, docs, owners, values } of this.#leaves) {
      const [docList, ownerList, valueList] = [docs.view(), owners.view(), values.view()]
      for (let i = 0; i < docList.length; i++) {
        take(leaf, docList[i]!, ownerList[i]!, valueList[i]!, first + i)
        if (i % stepEntries === stepEntries - 1) yield
      }
    }
  }

  /**
   * Replays the documents in batches with the buckets that `bucketOf` returns; -1 drops one. `counted` sees
   * every batch before the sub-aggregations do.
   */
  *replay(sub: SubAggregators, counted: (batch: Batch) => void, bucketOf: BucketOfEntry): Steps<void> {
    const out = new GrowingBatch()
    const batches = new BatchSize({ fixed: this.#context.batchSize })
    const handOn = (): void => {
      batches.begin()
      counted(out)
      sub.collect(out)
      batches.end(out.length)
      out.length = 0
    }
    for (const { leaf, first, docs, owners, values } of this.#leaves) {
      const [docList, ownerList, valueList] = [docs.view(), owners.view(), values.view()]
      yield* sub.prepare(leaf)
      out.start(leaf)
      for (let i = 0; i < docList.length; i++) {
        const doc = docList[i]!
        const bucket = bucketOf(ownerList[i]!, valueList[i]!, doc, leaf, first + i)
        if (bucket !== -1) out.push(doc, bucket)
        const isFull = out.length >= batches.size
        if (isFull) handOn()
        if (isFull || i % stepEntries === stepEntries - 1) yield
      }
      if (out.length === 0) continue
      handOn()
      yield
    }
  }
}
