/** `profile`: the query of each shard and its total time; phases are not measured separately. */
import type { PreparedSearch } from './prepared-search.ts'

/** `aggregations` contains the profile of each shard's aggregations. */
export function profileOf(
  { shards }: PreparedSearch,
  node: string,
  millis: number,
  aggregations: readonly unknown[] = [],
): Record<string, unknown> {
  const nanos = Math.max(1, Math.round((millis * 1e6) / Math.max(1, shards.length)))
  return {
    shards: shards.map(({ index, reader, query }) => ({
      id: `[${node}][${index.name}][${reader.shard}]`,
      searches: [
        {
          query: [
            {
              type: query.query.constructor.name,
              description: query.query.toString(),
              time_in_nanos: nanos,
              breakdown: { build_scorer: 0, create_weight: 0, match: 0, next_doc: nanos, score: 0 },
            },
          ],
          rewrite_time: 0,
          collector: [{ name: 'RankedPageCollector', reason: 'search_top_hits', time_in_nanos: nanos }],
        },
      ],
      aggregations,
    })),
  }
}
