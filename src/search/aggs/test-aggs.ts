/** Aggregations for tests, over the indices of src/search/collect/test-search.ts. */

import type { SearchIndex } from '../collect/search-index.ts'
import { search, type TestDoc, type TestSettings, testIndex } from '../collect/test-search.ts'
import { plainValues } from '../request/test-values.ts'
import { type AggregationSettings, aggregations } from './aggregate.ts'

export type Json = Record<string, unknown>

/** The body of a search with `aggs`, or only those. */
export function aggregated(
  indices: SearchIndex | readonly SearchIndex[],
  aggs: Json,
  body: Json = {},
  settings: Partial<AggregationSettings> = {},
  parameters?: ReadonlyMap<string, string>,
): Json {
  const context = { aggregations: aggregations({ node: 'node', ...settings }) }
  const response = search(indices, { size: 0, ...body, aggs }, { context, ...(parameters && { parameters }) })
  return plainValues(response['aggregations']) as Json
}

/** Documents in segments of two, distributed over shards. */
export function indexOf(
  sources: readonly Json[],
  { shards = 1, ...settings }: TestSettings & { readonly shards?: number } = {},
): SearchIndex {
  const parts: TestDoc[][][] = Array.from({ length: shards }, () => [])
  sources.forEach((source, at) => {
    const segments = parts[at % shards]!
    const last = segments.at(-1)
    const doc = { id: String(at), source }
    if (last === undefined || last.length === 2) segments.push([doc])
    else last.push(doc)
  })
  return testIndex(parts, settings)
}

export const sales = indexOf(
  [
    { shop: 'north', price: 10, rate: 0.5, sold: '2024-01-01T10:00:00Z', paid: true, from: '10.0.0.1' },
    { shop: 'south', price: 30, rate: 1.5, sold: '2024-01-01T23:30:00Z', paid: false, from: '10.0.0.200' },
    { shop: 'north', price: 20, rate: 2.5, sold: '2024-01-02T10:00:00Z', paid: true, from: '10.0.1.1' },
    { shop: 'west', price: 50, sold: '2024-01-04T10:00:00Z', paid: true, from: '192.168.0.1' },
    { shop: 'north', price: [30, 40], rate: 4.5, sold: '2024-01-04T11:00:00Z', paid: false },
  ],
  {
    shards: 2,
    mappings: {
      properties: {
        shop: { type: 'keyword' },
        price: { type: 'integer' },
        rate: { type: 'double' },
        sold: { type: 'date' },
        paid: { type: 'boolean' },
        from: { type: 'ip' },
        note: { type: 'text' },
      },
    },
  },
)

/** Runs one aggregation over the sales. */
export function one(kind: string, body: Json, aggs?: Json): Json {
  return aggregated(sales, { a: { [kind]: body, ...(aggs && { aggs }) } })['a'] as Json
}

/** The keys and counts of buckets. */
export function keysOf({ buckets }: Json): unknown[] {
  return (buckets as Json[]).map(({ key, doc_count }) => [key, doc_count])
}
