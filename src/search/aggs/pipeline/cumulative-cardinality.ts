/** `cumulative_cardinality`: the distinct values of all buckets so far, by merging their sketches. */
import type { DistinctSet } from '../numbers/distinct-set.ts'
import type { AggBucket, AggResult } from '../result.ts'
import { executionError, pathSteps } from './buckets-path.ts'
import { onePathFrame } from './histogram-pipeline.ts'
import { PipelineOptions } from './options.ts'
import type { ParsePipeline } from './pipeline.ts'
import { SimpleValue } from './simple-value.ts'

export const parseCumulativeCardinality: ParsePipeline = (name, json, context) => {
  const kind = 'cumulative_cardinality'
  const options = new PipelineOptions(kind, name, json, context, ['buckets_path', 'format'], 'newer')
  const frame = onePathFrame(options)
  const format = options.format()
  return {
    ...frame,
    *onBuckets(buckets) {
      const steps = pathSteps(frame.bucketsPaths[0]!)
      let all: DistinctSet | undefined
      for (const bucket of buckets) {
        const distinct = distinctAt(bucket, steps)
        all ??= distinct.fresh()
        all.addAll(distinct)
        bucket.aggs.set(name, new SimpleLongValue(all.count, format, options.meta))
        yield
      }
    },
  }
}

class SimpleLongValue extends SimpleValue {
  override readonly typedName = 'simple_long_value'
}

function distinctAt(start: AggBucket, steps: readonly string[]): DistinctSet {
  let bucket: AggBucket | undefined = start
  let result: AggResult | undefined
  for (const step of steps) {
    result = bucket?.aggs.get(step)
    bucket = result?.single
  }
  if (result?.distinct !== undefined) return result.distinct
  throw executionError(
    `buckets_path must reference a cardinality aggregation, got: [${result?.typedName ?? 'null'}] at aggregation [${steps[0]}]`,
  )
}
