/** The base of histograms whose buckets are known when all values are: documents wait until `finish` replays them. */
import type { Steps } from '../../../scheduling/steps.ts'
import type { AggContext, SubAggregators } from '../../aggregator.ts'
import { type Batch, BucketCounts } from '../../batch.ts'
import { BucketOrdinals } from '../../bucket-ordinals.ts'
import { Deferred } from '../../deferred.ts'
import { weightsOf } from '../../values/doc-weights.ts'
import type { NumberSource } from '../../values/number-source.ts'
import type { Formatter } from '../../values/value-field.ts'
import { BucketAggregator } from '../bucket.ts'

export interface DeferredSettings {
  readonly source: NumberSource
  readonly format: Formatter | undefined
  readonly context: AggContext
  readonly sub: SubAggregators
}

export abstract class DeferredHistogram extends BucketAggregator {
  readonly #source: NumberSource
  protected readonly format: Formatter | undefined
  protected readonly context: AggContext
  protected readonly deferred: Deferred
  protected readonly ids = new BucketOrdinals()
  protected readonly counts = new BucketCounts()

  constructor({ source, format, context, sub }: DeferredSettings) {
    super(sub)
    this.#source = source
    this.format = format
    this.context = context
    this.deferred = new Deferred(context)
  }

  /** Sub-aggregations are prepared when the deferred documents are replayed. */
  override *prepare(): Steps<void> {}

  collect(batch: Batch): void {
    const { leaf, docs, owners, values, length } = this.#source.read(batch)
    for (let i = 0; i < length; i++) this.deferred.add(leaf, docs[i]!, owners[i]!, values[i]!)
  }

  protected count({ leaf, docs, owners, length }: Batch): void {
    const counts = this.counts.reserve(this.ids.size)
    const weights = weightsOf(leaf)
    for (let i = 0; i < length; i++) counts[owners[i]!]! += weights?.[docs[i]!] ?? 1
  }
}

/** The index of the last beginning that is not above a value. */
export function placeOf(starts: Float64Array, value: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (starts[middle]! <= value) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}
