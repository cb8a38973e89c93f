/** Aggregations by the name of their kind; pipeline aggregations have a table of their own (pipeline/kinds.ts). */
import type { AggKind } from './agg-kind.ts'
import { compositeKind } from './buckets/composite.ts'
import { adjacencyMatrixKind, filterKind, filtersKind } from './buckets/filters.ts'
import { geoDistanceKind } from './buckets/geo-distance.ts'
import { geohashGridKind, geotileGridKind } from './buckets/geo-grid.ts'
import { globalKind } from './buckets/global.ts'
import { autoDateHistogramKind } from './buckets/histograms/auto-date-histogram.ts'
import { dateHistogramKind } from './buckets/histograms/date-histogram.ts'
import { histogramKind } from './buckets/histograms/histogram.ts'
import { variableWidthHistogramKind } from './buckets/histograms/variable-width-histogram.ts'
import { ipRangeKind } from './buckets/ip-range.ts'
import { joinKinds } from './buckets/join.ts'
import { missingKind } from './buckets/missing.ts'
import { multiTermsKind } from './buckets/multi-terms.ts'
import { nestedKind, reverseNestedKind } from './buckets/nested.ts'
import { dateRangeKind, rangeAggKind } from './buckets/range.ts'
import { rareTermsKind } from './buckets/rare-terms.ts'
import { diversifiedSamplerKind, samplerKind } from './buckets/sampler.ts'
import { significantTermsKind } from './buckets/significant-terms.ts'
import { significantTextKind } from './buckets/significant-text.ts'
import { termsKind } from './buckets/terms.ts'
import { geoMetricKinds } from './metrics/geo-metrics.ts'
import { matrixStatsKind } from './metrics/matrix-stats.ts'
import { numberMetricKinds } from './metrics/number-metrics.ts'
import { scriptedMetricKind } from './metrics/scripted-metric.ts'
import { topHitsKind } from './metrics/top-hits.ts'
import { cardinalityKind, stringStatsKind, valueCountKind } from './metrics/value-metrics.ts'
import { weightedAvgKind } from './metrics/weighted-avg.ts'

export const aggKinds: ReadonlyMap<string, AggKind> = new Map(
  [
    ...numberMetricKinds,
    weightedAvgKind,
    matrixStatsKind,
    valueCountKind,
    cardinalityKind,
    stringStatsKind,
    ...geoMetricKinds,
    topHitsKind,
    scriptedMetricKind,
    globalKind,
    missingKind,
    filterKind,
    filtersKind,
    adjacencyMatrixKind,
    samplerKind,
    diversifiedSamplerKind,
    termsKind,
    rareTermsKind,
    multiTermsKind,
    significantTermsKind,
    significantTextKind,
    rangeAggKind,
    dateRangeKind,
    ipRangeKind,
    histogramKind,
    dateHistogramKind,
    autoDateHistogramKind,
    variableWidthHistogramKind,
    geoDistanceKind,
    geohashGridKind,
    geotileGridKind,
    nestedKind,
    reverseNestedKind,
    ...joinKinds,
    compositeKind,
  ].map((kind) => [kind.name, kind]),
)
