/**
 * The interface of pipeline aggregations, which read other results by `buckets_path`. Parent pipelines sit
 * inside a multi-bucket aggregation and change its buckets; sibling pipelines sit beside the aggregation they
 * read.
 */
import type { SearchError } from '../../request/search-error.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { AggBucket, AggResult, AggResults } from '../result.ts'

/** Buckets processed per step. */
export const stepBuckets = 64

export interface PipelineAggregation {
  readonly name: string
  /** As in the request: `derivative`. */
  readonly kind: string
  /** The paths it reads; pipelines of the same level that it reads run first. */
  readonly bucketsPaths: readonly string[]
  /** Reports an invalid position in the tree. */
  check(place: PipelinePlace): void
  /** Parent pipelines: add to buckets, drop or reorder them in place. */
  readonly onBuckets?: (buckets: AggBucket[], owner: string, result: AggResult) => Steps<void>
  /** Sibling pipelines: compute a result. */
  readonly fromSiblings?: (siblings: AggResults) => Steps<AggResult>
}

/** Replaces the contents of the bucket array, for `onBuckets`. */
export function replaceBuckets(buckets: AggBucket[], kept: readonly AggBucket[]): void {
  buckets.length = kept.length
  for (let at = 0; at < kept.length; at++) buckets[at] = kept[at]!
}

export interface PipelineContext {
  /** `meta` of the request, copied to the result. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  /** A parsing error at the position of `node`, or of the value under its `key`. */
  readonly error?: (reason: string, node: unknown, key?: string) => SearchError
}

export type ParsePipeline = (name: string, json: unknown, context: PipelineContext) => PipelineAggregation

/** The aggregations of one level of a request. */
export interface AggLevel {
  readonly aggs: readonly AggNode[]
  readonly pipelines: readonly PipelineAggregation[]
}

/** An aggregation of the request as pipelines see it; its own level is nested inside. */
export interface AggNode extends AggLevel {
  readonly name: string
  /** As in the request: `date_histogram`. */
  readonly kind: string
  readonly bucketing: 'none' | 'one' | 'many'
  /** For histograms; 0 when absent. */
  readonly minDocCount?: number | undefined
}

export interface PipelinePlace {
  /** The enclosing aggregation; undefined at the top level. */
  readonly parent: AggNode | undefined
  readonly siblings: readonly AggNode[]
  problem(text: string): void
}
