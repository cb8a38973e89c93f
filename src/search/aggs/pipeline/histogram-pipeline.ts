/** The base of parent pipelines that read one value per bucket of the enclosing histogram. */
import type { Steps } from '../../scheduling/steps.ts'
import type { AggBucket } from '../result.ts'
import { bucketValue, pathSteps } from './buckets-path.ts'
import { checkInHistogram, checkOnePath } from './checks.ts'
import type { GapPolicy } from './gap-policy.ts'
import type { PipelineOptions } from './options.ts'
import { type PipelineAggregation, type PipelinePlace, stepBuckets } from './pipeline.ts'
import { SimpleValue } from './simple-value.ts'

/**
 * `values` are in bucket order: undefined when the path does not exist, NaN when the gap policy skips the
 * bucket. `add` stores a number in the bucket at an index.
 */
type OverValues = (
  values: readonly (number | undefined)[],
  add: (at: number, value: number) => void,
  /** Makes sure that there is a bucket at an index behind the last one. */
  reach: (at: number) => void,
) => Steps<void>

type CheckPlace = (place: PipelinePlace) => void

/** What a pipeline with one path is, but for what it does with the buckets. */
export function onePathFrame(
  options: PipelineOptions,
  check: CheckPlace = (place) => checkInHistogram(options.kind, options.name, place),
): Pick<PipelineAggregation, 'name' | 'kind' | 'bucketsPaths' | 'check'> {
  const { name, kind } = options
  const bucketsPaths = options.bucketsPaths()
  return {
    name,
    kind,
    bucketsPaths,
    check(place) {
      checkOnePath(name, bucketsPaths, place)
      check(place)
    },
  }
}

export function histogramPipeline(
  options: PipelineOptions,
  over: OverValues,
  policy: GapPolicy = options.gapPolicy(),
  check?: CheckPlace,
): PipelineAggregation {
  const { name, meta } = options
  const frame = onePathFrame(options, check)
  const format = options.format()
  return {
    ...frame,
    *onBuckets(buckets, owner, result) {
      const values = yield* valuesOf(buckets, owner, frame.bucketsPaths[0]!, policy)
      const reach = (at: number) => {
        while (buckets.length <= at) buckets.push(result.following!(buckets.at(-1)!))
      }
      const add = (at: number, value: number) =>
        void buckets[at]!.aggs.set(name, new SimpleValue(value, format, meta))
      yield* over(values, add, reach)
    },
  }
}

export function* valuesOf(
  buckets: readonly AggBucket[],
  owner: string,
  path: string,
  policy: GapPolicy,
): Steps<(number | undefined)[]> {
  const steps = pathSteps(path)
  const values: (number | undefined)[] = []
  for (const bucket of buckets) {
    values.push(bucketValue(owner, bucket, steps, policy))
    if (values.length % stepBuckets === 0) yield
  }
  return values
}
