/** Estimates the memory of a search from its request; admission control uses it. */
import { expectedBuckets } from '../aggs/expected-buckets.ts'
import type { SearchRequest } from '../collect/request/search-request.ts'

/** What things take, in bytes. */
const bytesOf = {
  /** The objects of any search. */
  search: 32 * 1024,
  /** A hit with its source, until it is serialised. */
  hit: 1536,
  /** A match that is sorted or aggregated: document, score, sort key. */
  match: 8,
  /** A byte of the aggregation request: an aggregator takes some kilobytes for some dozen bytes. */
  aggregationByte: 96,
  /** A bucket: its counters, its object in the response and its text. */
  bucket: 384,
}
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
  const hits = Math.min(docs, size + (from ?? 0)) * bytesOf.hit
  const matches = isLong ? docs * bytesOf.match : docs / 8
  const aggs =
    aggregations === undefined
      ? 0
      : bodyBytes * bytesOf.aggregationByte +
        Math.min(maxBuckets, expectedBuckets(aggregations, Math.min(docs, maxBuckets))) * bytesOf.bucket
  return bytesOf.search + hits + matches + aggs
}
