/** Pipeline aggregations by the name of their kind. */
import { parseBucketScript, parseBucketSelector } from './bucket-script.ts'
import { parseBucketSort } from './bucket-sort.ts'
import { parseCumulativeCardinality } from './cumulative-cardinality.ts'
import { parseCumulativeSum } from './cumulative-sum.ts'
import { parseDerivative } from './derivative.ts'
import { parseMovingAvg } from './moving-avg.ts'
import { parseMovingFn } from './moving-fn.ts'
import { parseNormalize } from './normalize.ts'
import type { ParsePipeline } from './pipeline.ts'
import { parseSerialDiff } from './serial-diff.ts'
import {
  parseAvgBucket,
  parseExtendedStatsBucket,
  parseMaxBucket,
  parseMinBucket,
  parsePercentilesBucket,
  parseStatsBucket,
  parseSumBucket,
} from './sibling-metrics.ts'

export const pipelineKinds: ReadonlyMap<string, ParsePipeline> = new Map<string, ParsePipeline>([
  ['derivative', parseDerivative],
  ['cumulative_sum', parseCumulativeSum],
  ['cumulative_cardinality', parseCumulativeCardinality],
  ['bucket_sort', parseBucketSort],
  ['bucket_selector', parseBucketSelector],
  ['bucket_script', parseBucketScript],
  ['avg_bucket', parseAvgBucket],
  ['sum_bucket', parseSumBucket],
  ['min_bucket', parseMinBucket],
  ['max_bucket', parseMaxBucket],
  ['stats_bucket', parseStatsBucket],
  ['extended_stats_bucket', parseExtendedStatsBucket],
  ['percentiles_bucket', parsePercentilesBucket],
  ['moving_avg', parseMovingAvg],
  ['moving_fn', parseMovingFn],
  ['serial_diff', parseSerialDiff],
  ['normalize', parseNormalize],
])
