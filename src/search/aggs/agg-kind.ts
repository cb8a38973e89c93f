/** A kind of aggregation: how its body is read, and what works it off. */
import type { AggOptions } from './agg-options.ts'
import type { AggContext, Aggregator, SubAggregators } from './aggregator.ts'

/** Makes the aggregations one level down, for documents of the kind the context says. */
export type CreateSub = (context: AggContext) => SubAggregators

/** Throws SearchError when the indices of the search cannot be aggregated that way. */
export type CreateAggregator = (context: AggContext, createSub: CreateSub) => Aggregator

export interface AggKind {
  readonly name: string
  /** Buckets it makes; with none it takes no sub-aggregations. `many` when absent. */
  readonly bucketing?: 'none' | 'one' | 'many'
  /** Reads all of the body; throws SearchError. */
  readonly parse: (options: AggOptions) => CreateAggregator
}
