/**
 * Accumulators hold the state of a metric for all buckets at once, in typed arrays by bucket ordinal that
 * grow with the buckets (struct of arrays).
 */

import type { Steps } from '../../scheduling/steps.ts'

/** Formats a number for the `…_as_string` members; without it there are none. */
export interface Format {
  (value: number): string
  /** What `stats` shows, which OpenSearch writes as a plain value. */
  readonly plain?: (value: number) => unknown
}

export interface MetricResult {
  /** As `AggResult.number`: undefined for unknown properties, NaN when there was nothing to compute from. */
  readonly number: (property: string) => number | undefined
  /** The members of the answer, in Elasticsearch's order. */
  readonly toJson: () => Record<string, unknown>
}

export interface NumberAccumulator {
  add(bucket: number, value: number): void
  /** Does what `add` does with the first `count` values, for metrics that do it faster. */
  addValues?(bucket: number, values: Float64Array, count: number): void
  result(bucket: number): MetricResult
  /** Does what `result` does in steps, for metrics that compute much per bucket. */
  resultSteps?(bucket: number): Steps<MetricResult>
}

/** Returns the array if it has a slot for the bucket, otherwise a longer copy filled with `empty`. */
export function roomFor(
  array: Float64Array<ArrayBuffer>,
  bucket: number,
  empty = 0,
): Float64Array<ArrayBuffer> {
  const { length } = array
  if (bucket < length) return array
  const longer = new Float64Array(Math.max(bucket + 1, length * 2, 16))
  longer.set(array)
  if (empty !== 0) longer.fill(empty, length)
  return longer
}

/** A single number under `value`; NaN and infinities become null. */
export function singleValue(value: number, format: Format | undefined): MetricResult {
  return {
    number: (property) => (property === 'value' ? value : undefined),
    toJson: () => {
      if (!Number.isFinite(value)) return { value: null }
      return format === undefined ? { value } : { value, value_as_string: format(value) }
    },
  }
}
