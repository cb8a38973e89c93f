/** Estimates the memory of a search from its request; admission control uses it. */
import { expectedBuckets } from '../aggs/expected-buckets.ts'
import type { SearchRequest } from '../collect/request/search-request.ts'

/** Bytes of the objects of any search. */
const perSearch = 32 * 1024
/** Bytes of a hit with its source, until it is serialised. */
const perHit = 1536
/** Bytes of a match that is sorted or aggregated: document, score, sort key. */
const perMatch = 8
/** Bytes per byte of the aggregation request: an aggregator takes some kilobytes for some dozen bytes. */
const perByteOfAggs = 96
/** Bytes of a bucket: its counters, its object in the response and its text. */
const perBucket = 384
/** The default of `search.max_buckets`. */
const maxBuckets = 65_535

interface Target {
  readonly store: { readonly shards: readonly { reader(): { readonly liveCount: number } }[] }
  readonly shards: readonly number[]
}

export function estimatedBytes(
  { size, from, aggregations }: SearchRequest,
  targets: readonly Target[],
  bodyBytes: number,
  isLong: boolean,
): number {
  let docs = 0
  for (const { store, shards } of targets)
    for (const number of shards) docs += store.shards[number]!.reader().liveCount
  const hits = Math.min(docs, size + (from ?? 0)) * perHit
  const matches = isLong ? docs * perMatch : docs / 8
  const aggs =
    aggregations === undefined
      ? 0
      : bodyBytes * perByteOfAggs +
        Math.min(maxBuckets, expectedBuckets(aggregations, Math.min(docs, maxBuckets))) * perBucket
  return perSearch + hits + matches + aggs
}
