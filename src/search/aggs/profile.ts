/** `profile` of aggregations: kinds, document counts and bucket counts. */
import type { NamedAggregator, SubAggregators } from './aggregator.ts'

const classNames: Readonly<Record<string, string>> = {
  histogram: 'NumericHistogramAggregator',
  date_histogram: 'DateHistogramAggregator',
  auto_date_histogram: 'AutoDateHistogramAggregator.FromSingle',
  terms: 'GlobalOrdinalsStringTermsAggregator',
  filters: 'FiltersAggregator',
  top_hits: 'TopHitsAggregator',
}

function className(kind: string): string {
  const known = classNames[kind]
  if (known !== undefined) return known
  return `${kind.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Aggregator`
}

export function profileOf(aggregators: SubAggregators): unknown[] {
  return aggregators.list.map(entryOf)
}

function entryOf({ name, kind, aggregator, collected, sub }: NamedAggregator): unknown {
  const { type, ...debug } = aggregator.profile?.() ?? {}
  const children = sub === undefined ? [] : profileOf(sub)
  return {
    type: type ?? className(kind),
    description: name,
    time_in_nanos: 0,
    breakdown: {
      reduce: 0,
      post_collection_count: 1,
      build_leaf_collector: 0,
      build_aggregation: 0,
      build_aggregation_count: 1,
      build_leaf_collector_count: 1,
      post_collection: 0,
      initialize: 0,
      initialize_count: 1,
      reduce_count: 0,
      collect: 0,
      collect_count: collected,
    },
    ...(Object.keys(debug).length > 0 && { debug }),
    ...(children.length > 0 && { children }),
  }
}
