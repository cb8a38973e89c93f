/** The base of aggregators with a bucket per combination of the keys of several sources. */
import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { AggContext, SubAggregators } from '../aggregator.ts'
import { type Batch, BucketCounts, GrowingBatch } from '../batch.ts'
import { BucketOrdinals } from '../bucket-ordinals.ts'
import { weightsOf } from '../values/doc-weights.ts'
import { KeyCombinations } from '../values/key-combinations.ts'
import type { KeySource } from '../values/key-source.ts'
import { BucketAggregator } from './bucket.ts'

export abstract class CombinationAggregator extends BucketAggregator {
  readonly #sources: readonly KeySource[]
  protected readonly combinations: KeyCombinations
  protected readonly ids = new BucketOrdinals()
  protected readonly counts = new BucketCounts()
  readonly #out = new GrowingBatch()

  /** `takesMissing` says by source whether documents without a value have a key too. */
  constructor(
    sources: readonly KeySource[],
    takesMissing: readonly boolean[],
    context: AggContext,
    sub: SubAggregators,
  ) {
    super(sub)
    this.#sources = sources
    this.combinations = new KeyCombinations(takesMissing, context.answer)
  }

  /** The keys of all combinations, flattened, once every document is collected. */
  protected get keys(): Int32Array {
    return this.combinations.keys
  }

  override *prepare(leaf: SearchLeaf): Steps<void> {
    yield* this.prepareKeys(leaf)
    yield* this.sub.prepare(leaf)
  }

  protected *prepareKeys(leaf: SearchLeaf): Steps<void> {
    for (const source of this.#sources) if (source.prepare !== undefined) yield* source.prepare(leaf)
  }

  collect(batch: Batch): void {
    const out = this.#out
    const weights = weightsOf(batch.leaf)
    out.start(batch.leaf)
    this.combinations.read(
      batch,
      this.#sources.map((source) => source.read(batch)),
      (doc, owner, combination) => {
        const bucket = this.ids.id(owner, combination)
        this.counts.add(bucket, weights === null ? 1 : weights[doc]!)
        out.push(doc, bucket)
      },
    )
    this.sub.collect(out)
  }
}
