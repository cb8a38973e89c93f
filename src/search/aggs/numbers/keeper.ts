/**
 * Keepers hold the numbers of a metric for all buckets at once, in typed arrays by bucket number that grow as
 * buckets come up.
 */

import type { Steps } from '../../scheduling/steps.ts'

/** Prints a number as dates or patterns ask for; without it there are no `…_as_string` members. */
export type Format = (value: number) => string

export interface KeptNumbers {
  /** As `AggResult.number`: undefined for what is not known, NaN for what nothing was there to compute from. */
  readonly number: (property: string) => number | undefined
  /** Members of the answer, in the reference's order. */
  readonly toJson: () => Record<string, unknown>
}

export interface NumberKeeper {
  add(bucket: number, value: number): void
  result(bucket: number): KeptNumbers
  /** The same in steps, of those that may have much to compute for one bucket. */
  resultSteps?(bucket: number): Steps<KeptNumbers>
}

/** The array itself when it has a place for the bucket, otherwise a longer copy filled with `empty`. */
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

/** A single number under `value`; NaN and infinities are null. */
export function singleValue(value: number, format: Format | undefined): KeptNumbers {
  return {
    number: (property) => (property === 'value' ? value : undefined),
    toJson: () => {
      if (!Number.isFinite(value)) return { value: null }
      return format === undefined ? { value } : { value, value_as_string: format(value) }
    },
  }
}
