/**
 * The results of aggregations before they are printed. Pipeline aggregations read and change these trees;
 * `toJson` returns the body that Elasticsearch prints.
 */

import type { InnerPage } from '../collect/fetch/inner-hits.ts'
import type { JsonObject } from '../request/request-values.ts'
import type { Steps } from '../scheduling/steps.ts'
import type { DistinctSet } from './numbers/distinct-set.ts'

/** Names are the user's; insertion order is the order of the answer. */
export type AggResults = Map<string, AggResult>

export interface AggResult {
  /** The prefix for `typed_keys`: `sterms`, `date_histogram`, `avg`. */
  readonly typedName: string
  /** `meta` of the request. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  /** The buckets of a multi-bucket aggregation; pipelines drop and reorder them in place. */
  readonly buckets?: AggBucket[]
  /** For histograms: an empty bucket for the interval behind that of a bucket. */
  following?(bucket: AggBucket): AggBucket
  /** True when buckets are printed as an object by `keyText`, not as a list. */
  readonly isKeyed?: boolean
  /** The bucket of a single-bucket aggregation: `filter`, `missing`, `global`, `nested` … */
  readonly single?: AggBucket
  /**
   * A number by property (`value`, `count`, `avg`, `std_upper`, `95.0` …); `value` when the path names none.
   * Undefined: unknown property. NaN: nothing to compute from.
   */
  number?(property: string): number | undefined
  /** For `cardinality`: the sketch, so that it can be merged over several buckets. */
  readonly distinct?: DistinctSet
  /** For `top_hits`: the hits to fetch before printing (metrics/fetch-hits.ts). */
  readonly hits?: UnreadHits
  /**
   * Without `meta` and without what print-results.ts adds: `buckets` with their contents, in place of a
   * member of that name or after the others, and the members of `single` with its sub-aggregations.
   */
  toJson(): Record<string, unknown>
}

export interface UnreadHits {
  page(): Steps<InnerPage>
  /** Stores the fetched hits for `toJson`. */
  keep(json: JsonObject): void
}

export interface AggBucket {
  /** The key as a path `agg['key']` names it. */
  readonly keyText: string
  /** The numeric key, for `derivative` with a unit and for scripts; NaN without one. */
  readonly keyNumber: number
  readonly docCount: number
  readonly aggs: AggResults
  /** True when `aggs` is not empty; reading `aggs` of buckets without any would allocate. */
  readonly hasAggs?: boolean
  /** `key`, `key_as_string`, `from`, `doc_count` …, in order; sub-aggregations are added by the printer. */
  toJson(): Record<string, unknown>
}

/** The buckets of an aggregation, whether many or one. */
export function levelsOf({ buckets, single }: AggResult): readonly AggBucket[] {
  return buckets ?? (single === undefined ? [] : [single])
}
