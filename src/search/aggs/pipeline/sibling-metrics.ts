/**
 * Sibling pipelines such as `avg_bucket`: one metric over a value of all buckets of a sibling aggregation.
 */

import { illegalArgument } from '../../request/errors.ts'
import { JsonNumber } from '../../request/json-literals.ts'
import type { Steps } from '../../scheduling/steps.ts'
import { extendedStatsOf } from '../numbers/extended-stats.ts'
import { percentileKey, percentileValues } from '../numbers/percentile-json.ts'
import { statsOf, type Totals } from '../numbers/stats.ts'
import type { AggResult, AggResults } from '../result.ts'
import { sortSteps } from '../sort-steps.ts'
import { bucketValue, findBuckets, parsePath } from './buckets-path.ts'
import { checkReadsBuckets } from './checks.ts'
import type { GapPolicy } from './gap-policy.ts'
import { type Format, PipelineOptions } from './options.ts'
import { type ParsePipeline, stepBuckets } from './pipeline.ts'
import { BucketMetricValue, SimpleValue } from './simple-value.ts'

interface Collected {
  readonly values: readonly number[]
  readonly keys: readonly string[]
  readonly format: Format | undefined
  readonly meta: AggResult['meta']
}

type Answer = (collected: Collected) => AggResult
type Values = Collected['values']

/** `answer` is created once per request, which parses its options. */
function siblingMetric(
  kind: string,
  answerOf: (options: PipelineOptions) => Answer,
  further: readonly string[] = [],
  arrange: (values: Values) => Steps<Values> = unchanged,
): ParsePipeline {
  return (name, json, context) => {
    const known = ['buckets_path', 'format', 'gap_policy', ...further]
    const options = new PipelineOptions(kind, name, json, context, known)
    const bucketsPaths = options.bucketsPaths()
    const format = options.format()
    const policy = options.gapPolicy()
    const answer = answerOf(options)
    return {
      name,
      kind,
      bucketsPaths,
      check: (place) => checkReadsBuckets(name, bucketsPaths, place),
      *fromSiblings(siblings) {
        const { values, keys } = yield* collect(siblings, bucketsPaths[0]!, policy)
        return answer({ values: yield* arrange(values), keys, format, meta: options.meta })
      },
    }
  }
}

function* collect(
  siblings: AggResults,
  path: string,
  policy: GapPolicy,
): Steps<Pick<Collected, 'values' | 'keys'>> {
  const values: number[] = []
  const keys: string[] = []
  const { name = '', buckets = [], steps = [] } = findBuckets(siblings, parsePath(path)) ?? {}
  for (let at = 0; at < buckets.length; at++) {
    if (at % stepBuckets === stepBuckets - 1) yield
    const bucket = buckets[at]!
    const value = bucketValue(name, bucket, steps, policy)
    if (value === undefined || Number.isNaN(value)) continue
    values.push(value)
    keys.push(bucket.keyText)
  }
  return { values, keys }
}

function* unchanged(values: Values): Steps<Values> {
  yield
  return values
}

/** Rising, -0 before 0. */
function* inOrder(values: Values): Steps<Values> {
  const places = new Uint32Array(values.length)
  for (let at = 0; at < places.length; at++) places[at] = at
  const order = yield* sortSteps(places, (one, other) => {
    const left = values[one]!
    const right = values[other]!
    return left - right || (Object.is(left, right) ? 0 : Object.is(left, -0) ? -1 : 1)
  })
  const sorted: number[] = []
  for (let at = 0; at < order.length; at++) sorted.push(values[order[at]!]!)
  return sorted
}

const total = (values: Values) => values.reduce((sum, value) => sum + value, 0)

export const parseAvgBucket = siblingMetric('avg_bucket', () => ({ values, format, meta }) => {
  return new SimpleValue(total(values) / values.length, format, meta)
})

export const parseSumBucket = siblingMetric('sum_bucket', () => ({ values, format, meta }) => {
  return new SimpleValue(total(values), format, meta)
})

/** The keys of all buckets that share the extreme value. */
function extreme(start: number, isBetter: (value: number, best: number) => boolean): () => Answer {
  return () =>
    ({ values, keys, format, meta }) => {
      let best = start
      let holders: string[] = []
      values.forEach((value, at) => {
        if (isBetter(value, best)) {
          best = value
          holders = [keys[at]!]
        } else if (value === best) holders.push(keys[at]!)
      })
      return new BucketMetricValue(best, holders, format, meta)
    }
}

export const parseMinBucket = siblingMetric(
  'min_bucket',
  extreme(Infinity, (value, best) => value < best),
)
export const parseMaxBucket = siblingMetric(
  'max_bucket',
  extreme(-Infinity, (value, best) => value > best),
)

/** A plain sum without Kahan compensation, as Elasticsearch computes it here. */
function totalsOf(values: Values): Totals {
  let min = Infinity
  let max = -Infinity
  for (const value of values) {
    min = Math.min(min, value)
    max = Math.max(max, value)
  }
  return { count: values.length, min, max, sum: total(values) }
}

export const parseStatsBucket = siblingMetric('stats_bucket', () => ({ values, format, meta }) => {
  return { typedName: 'stats_bucket', meta, ...statsOf(totalsOf(values), format) }
})

export const parseExtendedStatsBucket = siblingMetric(
  'extended_stats_bucket',
  (options) => {
    const sigma = options.number('sigma') ?? 2
    if (sigma < 0) throw illegalArgument('sigma must be a non-negative double')
    return ({ values, format, meta }) => {
      const squares = total(values.map((value) => value * value))
      const stats = extendedStatsOf(totalsOf(values), squares, sigma, format)
      return { typedName: 'extended_stats_bucket', meta, ...stats }
    }
  },
  ['sigma'],
)

const defaultPercents: readonly number[] = [1, 5, 25, 50, 75, 95, 99]

export const parsePercentilesBucket = siblingMetric(
  'percentiles_bucket',
  (options) => {
    const percents = readPercents(options)
    const isKeyed = options.boolean('keyed') ?? true
    return ({ values, format, meta }) => {
      const found = percents.map((percent) => nearest(values, percent))
      return {
        typedName: 'percentiles_bucket',
        meta,
        number: (property) => found[percents.indexOf(Number(property))],
        toJson: () => percentileValues(percents.map(percentileKey), percents, found, isKeyed, format),
      }
    }
  },
  ['percents', 'keyed'],
  inOrder,
)

/** The value at the nearest rank, never an interpolated one. */
function nearest(sorted: Values, percent: number): number {
  return sorted[Math.round((percent / 100) * (sorted.length - 1))] ?? Number.NaN
}

function readPercents(options: PipelineOptions): readonly number[] {
  const list = options.get('percents')
  if (list === undefined) return defaultPercents
  if (!Array.isArray(list)) throw options.unknownKey('percents')
  return list.map((item: unknown) => {
    const percent = item instanceof JsonNumber ? item.value : typeof item === 'object' ? NaN : Number(item)
    if (percent >= 0 && percent <= 100) return percent
    throw illegalArgument('percents must only contain non-null doubles from 0.0-100.0 inclusive')
  })
}
