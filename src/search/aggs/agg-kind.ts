/** A kind of aggregation: how its body is parsed, and the factory of its aggregator. */
import type { AggOptions } from './agg-options.ts'
import type { AggContext, Aggregator, SubAggregators } from './aggregator.ts'

/** Creates the sub-aggregations for the kind of documents that the context describes. */
export type CreateSub = (context: AggContext) => SubAggregators

/** Throws SearchError when the indices of the search cannot be aggregated that way. */
export type CreateAggregator = (context: AggContext, createSub: CreateSub) => Aggregator

export interface AggKind {
  readonly name: string
  /** The number of buckets; an aggregation with none takes no sub-aggregations. `many` when absent. */
  readonly bucketing?: 'none' | 'one' | 'many'
  /** Parses the whole body; throws SearchError. */
  readonly parse: (options: AggOptions) => CreateAggregator
}
