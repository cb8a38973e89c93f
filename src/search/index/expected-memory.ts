/** What a search will take of the memory, about, as far as its request tells; decides how many run at the same time. */
import { expectedBuckets } from '../aggs/expected-buckets.ts'
import type { SearchRequest } from '../collect/request/search-request.ts'

/** The objects of any search. */
const perSearch = 32 * 1024
/** A hit with its source, until it is written. */
const perHit = 1536
/** A match that is sorted or aggregated: document, score, key of the order. */
const perMatch = 8
/** Aggregators keep some kilobytes each for some dozens of bytes that ask for them. */
const perByteOfAggs = 96
/** A bucket while it is counted, as an object of the answer and as its text. */
const perBucket = 384
/** `search.max_buckets` unless it is changed: more of them are an error. */
const maxBuckets = 65_535

interface Target {
  readonly store: { readonly shards: readonly { reader(): { readonly liveCount: number } }[] }
  readonly shards: readonly number[]
}

export function expectedBytes(
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
