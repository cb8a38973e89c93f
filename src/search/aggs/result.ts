/**
 * What an aggregation has come to once all shards are in, before it is printed. Pipeline aggregations read and
 * change these trees; `toJson` gives the body the reference prints.
 */

import type { InnerPage } from '../collect/fetch/inner-hits.ts'
import type { JsonObject } from '../request/request-values.ts'
import type { Steps } from '../scheduling/steps.ts'
import type { DistinctSet } from './numbers/distinct-set.ts'

/** Names are the user's; insertion order is the order of the answer. */
export type AggResults = Map<string, AggResult>

export interface AggResult {
  /** What stands before the name with `typed_keys`: `sterms`, `date_histogram`, `avg`. */
  readonly typedName: string
  /** `meta` of the request. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  /** The buckets of a multi-bucket aggregation; pipeline aggregations drop and reorder them in place. */
  readonly buckets?: AggBucket[]
  /** Buckets are printed as an object by their `keyText`, not as a list. */
  readonly isKeyed?: boolean
  /** The only bucket of `filter`, `missing`, `global`, `nested` and their like. */
  readonly single?: AggBucket
  /**
   * A number by its property (`value`, `count`, `avg`, `std_upper`, `95.0` …); `value` when the path names none.
   * Undefined: there is no such property. NaN: nothing was there to compute it from.
   */
  number?(property: string): number | undefined
  /** Of `cardinality`: what was counted, for counting on over several buckets. */
  readonly distinct?: DistinctSet
  /** Of `top_hits`: what has to be read before it is printed (metrics/fetch-hits.ts). */
  readonly hits?: UnreadHits
  /**
   * Without `meta`, and without what the printer (print-results.ts) adds: `buckets` with all inside of them, in the
   * place of a member of that name or behind the others; the members of `single` and its sub-aggregations.
   */
  toJson(): Record<string, unknown>
}

export interface UnreadHits {
  page(): Steps<InnerPage>
  /** What they come to, for `toJson`. */
  keep(json: JsonObject): void
}

export interface AggBucket {
  /** As a path `agg['key']` names it. */
  readonly keyText: string
  /** For `derivative` with a unit and for scripts that read the key; NaN for buckets without a number. */
  readonly keyNumber: number
  readonly docCount: number
  readonly aggs: AggResults
  /** Whether `aggs` has any; `aggs` of many that have none are better not asked for. */
  readonly hasAggs?: boolean
  /** `key`, `key_as_string`, `from`, `doc_count` …, in order; sub-aggregations are added by the printer. */
  toJson(): Record<string, unknown>
}

/** The buckets an aggregation has, be they many or one. */
export function levelsOf({ buckets, single }: AggResult): readonly AggBucket[] {
  return buckets ?? (single === undefined ? [] : [single])
}
