/**
 * A pipeline aggregation: it reads results that are already there, by the paths in `buckets_path`. One kind stands
 * inside a multi-bucket aggregation and changes its buckets, the other stands beside the aggregation it reads.
 */
import type { SearchError } from '../../request/search-error.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { AggBucket, AggResult, AggResults } from '../result.ts'

/** Buckets gone through in one step, where one takes little. */
export const stepBuckets = 64

export interface PipelineAggregation {
  readonly name: string
  /** As in the request: `derivative`. */
  readonly kind: string
  /** What it reads; others of the same level that it reads run first. */
  readonly bucketsPaths: readonly string[]
  /** Reports what is wrong with its place in the tree. */
  check(place: PipelinePlace): void
  /** The kind inside: adds to buckets, drops or reorders them in place. */
  readonly onBuckets?: (buckets: AggBucket[], owner: string) => Steps<void>
  /** The kind beside: what it comes to. */
  readonly fromSiblings?: (siblings: AggResults) => Steps<AggResult>
}

/** For `onBuckets`: from now on there are these. */
export function replaceBuckets(buckets: AggBucket[], kept: readonly AggBucket[]): void {
  buckets.length = kept.length
  for (let at = 0; at < kept.length; at++) buckets[at] = kept[at]!
}

export interface PipelineContext {
  /** `meta` of the request, handed on to the result. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  /** A parsing error with the place of `node`, or of what stands under its `key`. */
  readonly error?: (reason: string, node: unknown, key?: string) => SearchError
}

export type ParsePipeline = (name: string, json: unknown, context: PipelineContext) => PipelineAggregation

/** The aggregations of one level of a request. */
export interface AggLevel {
  readonly aggs: readonly AggNode[]
  readonly pipelines: readonly PipelineAggregation[]
}

/** An aggregation of the request as far as pipeline aggregations look at it; its own level is what stands inside. */
export interface AggNode extends AggLevel {
  readonly name: string
  /** As in the request: `date_histogram`. */
  readonly kind: string
  readonly bucketing: 'none' | 'one' | 'many'
  /** Of histograms; 0 unless given. */
  readonly minDocCount?: number | undefined
}

export interface PipelinePlace {
  /** The aggregation around it; undefined at the top. */
  readonly parent: AggNode | undefined
  readonly siblings: readonly AggNode[]
  problem(text: string): void
}
