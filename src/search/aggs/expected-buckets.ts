/**
 * Estimates the maximum number of buckets of an answer from the unvalidated request, so that memory can be
 * reserved before the work begins.
 */

/** The default sizes of aggregations. */
const shownByDefault: ReadonlyMap<string, number> = new Map([
  ['auto_date_histogram', 10],
  ['composite', 10],
  ['geohash_grid', 10_000],
  ['geotile_grid', 10_000],
  ['multi_terms', 10],
  ['significant_terms', 10],
  ['significant_text', 10],
  ['terms', 10],
  ['variable_width_histogram', 10],
])
/** Aggregations whose number of buckets depends on the documents alone. */
const unbounded: ReadonlySet<string> = new Set([
  'date_histogram',
  'histogram',
  'rare_terms',
  'adjacency_matrix',
])

/**
 * The buckets of all levels together; single-bucket aggregations and metrics count as one. `max` caps each
 * aggregation.
 */
export function expectedBuckets(aggs: unknown, max: number, around = 1): number {
  let count = 0
  for (const [, definition] of membersOf(aggs)) {
    let own = around
    const inner: unknown[] = []
    for (const [key, value] of membersOf(definition)) {
      if (key === 'aggs' || key === 'aggregations') inner.push(value)
      else if (key !== 'meta') own = Math.min(max, around * bucketsOf(key, value))
    }
    count += own
    for (const level of inner) count += expectedBuckets(level, max, own)
  }
  return count
}

function bucketsOf(kind: string, body: unknown): number {
  const members = new Map(membersOf(body))
  for (const name of ['filters', 'ranges']) {
    const listed = membersOf(members.get(name)).length
    if (listed > 0) return listed + 1
  }
  const usual = shownByDefault.get(kind)
  const wanted = Number(members.get('size') ?? members.get('buckets'))
  if (usual !== undefined) return wanted > 0 ? wanted : usual
  return unbounded.has(kind) ? Number.POSITIVE_INFINITY : 1
}

function membersOf(value: unknown): readonly [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}
