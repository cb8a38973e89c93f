/**
 * `num_reduce_phases`: how often Elasticsearch would have reduced partial shard results. Whenever
 * `batched_reduce_size` results wait, they are reduced to one, which waits with the next.
 */
import type { SearchRequest } from './request/search-request.ts'

/** Undefined for a single phase, which answers do not show. */
export function reducePhases(
  shards: number,
  { reduceSize, size, aggregations }: Pick<SearchRequest, 'reduceSize' | 'size' | 'aggregations'>,
): number | undefined {
  if (size === 0 && aggregations === undefined) return undefined
  let phases = 1
  let waiting = 0
  for (let shard = 0; shard < shards; shard++) {
    if (waiting + (phases > 1 ? 1 : 0) >= reduceSize) {
      phases += 1
      waiting = 0
    }
    waiting += 1
  }
  return phases === 1 ? undefined : phases
}
